/*
 * claims_parts.c - the claim about problems in several parts: tries numbers of parts, and with them
 * sizes, settings and buffers
 */
#include "proof/claim.h"

#include "scan_parts.h"

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

/* How each number of parts is tried. */
typedef proof_verdict (*parts_test)(proof *p, job j);

static proof_verdict with_each_count(proof *p, job j, parts_test test)
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
    uint64_t sizes[PROOF_SPREAD];
    proof_spread(p, &j, sizes);
    j.n = sizes[0];
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
    uint64_t sizes[PROOF_SPREAD];
    enum { FEW_RUNS = 3 };
    proof_spread(p, &j, sizes);
    j.n = sizes[0];
    j.repeat = FEW_RUNS;
    proof_verdict verdict = proof_do_near(p, &j, true);
    for (uint32_t f = FENCE_FRONT; !plugin->device_memory && f < FENCE_COUNT; f++) {
        j.fence = f;
        verdict = verdict == PROOF_OK ? proof_do_near(p, &j, true) : verdict;
    }
    j.fence = FENCE_NONE;
    j.in_place = 1;
    if (verdict == PROOF_OK && plugin->flags & SCAN_FLAG_IN_PLACE)
        verdict = proof_do_near(p, &j, true);
    return verdict;
}

/* Other buffers and other instances beside them. */
static proof_verdict with_others(proof *p, job j)
{
    static const uint32_t behaviours[] = {BEHAVE_BUFFERS, BEHAVE_INSTANCES};
    uint64_t sizes[PROOF_SPREAD];
    proof_verdict verdict = PROOF_OK;
    proof_spread(p, &j, sizes);
    j.mode = JOB_BEHAVE;
    j.n = sizes[0];
    for (size_t i = 0; i < 2 && verdict == PROOF_OK; i++) {
        j.behaviour = behaviours[i];
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
    int64_t counts[PROOF_PARTS];
    const size_t count = proof_parts_counts(p, counts);
    uint64_t sizes[PROOF_SPREAD];
    proof_verdict verdict = PROOF_OK;
    p->refused = true;
    for (size_t i = count; i > 0 && p->refused && verdict == PROOF_OK; i--) {
        job one = j;
        one.tunables[proof_parts_index(p->session->plugin)] = counts[i - 1];
        proof_spread(p, &one, sizes);
        one.mode = JOB_BEHAVE;
        one.behaviour = BEHAVE_WAITS;
        one.n = sizes[0];
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

static proof_verdict test_parts(proof *p, job j, const void *context)
{
    static const parts_test tests[] = {at_telling_size,    at_small_sizes, at_usual_sizes,
                                       on_special_buffers, with_others,    at_other_settings};
    proof_verdict verdict = PROOF_OK;
    (void)context;
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
    return reached_parts(p, proof_with_telling_types(p, &(proof_subtest){test_parts, NULL}));
}
