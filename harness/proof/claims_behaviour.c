/*
 * claims_behaviour.c - the claims about what a plugin does besides its answers; each tests one
 * behaviour of job.h
 */
#include "proof/claim.h"

/* A behaviour to test, at n elements. */
typedef struct behaviour_test {
    job_behaviour behaviour;
    uint64_t n; /* 0: a few tiles and a tail */
} behaviour_test;

static uint64_t at_most(uint64_t n, uint64_t limit)
{
    return n < limit ? n : limit;
}

static proof_verdict do_behaviour(proof *p, job j, const void *context)
{
    const behaviour_test *test = context;
    j.mode = JOB_BEHAVE;
    j.behaviour = (uint32_t)test->behaviour;
    j.n = test->n ? test->n : at_most(3 + 5 * proof_tile_of(p, &j).elements, p->limit);
    return proof_do(p, &j, false);
}

static proof_verdict test_behaviour(proof *p, job_behaviour behaviour, uint64_t n)
{
    const behaviour_test test = {behaviour, n};
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){do_behaviour, &test});
}

proof_verdict proof_test_behaviour(proof *p)
{
    return test_behaviour(p, (job_behaviour)p->claim->detail, 0);
}

/* Tests float sums if the plugin has them, because they show the order of additions. */
proof_verdict proof_test_same_bits(proof *p)
{
    enum { N = 100003 };
    const behaviour_test test = {BEHAVE_SAME_BITS, at_most(N, p->limit)};
    for (uint32_t i = 0; i < SCAN_DTYPE_COUNT * SCAN_OP_COUNT; i++) {
        const uint32_t dtype = i / SCAN_OP_COUNT, op = i % SCAN_OP_COUNT;
        if (!op_rounds(op, dtype))
            continue;
        job j = proof_job(p, dtype, op, 0);
        while (j.kind + 1 < SCAN_KIND_COUNT && !proof_wants_kind(p, &j, j.kind))
            j.kind++;
        if (!proof_wants_kind(p, &j, j.kind))
            continue;
        j.pattern = INPUT_RANDOM;
        p->refused = false;
        const proof_verdict verdict = do_behaviour(p, j, &test);
        if (verdict != PROOF_SKIPPED || !p->refused)
            return verdict;
    }
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){do_behaviour, &test});
}

enum { ON_HOST = 65539 };

/* n is large enough for algorithms that choose their method by n to use the one for large n. */
proof_verdict proof_test_heap(proof *p)
{
    return test_behaviour(p, BEHAVE_HEAP, at_most(ON_HOST, p->limit));
}

/* On a device, n is large enough that unfinished work takes measurable time. */
proof_verdict proof_test_waits(proof *p)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    uint64_t n = at_most(ON_HOST, p->limit);
    if (plugin->device_memory)
        n = at_most(TIMES * p->limit, plugin->max_n ? plugin->max_n : UINT64_MAX);
    return test_behaviour(p, BEHAVE_WAITS, n);
}
