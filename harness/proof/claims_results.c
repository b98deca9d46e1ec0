/*
 * claims_results.c - the claim about results wider than the input
 *
 * What holds where both have one type says little here: elements are converted on their way, so
 * loads and stores differ in width, and sums are made in another type. So each pair that a plugin
 * declares is held to what other claims ask of plain types: every operator at some sizes, patterns
 * and tails, the first one at many, and in other buffers.
 */
#include "proof/claim.h"

/* j's elements in the pattern with the most bits that stays exact in the type of the result. */
static job with_pattern(job j)
{
    input_spec spec = job_input(&j, input_default(j.op));
    j.run.pattern = input_is_exact(&spec) ? spec.pattern : INPUT_EXACT;
    return j;
}

/* With j's n or nearby, and at many sizes if that is asked for: other buffers, which a host has,
 * beside inaccessible pages or misaligned by an element each. */
static proof_verdict in_other_buffers(proof *p, job j, bool many)
{
    const uint32_t in = (uint32_t)dtype_bytes(j.dtype);
    const uint32_t out = (uint32_t)dtype_bytes(job_result_type(&j));
    const job buffers[] = {{.run.fence = FENCE_BEHIND},
                           {.run.fence = FENCE_FRONT},
                           {.run.misalign = in, .run.misalign_out = out},
                           {.run.misalign = in},
                           {.run.misalign_out = out}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !proof_is_over(verdict); i++) {
        job one = j;
        one.run = buffers[i].run;
        one.run.pattern = j.run.pattern;
        one.run.repeat = 1;
        verdict = many ? proof_do_small_sizes(p, one) : proof_do_near(p, &one, true);
        if (many && !proof_is_over(verdict))
            verdict = proof_at_sizes(p, one, false, true);
    }
    return verdict;
}

/* What it does besides its answers: all of it for the first operator of a pair on a host, little
 * for the others; of a device only what needs the answers. */
static proof_verdict besides_answers(proof *p, job j)
{
    enum { ON_DEVICE = 2, OF_OTHERS = 4 };
    static const job_behaviour behaviours[] = {BEHAVE_BUFFERS, BEHAVE_INSTANCES, BEHAVE_INPUT,
                                               BEHAVE_HEAP,    BEHAVE_PLACES,    BEHAVE_PROCESS,
                                               BEHAVE_LEAKS,   BEHAVE_NO_MEMORY};
    const plugin_info *plugin = p->session->plugin;
    const size_t all = sizeof behaviours / sizeof *behaviours;
    const size_t count = plugin->device_memory ? ON_DEVICE : p->brief ? OF_OTHERS : all;
    proof_verdict verdict = PROOF_OK;
    j.run.repeat = 1;
    j.mode = JOB_BEHAVE;
    for (size_t i = 0; i < count && !proof_is_over(verdict); i++) {
        const proof_claim *claim = proof_about(behaviours[i]);
        j.behave.behaviour = behaviours[i];
        if (!claim || proof_applies(claim, plugin))
            verdict = proof_do_near(p, &j, true);
    }
    return verdict;
}

/* Of many scans, where they are taken. */
static proof_verdict in_shapes(proof *p, job j)
{
    enum { DRAWN = 6, BITS = 14 };
    static const struct {
        uint32_t flags;
        uint64_t rows, n, inner;
    } shapes[] = {{SCAN_FLAG_ROWS, 2, 2, 1},
                  {SCAN_FLAG_ROWS, 3, 7, 1},
                  {SCAN_FLAG_ROWS, 5, 33, 1},
                  {SCAN_FLAG_ROWS, 37, 100, 1},
                  {SCAN_FLAG_ROWS, 3, 1025, 1},
                  {SCAN_FLAG_ROWS, 1031, 13, 1},
                  {SCAN_FLAG_ROWS, 2, 5000, 1},
                  {SCAN_FLAG_ROWS, 65537, 1, 1},
                  {SCAN_FLAG_ROWS, 7, 4099, 1},
                  {SCAN_FLAG_ROWS, 2, 20011, 1},
                  {SCAN_FLAG_ROWS, 64, 32, 1},
                  {SCAN_FLAG_ROWS, 9, 257, 1},
                  {SCAN_FLAG_INNER, 1, 2, 2},
                  {SCAN_FLAG_INNER, 1, 7, 3},
                  {SCAN_FLAG_INNER, 1, 100, 33},
                  {SCAN_FLAG_INNER, 1, 9, 129},
                  {SCAN_FLAG_INNER, 1, 3, 1025},
                  {SCAN_FLAG_INNER, 1, 1025, 2},
                  {SCAN_FLAG_INNER, 1, 4099, 7},
                  {SCAN_FLAG_INNER, 1, 65, 64},
                  {SCAN_FLAG_ROWS | SCAN_FLAG_INNER, 3, 33, 5},
                  {SCAN_FLAG_ROWS | SCAN_FLAG_INNER, 2, 2049, 3}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !proof_is_over(verdict); i++) {
        j.rows = shapes[i].rows;
        j.n = shapes[i].n;
        j.inner = shapes[i].inner;
        if ((shapes[i].flags & ~p->session->plugin->flags) == 0 && job_elements(&j) <= p->limit)
            verdict = proof_do(p, &j, true);
    }
    for (int columns = 0; columns < 2 && !proof_is_over(verdict); columns++)
        if (p->session->plugin->flags & (columns ? SCAN_FLAG_INNER : SCAN_FLAG_ROWS))
            verdict = proof_at_drawn_shapes(p, j, columns, DRAWN, BITS);
    return verdict;
}

/* Sums of integers that leave what another type holds, or is exact in: f32, 32 bits, or f64. Each
 * of these is passed on the way to the greatest that some millions of the greatest elements reach:
 * of i8 and u8 2^24, of i16 and u16 the ends of 32 bits, of i32 and u32 2^53. Before that, many
 * elements that are all at the end of their type, of which fewer overflow parts of a word. */
static proof_verdict in_long_sums(proof *p, job j)
{
    enum { OF_F32 = 24, OF_WORD = 32, OF_F64 = 53, MORE = 16, MOST = 9 << 19, ALIKE = 65539 };
    const bool copies = p->session->plugin->role == SCAN_ROLE_CEILING;
    const dtype_info *type = dtype_get(j.dtype);
    const unsigned sign = type->is_signed ? 1 : 0;
    const unsigned ends[] = {OF_F64, OF_WORD - sign, OF_F32};
    const uint64_t most = p->limit == OPTIONS_MAX_N ? MOST : p->limit;
    if (copies || !dtype_is_integer(j.dtype) || op_gives(j.op) != OP_ADDS)
        return PROOF_OK;
    j.run.pattern = INPUT_EXTREMES;
    j.n = proof_at_most(ALIKE, p->limit);
    const proof_verdict verdict = proof_do_near(p, &j, true);
    if (proof_is_over(verdict))
        return verdict;
    j.run.pattern = INPUT_GROWING;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const uint64_t n = UINT64_C(1) << (ends[i] - (type->bits - sign));
        j.n = n + n / MORE;
        if (j.n <= most)
            return proof_do_near(p, &j, true);
    }
    return PROOF_OK;
}

/* At some sizes, on all patterns and in many scans, in j's kind. */
static proof_verdict test_kind(proof *p, job j)
{
    const bool copies = p->session->plugin->role == SCAN_ROLE_CEILING;
    proof_verdict verdict = proof_at_sizes(p, j, !p->brief, true);
    if (copies || proof_is_over(verdict))
        return verdict;
    job few = j;
    few.n = proof_few(p, &j);
    verdict = proof_do_patterns(p, few, false);
    return proof_is_over(verdict) ? verdict : in_shapes(p, j);
}

/* Not as far as plain types are: how a vector is converted depends on less. */
static proof_verdict at_remainders(proof *p, job j)
{
    enum { FAR = 1 << 17 };
    const uint64_t limit = p->limit;
    p->limit = proof_at_most(FAR, limit);
    const proof_verdict verdict = proof_do_remainders(p, j);
    p->limit = limit;
    return verdict;
}

/* In other settings, buffers and runs than the first ones; and where sums are long. */
static proof_verdict in_other_ways(proof *p, job j)
{
    proof_verdict verdict = in_long_sums(p, j);
    j.n = proof_few(p, &j);
    if (!proof_is_over(verdict))
        verdict = proof_at_other_settings(p, &j);
    if (!proof_is_over(verdict))
        verdict = in_other_buffers(p, j, true);
    j.run.repeat = 3;
    if (!proof_is_over(verdict))
        verdict = proof_do_near(p, &j, true);
    return proof_is_over(verdict) ? verdict : besides_answers(p, j);
}

/* The same of an operator that is not the first one. */
static proof_verdict in_brief(proof *p, job j)
{
    j.n = proof_few(p, &j);
    const proof_verdict verdict = in_other_buffers(p, j, false);
    return proof_is_over(verdict) ? verdict : besides_answers(p, j);
}

/* Each operator that is asked for in each kind, the first one in full. */
static proof_verdict test_pair(proof *p, uint32_t dtype, uint32_t result)
{
    const bool copies = p->session->plugin->role == SCAN_ROLE_CEILING;
    proof_verdict verdict = PROOF_OK;
    for (uint32_t op = 0; op < SCAN_OP_COUNT && !proof_is_over(verdict); op++) {
        bool is_first = true;
        job j = proof_job(p, dtype, op, 0);
        j.result = result;
        j = with_pattern(j);
        for (; j.kind < SCAN_KIND_COUNT && !proof_is_over(verdict); j.kind++) {
            if (!proof_wants_kind(p, &j, j.kind))
                continue;
            verdict = test_kind(p, j);
            if (is_first && !copies && !proof_is_over(verdict))
                verdict = at_remainders(p, j);
            if (is_first && !proof_is_over(verdict))
                verdict = p->brief ? in_brief(p, j) : in_other_ways(p, j);
            is_first = false;
            p->brief = true;
        }
    }
    p->brief = false;
    return verdict;
}

proof_verdict proof_test_results(proof *p)
{
    proof_verdict verdict = PROOF_OK;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++) {
        uint32_t results[SETTINGS_RESULTS];
        const size_t count = settings_results(p->s, dtype, results);
        for (size_t i = 0; i < count && !proof_is_over(verdict); i++)
            if (results[i] && plugin_info_widens(p->session->plugin, dtype, results[i]))
                verdict = test_pair(p, dtype, results[i]);
    }
    if (proof_is_over(verdict) || p->jobs > 0)
        return proof_is_over(verdict) ? verdict : PROOF_OK;
    return p->own.refused > 0
               ? proof_skip(p, "wider results are refused: %s", p->own.refusal)
               : proof_skip(p, "needs a wider result that is asked for (--types, --results, --ops, "
                               "--kinds)");
}
