/*
 * cpu_serial.c - the baseline: one loop over the elements, one accumulator
 *
 *     sum = identity; for each i: y[i] = sum, sum = sum (+) x[i]      (exclusive)
 *
 * n - 1 combinations, n steps: nothing is parallel, and the chain through the accumulator limits it
 * to one latency of the operator per element. It reads and writes each element once, front to back,
 * so input and output may be the same buffer. In f32 it is the least accurate of all orders of
 * summation: the sum of ones stops at 2^24.
 */
#include "cpu_pairs.h"
#include "scan_plugin.h"

#include <math.h>

typedef void scan_loop(const void *in, void *out, uint64_t n);

typedef struct serial {
    const scan_host *host;
    scan_loop *loop;
    uint64_t n;
} serial;

#define LOOPS(name, type, identity, combine)                            \
    static void name##_exclusive(const void *in, void *out, uint64_t n) \
    {                                                                   \
        const type *x = in;                                             \
        type *y = out;                                                  \
        type sum = identity;                                            \
        for (uint64_t i = 0; i < n; i++) {                              \
            const type next = combine;                                  \
            y[i] = sum;                                                 \
            sum = next;                                                 \
        }                                                               \
    }                                                                   \
    static void name##_inclusive(const void *in, void *out, uint64_t n) \
    {                                                                   \
        const type *x = in;                                             \
        type *y = out;                                                  \
        type sum = identity;                                            \
        for (uint64_t i = 0; i < n; i++) {                              \
            sum = combine;                                              \
            y[i] = sum;                                                 \
        }                                                               \
    }

#define LIMIT_LOOPS(word, type, least, greatest)            \
    LOOPS(max_##word, type, least, sum < x[i] ? x[i] : sum) \
    LOOPS(min_##word, type, greatest, x[i] < sum ? x[i] : sum)

/* Signed sums are computed as unsigned: the same bits, and overflow is defined. */
LOOPS(sum_u32, uint32_t, 0, sum + x[i])
LOOPS(sum_u64, uint64_t, 0, sum + x[i])
LOOPS(sum_f32, float, 0, sum + x[i])
LOOPS(sum_f64, double, 0, sum + x[i])
LIMIT_LOOPS(i32, int32_t, INT32_MIN, INT32_MAX)
LIMIT_LOOPS(u32, uint32_t, 0, UINT32_MAX)
LIMIT_LOOPS(i64, int64_t, INT64_MIN, INT64_MAX)
LIMIT_LOOPS(u64, uint64_t, 0, UINT64_MAX)
LIMIT_LOOPS(f32, float, -INFINITY, INFINITY)
LIMIT_LOOPS(f64, double, -(double)INFINITY, (double)INFINITY)
LOOPS(affine_u32, pair_u32, ((pair_u32){1, 0}), join_u32(sum, x[i]))
LOOPS(affine_f32, pair_f32, ((pair_f32){1, 0}), join_f32(sum, x[i]))

#define OP(op) [SCAN_OP_##op]
#define BOTH(dtype, name)                         \
    [SCAN_DTYPE_##dtype] = {                      \
        [SCAN_KIND_EXCLUSIVE] = name##_exclusive, \
        [SCAN_KIND_INCLUSIVE] = name##_inclusive, \
    }
static scan_loop *const loops[SCAN_OP_COUNT][SCAN_DTYPE_COUNT][SCAN_KIND_COUNT] = {
    OP(SUM) = {BOTH(I32, sum_u32), BOTH(U32, sum_u32), BOTH(I64, sum_u64), BOTH(U64, sum_u64),
               BOTH(F32, sum_f32), BOTH(F64, sum_f64)},
    OP(MAX) = {BOTH(I32, max_i32), BOTH(U32, max_u32), BOTH(I64, max_i64), BOTH(U64, max_u64),
               BOTH(F32, max_f32), BOTH(F64, max_f64)},
    OP(MIN) = {BOTH(I32, min_i32), BOTH(U32, min_u32), BOTH(I64, min_i64), BOTH(U64, min_u64),
               BOTH(F32, min_f32), BOTH(F64, min_f64)},
    OP(AFFINE) = {BOTH(U32X2, affine_u32), BOTH(F32X2, affine_f32)},
};

static scan_status serial_create(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    serial *self = host->allocate(host, sizeof *self, _Alignof(serial));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (serial){
        .host = host,
        .loop = loops[problem->op][problem->dtype][problem->kind],
        .n = problem->n,
    };
    *self_p = self;
    return SCAN_OK;
}

static scan_status serial_run(void *instance, scan_buffer in, scan_buffer out)
{
    const serial *self = instance;
    self->loop(scan_host_pointer(in), scan_host_pointer(out), self->n);
    return SCAN_OK;
}

static void serial_destroy(void *instance)
{
    serial *self = instance;
    self->host->release(self->host, self);
}

static const scan_plugin cpu_serial = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_BASELINE,
    .id = "cpu_serial",
    .name = "Serial loop",
    .version = "1.0",
    .summary = "one loop, one accumulator, one core",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE,
    .ops = {SCAN_OPS_1_0},
    .backend = "cpu",
    .create = serial_create,
    .run = serial_run,
    .destroy = serial_destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_serial);
