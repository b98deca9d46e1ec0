/*
 * claims_variants.c - the claims about answers under special conditions: repetitions and
 * buffers
 */
#include "proof/claim.h"

#include "problem/guard.h"
#include "system/clock.h"

/* Tests the sizes again with other buffers or another number of runs. */
static proof_verdict test_special(proof *p, job j, const void *context)
{
    const job *special = context;
    /* Misalign by whole elements: C requires arrays to be aligned for their type. */
    const uint32_t element = (uint32_t)dtype_bytes(j.dtype);
    j.in_place = special->in_place;
    j.misalign = special->misalign * element;
    j.misalign_out = special->misalign_out * element;
    j.fence = special->fence;
    j.repeat = special->repeat;
    return proof_reached_tile(p, proof_at_sizes(p, j, false, false), &j);
}

static proof_verdict test_variant(proof *p, const job *special)
{
    return proof_with_telling_types(p, &(proof_subtest){test_special, special});
}

/* Does j also fail without the inaccessible page, on buffers that are aligned as poorly? Then it
 * needs alignment, which is another claim. */
static bool needs_alignment(proof *p, job j)
{
    enum { LINE = 64 };
    job_result r;
    const size_t shift = guarded_end_misalign((size_t)j.n * dtype_bytes(j.dtype)) % LINE;
    j.fence = FENCE_NONE;
    j.misalign = j.misalign_out = (uint32_t)shift;
    return session_run_job(p->session, &j, &(session_listener){0}, &r) && r.status != ROW_OK;
}

static proof_verdict test_fence(proof *p, job_fence fence)
{
    const proof_verdict verdict = test_variant(p, &(job){.fence = fence, .repeat = 1});
    if (verdict == PROOF_FAILED && p->failure.has_job && needs_alignment(p, p->failure.job))
        return proof_skip(p, "it needs aligned buffers, or is wrong without these pages too");
    return verdict;
}

/* Inaccessible pages on one side of the buffers, then on the other, where n decides how they are
 * aligned. */
proof_verdict proof_test_bounds(proof *p)
{
    const proof_verdict verdict = test_fence(p, FENCE_BEHIND);
    return verdict == PROOF_OK ? test_fence(p, FENCE_FRONT) : verdict;
}

/* Many runs on one instance, as many as take some seconds. */
static proof_verdict run_many(proof *p, job *j)
{
    enum { MANY = 300, FEW = 3 };
    const double most_ns = 3e9, start = clock_now_ns();
    j->repeat = FEW;
    const proof_verdict verdict = proof_do_near(p, j, false);
    const double each_ns = (clock_now_ns() - start) / FEW;
    j->repeat = each_ns * MANY < most_ns ? MANY : (uint32_t)(most_ns / each_ns) + 1;
    return verdict == PROOF_OK ? proof_do_near(p, j, false) : verdict;
}

/* At a small n and at a few tiles. */
static proof_verdict test_many(proof *p, job j, const void *context)
{
    enum { SMALL = 7 };
    uint64_t sizes[PROOF_SPREAD];
    (void)context;
    proof_spread(p, &j, sizes);
    j.n = SMALL < p->limit ? SMALL : p->limit;
    const proof_verdict verdict = run_many(p, &j);
    j.n = sizes[0];
    return verdict == PROOF_OK ? run_many(p, &j) : verdict;
}

/* More runs than a counter of 16 bits can tell apart, as far as the time goes. */
static proof_verdict test_wraps(proof *p, job j, const void *context)
{
    enum { RUNS = (1 << 16) + 64 };
    uint64_t sizes[PROOF_SPREAD];
    (void)context;
    proof_spread(p, &j, sizes);
    j.mode = JOB_BEHAVE;
    j.behaviour = BEHAVE_WRAPS;
    j.repeat = RUNS;
    j.time_limit_s = 1.0;
    j.n = sizes[0];
    return proof_do_near(p, &j, false);
}

/* A few runs at each size, and many at a small one, which find counters that are too narrow and
 * tags that repeat. */
proof_verdict proof_test_repeat(proof *p)
{
    enum { FEW = 3 };
    const proof_verdict verdict = test_variant(p, &(job){.repeat = FEW});
    if (verdict != PROOF_OK)
        return verdict;
    const proof_verdict many =
        proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){test_many, NULL});
    if (many != PROOF_OK)
        return many;
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){test_wraps, NULL});
}

proof_verdict proof_test_in_place(proof *p)
{
    return test_variant(p, &(job){.in_place = 1, .repeat = 2});
}

/* Every place in a cache line for the input and for the output, and all pairs of places in 16
 * bytes. */
static proof_verdict test_places(proof *p, job j, const void *context)
{
    enum { PLACES = 16, IN_VECTOR = 4 };
    const uint32_t element = (uint32_t)dtype_bytes(j.dtype);
    uint64_t sizes[PROOF_SPREAD];
    proof_verdict verdict = PROOF_OK;
    (void)context;
    proof_spread(p, &j, sizes);
    j.n = sizes[0];
    for (uint32_t i = 0; i < PLACES && verdict == PROOF_OK; i++) {
        j.misalign = i * element;
        j.misalign_out = (i / IN_VECTOR + IN_VECTOR * (i % IN_VECTOR)) * element;
        verdict = proof_do_near(p, &j, false);
    }
    return verdict;
}

proof_verdict proof_test_misaligned(proof *p)
{
    static const job alignments[] = {{.misalign = 1, .misalign_out = 1, .repeat = 1},
                                     {.misalign = 1, .repeat = 1},
                                     {.misalign_out = 1, .repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 3 && verdict == PROOF_OK; i++)
        verdict = test_variant(p, &alignments[i]);
    return verdict == PROOF_OK ? proof_with_telling_types(p, &(proof_subtest){test_places, NULL})
                               : verdict;
}
