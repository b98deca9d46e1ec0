/*
 * claims_accuracy.c - the claim about what a plugin promises with its tunable "accurate": sums of
 * floats within one unit in the last place, and the same bits again
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

/* Of an array, and of rows and columns where it takes those. */
static proof_verdict at_shapes(proof *p, job j)
{
    static const struct {
        uint32_t flag;
        uint64_t rows, inner;
    } shapes[] = {{0, 1, 1}, {SCAN_FLAG_ROWS, 13, 1}, {SCAN_FLAG_INNER, 1, 5}};
    const uint64_t n = j.n;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !proof_is_over(verdict); i++) {
        j.n = n / (shapes[i].rows * shapes[i].inner);
        j.rows = shapes[i].rows;
        j.inner = shapes[i].inner;
        if ((shapes[i].flag & ~p->session->plugin->flags) == 0)
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

/* At the sizes of `sizes`, at the limit, in other settings and buffers, and again and again. */
static proof_verdict test_type(proof *p, job j)
{
    proof_verdict verdict = proof_at_sizes(p, j, true, true);
    j.n = p->limit;
    if (!proof_is_over(verdict))
        verdict = at_shapes(p, j);
    j.n = proof_few(p, &j);
    if (!proof_is_over(verdict))
        verdict = proof_at_other_settings(p, &j);
    if (!proof_is_over(verdict))
        verdict = in_other_buffers(p, &j);
    j.mode = JOB_BEHAVE;
    j.behave.behaviour = BEHAVE_SAME_BITS;
    return proof_is_over(verdict) ? verdict : at_shapes(p, j);
}

proof_verdict proof_test_accurate(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    const int at = tunable_info_index(plugin, SCAN_ACCURATE_TUNABLE);
    proof_verdict verdict = PROOF_OK;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT && !proof_is_over(verdict); dtype++) {
        job j = proof_job(p, dtype, SCAN_OP_SUM, 0);
        j.run.pattern = INPUT_RANDOM;
        j.tunables[at] = 1;
        while (j.kind < SCAN_KIND_COUNT && !proof_wants_kind(p, &j, j.kind))
            j.kind++;
        if (op_rounds(SCAN_OP_SUM, dtype) && j.kind < SCAN_KIND_COUNT)
            verdict = test_type(p, j);
    }
    if (proof_is_over(verdict) || p->jobs > 0)
        return proof_is_over(verdict) ? verdict : PROOF_OK;
    return p->own.refused > 0 ? proof_skip(p, "accurate=1 is refused: %s", p->own.refusal)
                              : proof_skip(p, "needs sums of floats, which are not declared or not "
                                              "asked for");
}
