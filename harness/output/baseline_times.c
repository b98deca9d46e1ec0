#include "output/baseline_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One median under its key as text. */
typedef struct score {
    char *key;
    double median_ns;
} score;

struct baseline_times {
    score *scores;
    size_t count, capacity;
};

baseline_times *baseline_times_new(void)
{
    return calloc(1, sizeof(baseline_times));
}

void baseline_times_free(baseline_times *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->scores[i].key);
    free(s->scores);
    free(s);
}

static score *find(const baseline_times *s, const char *key)
{
    for (size_t i = s->count; i-- > 0;) /* the one wanted is most often a late one */
        if (strcmp(s->scores[i].key, key) == 0)
            return &s->scores[i];
    return NULL;
}

static scan_status add(baseline_times *s, const char *key, double median_ns)
{
    score *there = find(s, key);
    if (there) {
        if (median_ns < there->median_ns)
            there->median_ns = median_ns;
        return SCAN_OK;
    }
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        score *scores = realloc(s->scores, capacity * sizeof *scores);
        if (!scores)
            return SCAN_NO_MEMORY;
        s->scores = scores;
        s->capacity = capacity;
    }
    char *owned = strdup(key);
    if (!owned)
        return SCAN_NO_MEMORY;
    score *added = &s->scores[s->count++];
    added->key = owned;
    added->median_ns = median_ns;
    return SCAN_OK;
}

static void ceiling_text(const ceiling_key *k, phase_kind phase, char *text, size_t size)
{
    snprintf(text, size, "ceiling\t%s\t%s\t%u\t%u\t%llu\t%s", k->backend, k->device, k->threads,
             k->dtype, (unsigned long long)k->n, phase_word(phase));
}

scan_status baseline_times_add_ceiling(baseline_times *s, const ceiling_key *key, double median_ns)
{
    char text[384];
    ceiling_text(key, key->phase, text, sizeof text);
    return add(s, text, median_ns);
}

double baseline_times_ceiling(const baseline_times *s, const ceiling_key *key)
{
    const bool device = phase_clock_of(key->phase) == PHASE_BY_DEVICE;
    const phase_kind wanted[2] = {device ? PHASE_DEVICE : key->phase, PHASE_RUN};
    for (int i = 0; i < (device ? 2 : 1); i++) {
        char text[384];
        ceiling_text(key, wanted[i], text, sizeof text);
        const score *there = find(s, text);
        if (there)
            return there->median_ns;
    }
    return 0;
}

static void baseline_text(uint32_t dtype, uint64_t n, uint32_t op, uint32_t kind, char *text,
                          size_t size)
{
    snprintf(text, size, "baseline\t%u\t%llu\t%u\t%u", dtype, (unsigned long long)n, op, kind);
}

scan_status baseline_times_add_baseline(baseline_times *s, uint32_t dtype, uint64_t n, uint32_t op,
                                        uint32_t kind, double median_ns)
{
    char text[96];
    baseline_text(dtype, n, op, kind, text, sizeof text);
    return add(s, text, median_ns);
}

double baseline_times_baseline(const baseline_times *s, uint32_t dtype, uint64_t n, uint32_t op,
                               uint32_t kind)
{
    char text[96];
    baseline_text(dtype, n, op, kind, text, sizeof text);
    const score *there = find(s, text);
    return there ? there->median_ns : 0;
}
