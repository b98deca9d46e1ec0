#include "output/baseline_times.h"

#include "text/array_room.h"
#include "text/hash_map.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_BYTES = 384 };

struct baseline_times {
    hash_map *places; /* index in medians_ns, by key as text */
    double *medians_ns;
    size_t count, capacity;
    unsigned most_threads; /* of the ceilings */
};

baseline_times *baseline_times_new(void)
{
    baseline_times *times = calloc(1, sizeof *times);
    if (times)
        times->places = hash_map_new();
    if (times && times->places)
        return times;
    baseline_times_free(times);
    return NULL;
}

void baseline_times_free(baseline_times *times)
{
    if (!times)
        return;
    hash_map_free(times->places);
    free(times->medians_ns);
    free(times);
}

static double find(const baseline_times *times, const char *key)
{
    const size_t *place = hash_map_find(times->places, key);
    return place ? times->medians_ns[*place] : 0;
}

static scan_status add(baseline_times *times, const char *key, double median_ns)
{
    double *medians_ns =
        array_room(times->medians_ns, &times->capacity, times->count, 1, sizeof *medians_ns);
    if (!medians_ns)
        return SCAN_NO_MEMORY;
    times->medians_ns = medians_ns;
    const size_t *place = hash_map_add(times->places, key, times->count);
    if (!place)
        return SCAN_NO_MEMORY;
    if (*place == times->count)
        times->medians_ns[times->count++] = median_ns;
    else if (median_ns < times->medians_ns[*place])
        times->medians_ns[*place] = median_ns;
    return SCAN_OK;
}

/* The backend comes last: a plugin may give it any length, and what does not fit is cut off. */
static void ceiling_text(const ceiling_key *key, phase_kind phase, char *text, size_t size)
{
    snprintf(text, size, "ceiling\t%u\t%u\t%d\t%u\t%" PRIu64 "\t%s\t%s\t%s\t%s", key->threads,
             key->parts, key->in_place, key->dtype, key->n, cache_state_word(key->cache),
             phase_word(phase), key->device, key->backend);
}

scan_status baseline_times_add_ceiling(baseline_times *times, const ceiling_key *key,
                                       double median_ns)
{
    char text[KEY_BYTES];
    ceiling_text(key, key->phase, text, sizeof text);
    if (key->threads > times->most_threads)
        times->most_threads = key->threads;
    return add(times, text, median_ns);
}

/* Of the copies with at most as many threads the fastest, or 0. */
static double fastest_copy(const baseline_times *times, const ceiling_key *key, phase_kind phase)
{
    double fastest = 0;
    const unsigned most = key->threads < times->most_threads ? key->threads : times->most_threads;
    ceiling_key with = *key;
    for (with.threads = 0; with.threads <= most; with.threads++) {
        char text[KEY_BYTES];
        ceiling_text(&with, phase, text, sizeof text);
        const double median_ns = find(times, text);
        if (median_ns > 0 && (fastest <= 0 || median_ns < fastest))
            fastest = median_ns;
    }
    return fastest;
}

double baseline_times_ceiling(const baseline_times *times, const ceiling_key *key)
{
    const bool device = phase_clock_of(key->phase) == PHASE_BY_DEVICE;
    const double median_ns = fastest_copy(times, key, device ? PHASE_DEVICE : key->phase);
    return median_ns > 0 || !device ? median_ns : fastest_copy(times, key, PHASE_RUN);
}

bool baseline_times_beats_copy(double copy_ns, double upper_ns)
{
    return upper_ns > 0 && copy_ns > 1.02 * upper_ns;
}

static void baseline_text(const baseline_key *key, char *text, size_t size)
{
    snprintf(text, size, "baseline\t%u\t%u\t%u\t%" PRIu64 "\t%s", key->dtype, key->op, key->kind,
             key->n, cache_state_word(key->cache));
}

scan_status baseline_times_add_baseline(baseline_times *times, const baseline_key *key,
                                        double median_ns)
{
    char text[KEY_BYTES];
    baseline_text(key, text, sizeof text);
    return add(times, text, median_ns);
}

double baseline_times_baseline(const baseline_times *times, const baseline_key *key)
{
    char text[KEY_BYTES];
    baseline_text(key, text, sizeof text);
    return find(times, text);
}
