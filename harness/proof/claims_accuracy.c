/*
 * claims_accuracy.c - the claim about what a plugin promises with its tunable "accurate": sums of
 * floats within one unit in the last place, and the same bits again; all else as without
 *
 * Whoever compares an output in that setting holds it to the promise (REFERENCE_ACCURATE), so here
 * it is only a matter of what is run: random values, whose sums round.
 */
#include "problem/op.h"
#include "proof/claim.h"

#include <string.h>

/* Every kind of code that may be of its own: other values of each other tunable. */
proof_verdict proof_at_other_settings(proof *p, const job *j)
{
    enum { MOST_VALUES = 16 };
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < plugin->tunable_count; i++) {
        const tunable_info *t = &plugin->tunables[i];
        const size_t count = t->values ? proof_at_most(t->value_count, MOST_VALUES) : PROOF_SOME;
        for (size_t v = 0; v < count && !proof_is_over(verdict); v++) {
            job one = *j;
            one.tunables[i] = t->values ? t->values[v] : proof_some_value(p, t, v);
            if (one.tunables[i] != j->tunables[i] && strcmp(t->name, SCAN_ACCURATE_TUNABLE) != 0)
                verdict = proof_do_near(p, &one, true);
        }
    }
    return verdict;
}

/* Of an array, and of rows and columns where it takes those: few and many, which may be scanned in
 * other ways. */
static proof_verdict at_shapes(proof *p, job j)
{
    static const struct {
        uint32_t flags;
        uint64_t rows, inner;
    } shapes[] = {{0, 1, 1},
                  {SCAN_FLAG_ROWS, 13, 1},
                  {SCAN_FLAG_ROWS, 301, 1},
                  {SCAN_FLAG_INNER, 1, 5},
                  {SCAN_FLAG_INNER, 1, 131},
                  {SCAN_FLAG_ROWS | SCAN_FLAG_INNER, 3, 7}};
    const uint64_t n = j.n;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !proof_is_over(verdict); i++) {
        j.n = n / (shapes[i].rows * shapes[i].inner);
        j.rows = shapes[i].rows;
        j.inner = shapes[i].inner;
        if ((shapes[i].flags & ~p->session->plugin->flags) == 0)
            verdict = proof_do_near(p, &j, true);
    }
    return verdict;
}

/* Beside inaccessible pages, misaligned and in place: loads and stores may be others, too. */
static proof_verdict in_other_buffers(proof *p, const job *j)
{
    const plugin_info *plugin = p->session->plugin;
    const job buffers[] = {{.run.fence = FENCE_BEHIND},
                           {.run.fence = FENCE_FRONT},
                           {.run.misalign = 1, .run.misalign_out = 1},
                           {.run.in_place = (plugin->flags & SCAN_FLAG_IN_PLACE) != 0}};
    const uint64_t sizes[] = {1, 7, 33, j->n};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 16 && !plugin->device_memory && !proof_is_over(verdict); i++) {
        job one = *j;
        one.run = buffers[i / 4].run;
        one.run.pattern = j->run.pattern;
        one.run.repeat = 1;
        one.n = proof_at_most(sizes[i % 4], p->limit);
        verdict = proof_do_near(p, &one, true);
    }
    return verdict;
}

/* Sums of f32 in f64 are as good at any n; others may end to be. Of many elements, unless fewer are
 * asked for. */
static proof_verdict at_large_n(proof *p, job j)
{
    const uint64_t most = p->session->plugin->max_n;
    j.n = 11 << 20;
    return p->limit < OPTIONS_MAX_N || (most > 0 && most < j.n) ? PROOF_OK : proof_do(p, &j, true);
}

/* At the sizes of `sizes`, at the limit and beyond, in other settings and buffers, and again and
 * again. */
static proof_verdict test_type(proof *p, job j)
{
    proof_verdict verdict = proof_at_sizes(p, j, true, true);
    j.n = p->limit;
    if (!proof_is_over(verdict))
        verdict = at_shapes(p, j);
    if (!proof_is_over(verdict))
        verdict = at_large_n(p, j);
    j.n = proof_few(p, &j);
    if (!proof_is_over(verdict))
        verdict = proof_at_other_settings(p, &j);
    if (!proof_is_over(verdict))
        verdict = in_other_buffers(p, &j);
    j.mode = JOB_BEHAVE;
    j.behave.behaviour = BEHAVE_SAME_BITS;
    return proof_is_over(verdict) ? verdict : at_shapes(p, j);
}

static int accurate_index(const proof *p)
{
    return tunable_info_index(p->session->plugin, SCAN_ACCURATE_TUNABLE);
}

/* Sums in each type of results that is wider than j's and asked for: at the limit. */
static proof_verdict in_wider_results(proof *p, job j)
{
    uint32_t results[SETTINGS_RESULTS];
    const size_t count = settings_results(p->s, j.dtype, results);
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && !proof_is_over(verdict); i++) {
        j.result = results[i];
        j.n = p->limit;
        if (results[i] && plugin_info_widens(p->session->plugin, j.dtype, results[i]))
            verdict = at_shapes(p, j);
    }
    return verdict;
}

/* What is exact anyway is the same at 1. */
static proof_verdict as_exact(proof *p, job j)
{
    j.n = proof_few(p, &j);
    j.tunables[accurate_index(p)] = 1;
    return at_shapes(p, j);
}

proof_verdict proof_test_accurate(proof *p)
{
    const int at = accurate_index(p);
    proof_verdict verdict = PROOF_OK;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT && !proof_is_over(verdict); dtype++) {
        job j = proof_job(p, dtype, SCAN_OP_SUM, 0);
        j.run.pattern = INPUT_RANDOM;
        j.tunables[at] = 1;
        while (j.kind < SCAN_KIND_COUNT && !proof_wants_kind(p, &j, j.kind))
            j.kind++;
        if (op_rounds(SCAN_OP_SUM, dtype) && j.kind < SCAN_KIND_COUNT)
            verdict = test_type(p, j);
        if (op_rounds(SCAN_OP_SUM, dtype) && j.kind < SCAN_KIND_COUNT && !proof_is_over(verdict))
            verdict = in_wider_results(p, j);
    }
    if (!proof_is_over(verdict) && p->jobs > 0)
        verdict = proof_with_each_pair(p, as_exact, NULL);
    if (proof_is_over(verdict) || p->jobs > 0)
        return proof_is_over(verdict) ? verdict : PROOF_OK;
    return p->own.refused > 0 ? proof_skip(p, "accurate=1 is refused: %s", p->own.refusal)
                              : proof_skip(p, "needs sums of floats, which are not declared or not "
                                              "asked for");
}
