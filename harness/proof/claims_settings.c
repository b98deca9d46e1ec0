/*
 * claims_settings.c - the claims about tunables, whose settings are tried one by one and together,
 * and about numbers of parts, with which sizes, settings and buffers are tried
 */
#include "proof/claim.h"

#include "problem/splitmix.h"
#include "scan_parts.h"

enum { MOST_VALUES = 64 };

/* ---- tunables ---------------------------------------------------------------- */

int64_t proof_smallest(const tunable_info *t, int64_t least)
{
    if (!t->values)
        return least < t->min ? t->min : least > t->max ? t->max : least;
    int64_t found = t->default_value;
    for (size_t i = 0; i < t->value_count; i++)
        if (t->values[i] >= least && t->values[i] < found)
            found = t->values[i];
    return found;
}

int proof_threads_index(const plugin_info *plugin)
{
    for (size_t i = 0; i < plugin->tunable_count; i++)
        if (plugin->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return (int)i;
    return -1;
}

static void add_value(int64_t *values, size_t *count, int64_t value, const tunable_info *t)
{
    for (size_t i = 0; i < *count; i++)
        if (values[i] == value)
            return;
    if (*count < MOST_VALUES && tunable_info_allows(t, value))
        values[(*count)++] = value;
}

/* Adds `times` values from all of a range, every second of them likely to be near its start. */
static void add_random(int64_t *values, size_t *count, const tunable_info *t, uint64_t seed,
                       size_t times)
{
    uint64_t state = seed ^ (uint64_t)t->max;
    const uint64_t width = (uint64_t)t->max - (uint64_t)t->min + 1;
    for (size_t i = 0; i < times && width > 1; i++) {
        const uint64_t random = splitmix_next(&state);
        uint64_t narrow = width;
        for (uint64_t half = splitmix_next(&state) % 20; i % 2 && half > 0 && narrow > 8; half--)
            narrow /= 2;
        add_value(values, count, (int64_t)((uint64_t)t->min + random % narrow), t);
    }
}

/* The values of a tunable to try: the two ends of a table; for a range its ends, the values
 * where plugins often fail, and some from between. */
static size_t tunable_values(const proof *p, const tunable_info *t, int64_t values[MOST_VALUES])
{
    static const int64_t edges[] = {0,  1,  2,  3,  4,  5,   7,   8,   9,   15,  16,   17,
                                    31, 32, 33, 64, 96, 100, 128, 256, 512, 768, 1000, 1024};
    enum { RANDOM = 5 }; /* divided among all tunables */
    size_t count = 0;
    const size_t half = t->value_count < MOST_VALUES ? t->value_count : MOST_VALUES / 2;
    for (size_t i = 0; t->values && i < half; i++) {
        add_value(values, &count, t->values[i], t);
        add_value(values, &count, t->values[t->value_count - 1 - i], t);
    }
    for (size_t i = 0; !t->values && i < sizeof edges / sizeof *edges; i++)
        add_value(values, &count, edges[i], t);
    add_value(values, &count, t->min, t);
    add_value(values, &count, t->max, t);
    if (t->default_value > t->min)
        add_value(values, &count, t->default_value - 1, t);
    if (t->default_value < t->max)
        add_value(values, &count, t->default_value + 1, t);
    if (!t->values)
        add_random(values, &count, t, p->s->seed, 1 + RANDOM / p->session->plugin->tunable_count);
    return count;
}

static bool counts_threads(const tunable_info *t)
{
    return (t->flags & SCAN_TUNABLE_THREADS) != 0;
}

/* More threads than can run at the same time need no tiles of their own. */
static bool is_crowd(const proof *p, const tunable_info *t, int64_t value)
{
    return counts_threads(t) && value > 2 * (int64_t)p->session->places + 2;
}

/* The number of parts has a claim of its own. */
static bool counts_parts(const proof *p, size_t t)
{
    return (int)t == proof_parts_index(p->session->plugin);
}

/* As many elements as threads, one less and one more; 66001, which is enough for all to share; and
 * nearly the limit. `supports` may refuse more threads than there are places. */
static proof_verdict test_threads(proof *p, job j, int64_t threads)
{
    enum { MOST = 64, SHARED = 66001 };
    const uint64_t count = (uint64_t)threads;
    const uint64_t sizes[] = {count - 1, count, count + 1, SHARED, p->limit - p->limit % 16 - 5};
    proof_verdict verdict = PROOF_OK;
    if (threads < 2 || threads > MOST)
        return PROOF_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && verdict == PROOF_OK; i++) {
        j.n = proof_at_most(sizes[i], p->limit);
        verdict = proof_do(p, &j, true);
        verdict = verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
    }
    return verdict;
}

/* Tries the values of one tunable, with the others at their defaults. The plugin must refuse a
 * setting that it cannot handle. */
static proof_verdict test_tunable(proof *p, size_t t, const job *base)
{
    const tunable_info *tunable = &p->session->plugin->tunables[t];
    int64_t values[MOST_VALUES];
    size_t count = tunable_values(p, tunable, values);
    proof_verdict verdict = PROOF_OK;
    for (size_t v = 0; v < count && verdict == PROOF_OK; v++) {
        job j = *base;
        j.tunables[t] = values[v];
        if (!is_crowd(p, tunable, values[v]))
            verdict = proof_at_sizes(p, j, false, true);
        if (verdict == PROOF_OK && counts_threads(tunable))
            verdict = test_threads(p, j, values[v]);
    }
    return verdict;
}

/* Tries some settings of all tunables at once. */
static proof_verdict test_mixed(proof *p, const job *base)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    uint64_t state = p->s->seed;
    proof_verdict verdict = PROOF_OK;
    for (int i = 0; i < TIMES && plugin->tunable_count > 1 && verdict == PROOF_OK; i++) {
        job j = *base;
        for (size_t t = 0; t < plugin->tunable_count; t++) {
            int64_t values[MOST_VALUES];
            const size_t count = tunable_values(p, &plugin->tunables[t], values);
            const int64_t value = count > 0 ? values[splitmix_next(&state) % count] : 0;
            if (count > 0 && !is_crowd(p, &plugin->tunables[t], value) && !counts_parts(p, t))
                j.tunables[t] = value;
        }
        verdict = proof_at_sizes(p, j, false, true);
    }
    return verdict;
}

/* The smallest tiles at the largest n: as many tiles as there can be. */
static proof_verdict test_smallest(proof *p, const job *base)
{
    const int block = tunable_info_index(p->session->plugin, "block");
    if (block < 0)
        return PROOF_OK;
    job j = *base;
    j.n = p->limit;
    j.tunables[block] = proof_smallest(&p->session->plugin->tunables[block], INT64_MIN);
    const proof_verdict verdict = proof_do_near(p, &j, true);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict; /* no memory or no time for that */
}

static proof_verdict test_settings(proof *p, job j)
{
    j.n = 1;
    proof_verdict verdict = proof_do_near(p, &j, false); /* is the type refused at the defaults? */
    for (size_t t = 0; t < p->session->plugin->tunable_count && verdict == PROOF_OK; t++)
        verdict = counts_parts(p, t) ? verdict : test_tunable(p, t, &j);
    if (verdict == PROOF_OK)
        verdict = test_mixed(p, &j);
    return verdict == PROOF_OK ? test_smallest(p, &j) : verdict;
}

static proof_verdict test_settings_briefly(proof *p, job j)
{
    p->brief = true;
    const proof_verdict verdict = test_settings(p, j);
    p->brief = false;
    return verdict;
}

/* On the usual input, and on one whose running result is the identity to the last element. */
static proof_verdict select_at(proof *p, job j)
{
    j.n = proof_at_most(3 + 5 * proof_tile_of(p, &j).elements, p->limit);
    proof_verdict verdict = proof_do(p, &j, true);
    j.run.pattern = INPUT_IMPULSE;
    j.run.position = j.n > 0 ? j.n - 1 : 0;
    if (verdict == PROOF_OK)
        verdict = proof_do(p, &j, true);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

int64_t proof_some_value(const proof *p, const tunable_info *t, size_t which)
{
    const int64_t odd = counts_threads(t) ? 5 : 96;
    const int64_t first = t->values ? t->values[0] : t->min;
    const int64_t last = t->values ? t->values[t->value_count - 1] : t->max;
    const int64_t places = (int64_t)p->session->places;
    if (which == 0)
        return first;
    if (which == 1)
        return counts_threads(t) && places < last ? places : last;
    return tunable_info_allows(t, odd) ? odd : t->default_value;
}

proof_verdict proof_at_joint_settings(proof *p, job j, proof_subtest test)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_SKIPPED;
    for (size_t i = 0; i < PROOF_SOME && plugin->tunable_count > 0 && !proof_is_over(verdict);
         i++) {
        for (size_t t = 0; t < plugin->tunable_count; t++)
            if (!counts_parts(p, t))
                j.tunables[t] = proof_some_value(p, &plugin->tunables[t], i);
        const proof_verdict one = test(p, j);
        verdict = one == PROOF_SKIPPED ? verdict : one;
    }
    return verdict;
}

/* Few values of each tunable, with the others at their defaults. */
static proof_verdict test_some_settings(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_OK;
    for (size_t t = 0; t < plugin->tunable_count; t++)
        for (size_t i = 0; i < PROOF_SOME && verdict == PROOF_OK && !counts_parts(p, t); i++) {
            const tunable_info *tunable = &plugin->tunables[t];
            const int64_t value = proof_some_value(p, tunable, i);
            job one = j;
            one.tunables[t] = value;
            if (value != tunable->default_value && !is_crowd(p, tunable, value))
                verdict = select_at(p, one);
        }
    return verdict;
}

/* Uses the first type and operator, one that reveals swapped operands, and, at fewer sizes, one of
 * fewer bytes than a word, of which tiles may end within a word; and a few settings of the
 * operators whose identity is not 0, for what is filled up with 0 is right in a sum. */
proof_verdict proof_test_tunables(proof *p)
{
    static const proof_sort selecting[] = {PROOF_GREATEST, PROOF_LEAST};
    proof_verdict verdict = proof_with_type(p, PROOF_ANY_TYPE, test_settings, NULL);
    if (verdict != PROOF_OK)
        return verdict;
    verdict = proof_with_type(p, PROOF_ORDERED, test_settings, NULL);
    if (!proof_is_over(verdict))
        verdict = proof_with_type(p, PROOF_PACKED, test_settings_briefly, NULL);
    for (size_t i = 0; i < 2 && !proof_is_over(verdict); i++)
        verdict = proof_with_type(p, selecting[i], test_some_settings, NULL);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

/* ---- numbers of parts ---------------------------------------------------------- */

enum { DEFAULT_MOST = 8 };
_Static_assert((int)PROOF_PARTS == (int)SCAN_PARTS_MOST, "as many as a plugin may take");

int proof_parts_index(const plugin_info *plugin)
{
    return plugin->in_parts ? tunable_info_index(plugin, SCAN_PARTS_TUNABLE) : -1;
}

size_t proof_parts_counts(const proof *p, int64_t counts[PROOF_PARTS])
{
    const tunable_info *t = &p->session->plugin->tunables[proof_parts_index(p->session->plugin)];
    const range_list *given = settings_find(p->s, SCAN_PARTS_TUNABLE);
    size_t count = 0;
    for (size_t i = 0; given && i < given->count && count < PROOF_PARTS; i++)
        if (tunable_info_allows(t, given->values[i]))
            counts[count++] = given->values[i];
    for (int64_t k = 1; !given && k <= DEFAULT_MOST; k++)
        if (tunable_info_allows(t, k))
            counts[count++] = k;
    return count;
}

static proof_verdict with_each_count(proof *p, job j, proof_subtest test)
{
    int64_t counts[PROOF_PARTS];
    const size_t count = proof_parts_counts(p, counts);
    const int at = proof_parts_index(p->session->plugin);
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.tunables[at] = counts[i];
        verdict = test(p, j);
    }
    return verdict;
}

/* Fewer elements than parts, as many, and a few more: parts that are empty, or hold one element. */
static proof_verdict at_small_sizes(proof *p, job j)
{
    enum { SMALL = 36 };
    proof_verdict verdict = PROOF_OK;
    for (j.n = 0; j.n <= SMALL && j.n <= p->limit && verdict == PROOF_OK; j.n++)
        verdict = proof_do(p, &j, true);
    return verdict;
}

/* Enough elements in each part for a diagnosis. */
static proof_verdict at_telling_size(proof *p, job j)
{
    j.n = proof_few(p, &j);
    return proof_do_near(p, &j, true);
}

static proof_verdict at_usual_sizes(proof *p, job j)
{
    return proof_at_sizes(p, j, false, true);
}

/* Inaccessible pages beside the buffers of each part, three runs, and one buffer for input and
 * output, at a few tiles. */
static proof_verdict on_special_buffers(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    enum { FEW_RUNS = 3 };
    j.n = proof_few(p, &j);
    j.run.repeat = FEW_RUNS;
    proof_verdict verdict = proof_do_near(p, &j, true);
    for (uint32_t f = FENCE_FRONT; !plugin->device_memory && f < FENCE_COUNT; f++) {
        j.run.fence = f;
        verdict = verdict == PROOF_OK ? proof_do_near(p, &j, true) : verdict;
    }
    j.run.fence = FENCE_NONE;
    j.run.in_place = 1;
    if (verdict == PROOF_OK && plugin->flags & SCAN_FLAG_IN_PLACE)
        verdict = proof_do_near(p, &j, true);
    return verdict;
}

/* Other buffers and other instances beside them. */
static proof_verdict with_others(proof *p, job j)
{
    static const uint32_t behaviours[] = {BEHAVE_BUFFERS, BEHAVE_INSTANCES};
    proof_verdict verdict = PROOF_OK;
    j.mode = JOB_BEHAVE;
    j.n = proof_few(p, &j);
    for (size_t i = 0; i < 2 && verdict == PROOF_OK; i++) {
        j.behave.behaviour = behaviours[i];
        verdict = proof_do_near(p, &j, true);
    }
    return verdict;
}

/* The most parts that it takes, some of which may be empty; unless --parts says how many. */
static proof_verdict at_most_parts(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    const int at = proof_parts_index(plugin);
    int64_t most = DEFAULT_MOST;
    for (int64_t k = DEFAULT_MOST + 1; k <= PROOF_PARTS; k++)
        most = tunable_info_allows(&plugin->tunables[at], k) ? k : most;
    if (plugin->device_memory || most == DEFAULT_MOST || settings_find(p->s, SCAN_PARTS_TUNABLE))
        return PROOF_OK;
    j.tunables[at] = most;
    return at_telling_size(p, j);
}

/* Is every part done when run returns? The most parts have the most to wait for. */
static proof_verdict waits_for_parts(proof *p, job j)
{
    enum { LOOKS = 3 };
    int64_t counts[PROOF_PARTS];
    const size_t count = proof_parts_counts(p, counts);
    proof_verdict verdict = PROOF_OK;
    p->refused = true;
    for (size_t i = count; i > 0 && p->refused && verdict == PROOF_OK; i--) {
        job one = j;
        one.tunables[proof_parts_index(p->session->plugin)] = counts[i - 1];
        one.mode = JOB_BEHAVE;
        one.behave.behaviour = BEHAVE_WAITS;
        one.run.repeat = LOOKS;
        one.n = proof_few(p, &one);
        verdict = proof_do_near(p, &one, true);
    }
    return verdict;
}

/* The ends of every other tunable. */
static proof_verdict at_other_settings(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < plugin->tunable_count && verdict == PROOF_OK; i++) {
        const tunable_info *t = &plugin->tunables[i];
        const int64_t least = proof_smallest(t, INT64_MIN);
        if ((int)i == proof_parts_index(plugin) || t->flags & SCAN_TUNABLE_THREADS ||
            least == t->default_value)
            continue;
        job other = j;
        other.tunables[i] = least;
        verdict = proof_at_sizes(p, other, false, true);
    }
    return verdict;
}

static proof_verdict test_parts(proof *p, job j)
{
    static const proof_subtest tests[] = {at_telling_size,    at_small_sizes, at_usual_sizes,
                                          on_special_buffers, with_others,    at_other_settings};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof tests / sizeof *tests && verdict == PROOF_OK; i++)
        verdict = with_each_count(p, j, tests[i]);
    if (verdict == PROOF_OK)
        verdict = at_most_parts(p, j);
    return verdict == PROOF_OK ? waits_for_parts(p, j) : verdict;
}

/* Skips the claim if nothing ran in several parts: they were refused, or not asked for. */
static proof_verdict reached_parts(proof *p, proof_verdict verdict)
{
    const plugin_info *plugin = p->session->plugin;
    const int at = proof_parts_index(plugin);
    const char *hint = plugin->in_ranks ? "; --parts 1,2,3 starts ranks" : "";
    if (verdict != PROOF_OK || (p->jobs > 0 && p->reach->settings[at].greatest > 1))
        return verdict;
    p->refused = false;
    if (p->jobs == 0 && p->own.refused == 0)
        return proof_skip(p, "it takes none of the numbers of parts that --parts names");
    return proof_skip(p, "%s%s%s%s",
                      p->jobs > 0 ? "right in 1 part, but nothing ran in more" : "nothing ran",
                      p->own.refused > 0 ? "; refused: " : "", p->own.refusal, hint);
}

proof_verdict proof_test_parts(proof *p)
{
    return reached_parts(p, proof_with_telling_types(p, test_parts, NULL));
}
