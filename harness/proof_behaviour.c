#include "proof_claims.h"

/* One behaviour, on one type and operator. */
static proof_verdict test_behaviour(proof *p, job j, job_behaviour behaviour)
{
    j.mode = JOB_BEHAVE;
    j.behaviour = (uint32_t)behaviour;
    while (j.kind + 1 < SCAN_KIND_COUNT && !proof_wants_kind(p, j.kind))
        j.kind++;
    return proof_do(p, &j, false);
}

/* Some tiles and a bit, with the first type and operator. false if there is none. */
static bool some_tiles(const proof *p, job *j_p)
{
    uint32_t dtype, op;
    if (!proof_first_op(p, &dtype, &op))
        return false;
    job j = proof_job(p, dtype, op, 0);
    const uint64_t n = 3 + 5 * (uint64_t)proof_tunable(p, &j, "block", 256) *
                               (uint64_t)proof_tunable(p, &j, "vt", 1);
    j.pattern = proof_exact(dtype, op);
    j.n = n < p->limit ? n : p->limit;
    *j_p = j;
    return true;
}

#define CLAIM(name, behaviour)                                                 \
    proof_verdict claim_##name(proof *p, uint32_t dtype, uint32_t op)          \
    {                                                                          \
        job j;                                                                 \
        (void)dtype;                                                           \
        (void)op;                                                              \
        return some_tiles(p, &j) ? test_behaviour(p, j, behaviour) : PROOF_OK; \
    }

CLAIM(rebuild, BEHAVE_REBUILD)
CLAIM(instances, BEHAVE_INSTANCES)
CLAIM(buffers, BEHAVE_BUFFERS)
CLAIM(manners, BEHAVE_MANNERS)
CLAIM(starved, BEHAVE_STARVED)
CLAIM(heap, BEHAVE_HEAP)
CLAIM(records, BEHAVE_RECORDS)

/* Where the order of additions shows: sums of floats, if the plugin has them. */
proof_verdict claim_twice(proof *p, uint32_t dtype, uint32_t op)
{
    static const uint32_t floats[][2] = {{SCAN_DTYPE_F32, SCAN_OP_SUM},
                                         {SCAN_DTYPE_F64, SCAN_OP_SUM},
                                         {SCAN_DTYPE_F32X2, SCAN_OP_AFFINE}};
    const catalog_plugin *plugin = p->lane->plugin;
    enum { N = 100003 };
    if (!proof_first_op(p, &dtype, &op))
        return PROOF_OK;
    for (size_t i = sizeof floats / sizeof *floats; i-- > 0;)
        if (plugin->dtypes & SCAN_BIT(floats[i][0]) && plugin->ops & SCAN_BIT(floats[i][1])) {
            dtype = floats[i][0];
            op = floats[i][1];
        }
    job j = proof_job(p, dtype, op, 0);
    j.pattern = INPUT_RANDOM;
    j.n = N < p->limit ? N : p->limit;
    return test_behaviour(p, j, BEHAVE_TWICE);
}

/* On a device, long enough that what is still to be done shows. */
proof_verdict claim_waits(proof *p, uint32_t dtype, uint32_t op)
{
    enum { ON_HOST = 65539, TIMES = 8 };
    if (!proof_first_op(p, &dtype, &op))
        return PROOF_OK;
    job j = proof_job(p, dtype, op, 0);
    j.pattern = proof_exact(dtype, op);
    j.n = ON_HOST < p->limit ? ON_HOST : p->limit;
    if (p->lane->plugin->device_memory)
        j.n = TIMES * p->limit;
    return test_behaviour(p, j, BEHAVE_WAITS);
}
