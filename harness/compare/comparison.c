#include "compare/comparison.h"

#include "compare/estimates.h"
#include "results/row_key.h"
#include "text/comma_list.h"
#include "text/hash_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASE_BYTES = 64 };
static const size_t nobody = (size_t)-1;

/* Two files that are compared in one phase. A failed row has no phase, and is matched in the first.
 */
typedef struct matching {
    comparison *to;
    const result_file *first, *second;
    const char *phase;
    bool with_failed;
    hash_map *places; /* of each key: its first row in the second file */
    size_t *next;     /* of each row of the second file: the next with its key */
    size_t *partner;  /* of each row of the first file: that of the second, or nobody */
    bool *taken;      /* of each row of the second file */
    row_key key;
} matching;

static bool is_wanted(const matching *m, const result_row *row)
{
    return row->status != ROW_OK || strcmp(row->phase, m->phase) == 0;
}

/* Chains the rows of the second file, from the last to the first, so that each chain is in their
 * order. */
static scan_status chain_rows(matching *m)
{
    for (size_t i = m->second->count; i-- > 0;) {
        const result_row *row = &m->second->rows[i];
        if (!is_wanted(m, row))
            continue;
        const char *key = row_key_make(&m->key, row, "");
        size_t *place = key ? hash_map_add(m->places, key, nobody) : NULL;
        if (!place)
            return SCAN_NO_MEMORY;
        m->next[i] = *place;
        *place = i;
    }
    return SCAN_OK;
}

/* How much alike two rows with one key have to be. */
typedef struct likeness {
    bool device, kinds;
} likeness;

static bool are_alike(const result_row *a, const result_row *b, likeness wanted)
{
    return (!wanted.device || strcmp(a->device, b->device) == 0) &&
           (!wanted.kinds || strcmp(a->kinds, b->kinds) == 0);
}

static scan_status match_rows(matching *m, likeness wanted)
{
    for (size_t i = 0; i < m->first->count; i++) {
        const result_row *row = &m->first->rows[i];
        if (m->partner[i] != nobody || !is_wanted(m, row))
            continue;
        const char *key = row_key_make(&m->key, row, "");
        if (!key)
            return SCAN_NO_MEMORY;
        const size_t *place = hash_map_find(m->places, key);
        size_t at = place ? *place : nobody;
        while (at != nobody && (m->taken[at] || !are_alike(row, &m->second->rows[at], wanted)))
            at = m->next[at];
        m->partner[i] = at;
        if (at != nobody)
            m->taken[at] = true;
    }
    return SCAN_OK;
}

static bool is_same_row(const result_row *a, const result_row *b)
{
    return *a->run_id && strcmp(a->run_id, b->run_id) == 0 && strcmp(a->host, b->host) == 0 &&
           strcmp(a->timestamp_utc, b->timestamp_utc) == 0 && !(a->median_ns < b->median_ns) &&
           !(a->median_ns > b->median_ns);
}

static void judge(compared_pair *pair, double threshold)
{
    const result_row *a = pair->first, *b = pair->second;
    if (!a || !b || a->status != ROW_OK || b->status != ROW_OK) {
        pair->outcome.verdict = VERDICT_MISSING;
        pair->regression = a && a->status == ROW_OK && b && row_status_is_failure(b->status);
        return;
    }
    pair->has_ratio = true;
    pair->is_row_of_both = is_same_row(a, b);
    if (pair->is_row_of_both) {
        pair->outcome = (verdict_outcome){
            .verdict = VERDICT_SAME, .has_interval = true, .ratio = 1, .lo = 1, .hi = 1, .p = 1};
        return;
    }
    verdict_run first, second;
    estimates_of_pair(a, b, &first, &second);
    pair->outcome = verdict_across(&first, &second, threshold);
    if (!pair->outcome.has_interval)
        pair->outcome.ratio = b->median_ns / a->median_ns;
}

/* Room for all rows of both files was made before. */
static void add_pair(matching *m, const result_row *first, const result_row *second)
{
    const bool measured =
        (first && first->status == ROW_OK) || (second && second->status == ROW_OK);
    const bool failed = (first && first->status != ROW_OK) || (second && second->status != ROW_OK);
    if (failed && !m->with_failed)
        return;
    if (!measured) {
        m->to->never_measured++;
        return;
    }
    compared_pair *pair = &m->to->pairs[m->to->count++];
    *pair = (compared_pair){
        .first_file = m->first, .second_file = m->second, .first = first, .second = second};
    judge(pair, m->to->threshold);
}

static scan_status add_pairs(matching *m)
{
    const size_t most = m->to->count + m->first->count + m->second->count + 1;
    compared_pair *pairs = realloc(m->to->pairs, most * sizeof *pairs);
    if (!pairs)
        return SCAN_NO_MEMORY;
    m->to->pairs = pairs;
    for (size_t i = 0; i < m->first->count; i++)
        if (is_wanted(m, &m->first->rows[i]))
            add_pair(m, &m->first->rows[i],
                     m->partner[i] == nobody ? NULL : &m->second->rows[m->partner[i]]);
    for (size_t i = 0; i < m->second->count; i++)
        if (!m->taken[i] && is_wanted(m, &m->second->rows[i]))
            add_pair(m, NULL, &m->second->rows[i]);
    return SCAN_OK;
}

static scan_status compare_phase(comparison *to, size_t file, const char *phase, bool with_failed)
{
    matching m = {.to = to,
                  .first = &to->files[0],
                  .second = &to->files[file],
                  .phase = phase,
                  .with_failed = with_failed,
                  .places = hash_map_new()};
    m.next = calloc(m.second->count + 1, sizeof *m.next);
    m.taken = calloc(m.second->count + 1, sizeof *m.taken);
    m.partner = calloc(m.first->count + 1, sizeof *m.partner);
    scan_status status = m.places && m.next && m.taken && m.partner ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; status == SCAN_OK && i < m.first->count; i++)
        m.partner[i] = nobody;
    if (status == SCAN_OK)
        status = chain_rows(&m);
    static const likeness wanted[] = {{true, true}, {true, false}, {false, true}, {false, false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == SCAN_OK; i++)
        status = match_rows(&m, wanted[i]);
    if (status == SCAN_OK)
        status = add_pairs(&m);
    hash_map_free(m.places);
    free(m.next);
    free(m.taken);
    free(m.partner);
    free(m.key.text);
    return status;
}

/* Holm's rule over all files: they are shown together. */
static scan_status correct(comparison *c)
{
    verdict_outcome **family = calloc(c->count + 1, sizeof *family);
    if (!family)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < c->count; i++)
        family[i] = &c->pairs[i].outcome;
    verdict_holm(family, c->count);
    free(family);
    for (size_t i = 0; i < c->count; i++) {
        c->pairs[i].regression |= c->pairs[i].outcome.verdict == VERDICT_SLOWER;
        c->regressions += c->pairs[i].regression;
    }
    return SCAN_OK;
}

static double effect_of(const compared_pair *pair)
{
    if (!pair->has_ratio)
        return pair->regression ? INFINITY : -1;
    return fabs(log(pair->outcome.ratio));
}

static int by_file_and_effect(const void *left, const void *right)
{
    const compared_pair *a = left, *b = right;
    if (a->second_file != b->second_file)
        return a->second_file < b->second_file ? -1 : 1;
    const double one = effect_of(a), other = effect_of(b);
    if (one < other || one > other)
        return one > other ? -1 : 1;
    const result_row *row = compared_row(a), *with = compared_row(b);
    const int order = strcmp(row->plugin, with->plugin);
    return order ? order : (row->n > with->n) - (row->n < with->n);
}

scan_status comparison_finish(comparison *c)
{
    scan_status status = correct(c);
    if (status == SCAN_OK && c->count > 0)
        qsort(c->pairs, c->count, sizeof *c->pairs, by_file_and_effect);
    return status;
}

scan_status comparison_make(const result_file *files, size_t file_count, const char *phases,
                            double threshold, comparison *comparison_p)
{
    comparison c = {.files = files, .file_count = file_count, .threshold = threshold};
    scan_status status = SCAN_OK;
    for (size_t i = 1; i < file_count && status == SCAN_OK; i++) {
        const char *rest = phases;
        char phase[PHASE_BYTES];
        bool is_first = true;
        while (status == SCAN_OK && comma_list_next(&rest, phase, sizeof phase)) {
            status = compare_phase(&c, i, phase, is_first);
            is_first = false;
        }
    }
    if (status == SCAN_OK)
        status = comparison_finish(&c);
    if (status != SCAN_OK) {
        comparison_free(&c);
        return status;
    }
    *comparison_p = c;
    return SCAN_OK;
}

void comparison_free(comparison *c)
{
    free(c->pairs);
    *c = (comparison){0};
}

const result_row *compared_row(const compared_pair *pair)
{
    return pair->second ? pair->second : pair->first;
}

static bool machines_differ(const compared_pair *pair)
{
    return strcmp(pair->first->host, pair->second->host) != 0 ||
           strcmp(pair->first->device, pair->second->device) != 0;
}

/* Of two that were measured in one run: which has no time. Builds and settings of one plugin are
 * known by what the command line calls them. */
static const char *failure_reason(const compared_pair *pair, char *text, size_t size)
{
    const bool second = pair->second->status != ROW_OK;
    const result_row *row = second ? pair->second : pair->first;
    const bool same_plugin = strcmp(pair->first->plugin, pair->second->plugin) == 0;
    const char *operand = second ? pair->second_file->path : pair->first_file->path;
    snprintf(text, size, "%s is %s: %s", same_plugin ? operand : row->plugin,
             row_status_word(row->status), row->reason);
    return text;
}

static const char *missing_reason(const compared_pair *pair, char *text, size_t size)
{
    const result_row *a = pair->first, *b = pair->second;
    if (pair->second_plugin_file)
        return failure_reason(pair, text, size);
    if (!a || !b)
        snprintf(text, size, "only in %s", a ? pair->first_file->path : pair->second_file->path);
    else if (b->status != ROW_OK)
        snprintf(text, size, "now %s: %s", row_status_word(b->status), b->reason);
    else
        snprintf(text, size, "before %s: %s", row_status_word(a->status), a->reason);
    return text;
}

const char *compared_reason(const compared_pair *pair, char *text, size_t size)
{
    *text = '\0';
    if (pair->outcome.verdict == VERDICT_MISSING)
        return missing_reason(pair, text, size);
    const char *obstacle = pair->outcome.reason == VERDICT_FOR_NO_CALIBRATORS
                               ? estimates_obstacle(pair->first, pair->second)
                               : NULL;
    if (pair->is_row_of_both)
        snprintf(text, size, "the same measurement");
    else if (pair->outcome.reason == VERDICT_FOR_STATE && machines_differ(pair))
        snprintf(text, size, "the machines differ, and not alike in all that they do");
    else if (obstacle)
        snprintf(text, size, "%s, and there is no copy to tell by", obstacle);
    else if (pair->outcome.verdict == VERDICT_INCONCLUSIVE)
        snprintf(text, size, "%s", verdict_reason_text(pair->outcome.reason));
    return text;
}

/* Was anything of this file compared with the first one? */
static bool is_compared(const comparison *c, const result_file *second)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->pairs[i].second_file == second && (c->pairs[i].has_ratio || c->pairs[i].regression))
            return true;
    return false;
}

bool comparison_lacks(const comparison *c, char *text, size_t size)
{
    for (size_t i = 1; i < c->file_count; i++) {
        const result_file *first = &c->files[0], *second = &c->files[i];
        const result_file *empty = first->count == 0 ? first : second->count == 0 ? second : NULL;
        if (is_compared(c, second))
            continue;
        if (empty)
            snprintf(text, size, "nothing was compared: %s has no rows", empty->path);
        else
            snprintf(text, size,
                     "nothing was compared: no configuration has times in both %s and %s",
                     first->path, second->path);
        return true;
    }
    return false;
}

size_t comparison_count(const comparison *c, verdict v)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += c->pairs[i].outcome.verdict == v;
    return count;
}
