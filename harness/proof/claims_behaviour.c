/*
 * claims_behaviour.c - the claims about what a plugin does besides its answers; each tests one
 * behaviour of job.h
 */
#include "proof/claim.h"

/* A behaviour to test, at n elements. */
typedef struct behaviour_test {
    job_behaviour behaviour;
    uint64_t n; /* 0: those of proof_spread */
} behaviour_test;

static uint64_t at_most(uint64_t n, uint64_t limit)
{
    return n < limit ? n : limit;
}

/* An algorithm may choose its method by n. The others cost much and depend little on n, or not on
 * its tiles. */
static bool depends_on_size(job_behaviour behaviour)
{
    return behaviour == BEHAVE_BUFFERS || behaviour == BEHAVE_INSTANCES ||
           behaviour == BEHAVE_INPUT || behaviour == BEHAVE_HEAP || behaviour == BEHAVE_SAME_BITS ||
           behaviour == BEHAVE_WAITS;
}

static proof_verdict do_behaviour(proof *p, job j, const void *context)
{
    const behaviour_test *test = context;
    j.mode = JOB_BEHAVE;
    j.behaviour = (uint32_t)test->behaviour;
    uint64_t sizes[PROOF_SPREAD] = {test->n};
    size_t count = test->n > 0 ? 1 : proof_spread(p, &j, sizes);
    count = count > 2 && !depends_on_size(test->behaviour) ? 2 : count;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.n = sizes[i];
        verdict = proof_do_near(p, &j, false);
    }
    if (verdict == PROOF_SKIPPED && p->jobs > 0)
        verdict = PROOF_OK; /* a larger n was refused, or there is no memory for it */
    return proof_reached_tile(p, verdict, &j);
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
    const behaviour_test test = {BEHAVE_SAME_BITS, proof_is_tuned(p) ? at_most(N, p->limit) : 0};
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

/* On a device, n is large enough that unfinished work takes measurable time. */
proof_verdict proof_test_waits(proof *p)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    const bool shares_memory = p->session->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
    uint64_t n = (shares_memory ? 1 : TIMES) * p->limit;
    n = at_most(n, plugin->max_n ? plugin->max_n : UINT64_MAX);
    if (reach_is_slow(p->reach, n))
        n = p->reach->slow_n;
    return test_behaviour(p, BEHAVE_WAITS, plugin->device_memory ? n : 0);
}
