/*
 * proof_behaviour.c - the claims about what a plugin does besides its answers, each of which
 * is one behaviour of job.h
 */
#include "proof/claim.h"

static proof_verdict do_behaviour(proof *p, job j, job_behaviour behaviour)
{
    j.mode = JOB_BEHAVE;
    j.behaviour = (uint32_t)behaviour;
    while (j.kind + 1 < SCAN_KIND_COUNT && !proof_wants_kind(p, j.kind))
        j.kind++;
    return proof_do(p, &j, false);
}

static uint64_t at_most(uint64_t n, uint64_t limit)
{
    return n < limit ? n : limit;
}

/* With the first type and operator, of at most n elements. */
static bool first_job(const proof *p, uint64_t n, job *j_p)
{
    uint32_t dtype, op;
    if (!proof_first_op(p, &dtype, &op))
        return false;
    job j = proof_job(p, dtype, op, 0);
    j.pattern = proof_exact(dtype, op);
    j.n = at_most(n, p->limit);
    *j_p = j;
    return true;
}

/* Some tiles and a bit. */
proof_verdict proof_test_behaviour(proof *p)
{
    job j;
    if (!first_job(p, 0, &j))
        return PROOF_OK;
    j.n = at_most(3 + 5 * proof_tile_of(p, &j).elements, p->limit);
    return do_behaviour(p, j, (job_behaviour)p->claim->detail);
}

/* Where the order of additions shows: sums of floats, if the plugin has them. */
proof_verdict proof_test_twice(proof *p)
{
    static const uint32_t floats[][2] = {{SCAN_DTYPE_F32, SCAN_OP_SUM},
                                         {SCAN_DTYPE_F64, SCAN_OP_SUM},
                                         {SCAN_DTYPE_F32X2, SCAN_OP_AFFINE}};
    const plugin_info *plugin = p->session->plugin;
    enum { N = 100003 };
    uint32_t dtype, op;
    if (!proof_first_op(p, &dtype, &op))
        return PROOF_OK;
    for (size_t i = sizeof floats / sizeof *floats; i-- > 0;)
        if (plugin->dtypes & SCAN_BIT(floats[i][0]) && plugin->ops & SCAN_BIT(floats[i][1])) {
            dtype = floats[i][0];
            op = floats[i][1];
        }
    job j = proof_job(p, dtype, op, 0);
    j.pattern = INPUT_RANDOM;
    j.n = at_most(N, p->limit);
    return do_behaviour(p, j, BEHAVE_TWICE);
}

enum { ON_HOST = 65539 };

/* So long that an algorithm that changes with n is at its large end. */
proof_verdict proof_test_heap(proof *p)
{
    job j;
    return first_job(p, ON_HOST, &j) ? do_behaviour(p, j, BEHAVE_HEAP) : PROOF_OK;
}

/* On a device, long enough that what is still to be done shows. */
proof_verdict proof_test_waits(proof *p)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    job j;
    if (!first_job(p, ON_HOST, &j))
        return PROOF_OK;
    if (plugin->device_memory)
        j.n = at_most(TIMES * p->limit, plugin->max_n ? plugin->max_n : UINT64_MAX);
    return do_behaviour(p, j, BEHAVE_WAITS);
}
