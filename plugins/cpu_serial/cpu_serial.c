/*
 * cpu_serial.c - the baseline: one loop over the elements, one accumulator
 *
 *     sum = identity; for each i: y[i] = sum, sum = sum (+) x[i]      (exclusive)
 *
 * n - 1 combinations, n steps: nothing is parallel, and the chain through the accumulator limits it
 * to one latency of the operator per element. It reads and writes each element once, front to back,
 * so input and output may be the same buffer. Rows come one after the other; scans that lie side by
 * side have an accumulator each, so memory is read and written in order, too. In f32 it is the
 * least accurate of all orders of summation: the sum of ones stops at 2^24.
 *
 * Where results are wider than the input, an element is converted when it is read.
 */
#include "cpu_pairs.h"
#include "scan_half.h"
#include "scan_plugin.h"

#include <math.h>
#include <stdbool.h>

typedef void scan_loop(const void *in, void *out, uint64_t n);
/* `inner` scans side by side; `sums` has space for as many elements. */
typedef void side_loop(const void *in, void *out, uint64_t n, uint64_t inner, void *sums);

typedef struct loop_pair {
    scan_loop *one;
    side_loop *side;
} loop_pair;

typedef struct serial {
    const scan_host *host;
    loop_pair loops;
    uint64_t rows, n, inner;
    uint64_t row_bytes, result_row_bytes;
    void *sums; /* one for each of the scans side by side; NULL for one */
} serial;

/* `combine` is an expression of `sum` and the element `x`, both of type `held`, to which elements
 * of `from` are converted, and from which results of `type` are. */
#define LOOPS_OF(name, kind_name, from, type, held, load, store, identity, combine, exclusive)   \
    static void name##_##kind_name(const void *in, void *out, uint64_t n)                        \
    {                                                                                            \
        held sum = identity;                                                                     \
        for (uint64_t i = 0; i < n; i++) {                                                       \
            const held x = load(((const from *)in)[i]);                                          \
            const held next = combine;                                                           \
            ((type *)out)[i] = store((exclusive) ? sum : next);                                  \
            sum = next;                                                                          \
        }                                                                                        \
    }                                                                                            \
    static void name##_side_##kind_name(const void *in, void *out, uint64_t n, uint64_t inner,   \
                                        void *sums)                                              \
    {                                                                                            \
        for (uint64_t j = 0; j < inner; j++)                                                     \
            ((held *)sums)[j] = identity;                                                        \
        for (uint64_t i = 0; i < n; i++)                                                         \
            for (uint64_t j = 0; j < inner; j++) {                                               \
                const held x = load(((const from *)in)[i * inner + j]), sum = ((held *)sums)[j]; \
                const held next = combine;                                                       \
                ((type *)out)[i * inner + j] = store((exclusive) ? sum : next);                  \
                ((held *)sums)[j] = next;                                                        \
            }                                                                                    \
    }
#define LOOPS_HELD(name, from, type, held, load, store, identity, combine)            \
    LOOPS_OF(name, exclusive, from, type, held, load, store, identity, combine, true) \
    LOOPS_OF(name, inclusive, from, type, held, load, store, identity, combine, false)

#define SAME(element) (element)
#define LOOPS(name, type, identity, combine) \
    LOOPS_HELD(name, type, type, type, SAME, SAME, identity, combine)

#define GREATER sum < x ? x : sum
#define LESSER x < sum ? x : sum
#define LIMIT_LOOPS(word, type, least, greatest) \
    LOOPS(max_##word, type, least, GREATER)      \
    LOOPS(min_##word, type, greatest, LESSER)
/* Floats of 16 bits are held in f32, and sums rounded where they are stored. */
#define HALF_LOOPS(word, load, store)                                                  \
    LOOPS_HELD(sum_##word, uint16_t, uint16_t, float, load, store, 0, sum + x)         \
    LOOPS_HELD(max_##word, uint16_t, uint16_t, float, load, store, -INFINITY, GREATER) \
    LOOPS_HELD(min_##word, uint16_t, uint16_t, float, load, store, INFINITY, LESSER)

/* Signed sums are computed as unsigned: the same bits, and overflow is defined. */
LOOPS(sum_u8, uint8_t, 0, (uint8_t)(sum + x))
LOOPS(sum_u16, uint16_t, 0, (uint16_t)(sum + x))
LOOPS(sum_u32, uint32_t, 0, sum + x)
LOOPS(sum_u64, uint64_t, 0, sum + x)
LOOPS(sum_f32, float, 0, sum + x)
LOOPS(sum_f64, double, 0, sum + x)
LIMIT_LOOPS(i8, int8_t, INT8_MIN, INT8_MAX)
LIMIT_LOOPS(u8, uint8_t, 0, UINT8_MAX)
LIMIT_LOOPS(i16, int16_t, INT16_MIN, INT16_MAX)
LIMIT_LOOPS(u16, uint16_t, 0, UINT16_MAX)
LIMIT_LOOPS(i32, int32_t, INT32_MIN, INT32_MAX)
LIMIT_LOOPS(u32, uint32_t, 0, UINT32_MAX)
LIMIT_LOOPS(i64, int64_t, INT64_MIN, INT64_MAX)
LIMIT_LOOPS(u64, uint64_t, 0, UINT64_MAX)
LIMIT_LOOPS(f32, float, -INFINITY, INFINITY)
LIMIT_LOOPS(f64, double, -(double)INFINITY, (double)INFINITY)
HALF_LOOPS(f16, scan_f16_to_f32, scan_f16_from_f32)
HALF_LOOPS(bf16, scan_bf16_to_f32, scan_bf16_from_f32)
LOOPS(affine_u32, pair_u32, ((pair_u32){1, 0}), join_u32(sum, x))
LOOPS(affine_f32, pair_f32, ((pair_f32){1, 0}), join_f32(sum, x))

/* Of a signed element an unsigned sum takes the sign-extended bits. */
#define WIDE_LOOPS(name, from, type, load, identity, combine) \
    LOOPS_HELD(name, from, type, type, load, SAME, identity, combine)
#define WIDE(from_word, from, word, type, sum_type, least, greatest)             \
    WIDE_LOOPS(sum_##from_word##_##word, from, sum_type, (sum_type), 0, sum + x) \
    WIDE_LOOPS(max_##from_word##_##word, from, type, (type), least, GREATER)     \
    WIDE_LOOPS(min_##from_word##_##word, from, type, (type), greatest, LESSER)
#define WIDE_HALF(word, load)                                               \
    WIDE_LOOPS(sum_##word##_f32, uint16_t, float, load, 0, sum + x)         \
    WIDE_LOOPS(max_##word##_f32, uint16_t, float, load, -INFINITY, GREATER) \
    WIDE_LOOPS(min_##word##_f32, uint16_t, float, load, INFINITY, LESSER)
WIDE(i8, int8_t, i32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
WIDE(i16, int16_t, i32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
WIDE(u8, uint8_t, u32, uint32_t, uint32_t, 0, UINT32_MAX)
WIDE(u16, uint16_t, u32, uint32_t, uint32_t, 0, UINT32_MAX)
WIDE(i32, int32_t, i64, int64_t, uint64_t, INT64_MIN, INT64_MAX)
WIDE(u32, uint32_t, u64, uint64_t, uint64_t, 0, UINT64_MAX)
WIDE(f32, float, f64, double, double, -(double)INFINITY, (double)INFINITY)
WIDE_HALF(f16, scan_f16_to_f32)
WIDE_HALF(bf16, scan_bf16_to_f32)

#define OP(op) [SCAN_OP_##op]
#define BOTH(dtype, name)                                                  \
    [SCAN_DTYPE_##dtype] = {                                               \
        [SCAN_KIND_EXCLUSIVE] = {name##_exclusive, name##_side_exclusive}, \
        [SCAN_KIND_INCLUSIVE] = {name##_inclusive, name##_side_inclusive}, \
    }
static const loop_pair loops[SCAN_OP_COUNT][SCAN_DTYPE_COUNT][SCAN_KIND_COUNT] = {
    OP(SUM) = {BOTH(I8, sum_u8), BOTH(U8, sum_u8), BOTH(I16, sum_u16), BOTH(U16, sum_u16),
               BOTH(I32, sum_u32), BOTH(U32, sum_u32), BOTH(I64, sum_u64), BOTH(U64, sum_u64),
               BOTH(F32, sum_f32), BOTH(F64, sum_f64), BOTH(F16, sum_f16), BOTH(BF16, sum_bf16)},
    OP(MAX) = {BOTH(I8, max_i8), BOTH(U8, max_u8), BOTH(I16, max_i16), BOTH(U16, max_u16),
               BOTH(I32, max_i32), BOTH(U32, max_u32), BOTH(I64, max_i64), BOTH(U64, max_u64),
               BOTH(F32, max_f32), BOTH(F64, max_f64), BOTH(F16, max_f16), BOTH(BF16, max_bf16)},
    OP(MIN) = {BOTH(I8, min_i8), BOTH(U8, min_u8), BOTH(I16, min_i16), BOTH(U16, min_u16),
               BOTH(I32, min_i32), BOTH(U32, min_u32), BOTH(I64, min_i64), BOTH(U64, min_u64),
               BOTH(F32, min_f32), BOTH(F64, min_f64), BOTH(F16, min_f16), BOTH(BF16, min_bf16)},
    OP(AFFINE) = {BOTH(U32X2, affine_u32), BOTH(F32X2, affine_f32)},
};

/* By operator and the type of the input, whose results are wider. */
#define WIDENED(OP_WORD, op)                                                                  \
    OP(OP_WORD) = {BOTH(I8, op##_i8_i32),   BOTH(I16, op##_i16_i32), BOTH(U8, op##_u8_u32),   \
                   BOTH(U16, op##_u16_u32), BOTH(I32, op##_i32_i64), BOTH(U32, op##_u32_u64), \
                   BOTH(F32, op##_f32_f64), BOTH(F16, op##_f16_f32), BOTH(BF16, op##_bf16_f32)}
static const loop_pair wide_loops[SCAN_OP_COUNT][SCAN_DTYPE_COUNT][SCAN_KIND_COUNT] = {
    WIDENED(SUM, sum), WIDENED(MAX, max), WIDENED(MIN, min)};

static scan_status serial_create(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    const bool wide = scan_result(problem) != problem->dtype;
    const uint32_t result_bytes = scan_result_bytes(problem);
    const uint64_t row = problem->n * scan_inner(problem);
    serial *self = host->allocate(host, sizeof *self, _Alignof(serial));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (serial){
        .host = host,
        .loops = (wide ? wide_loops : loops)[problem->op][problem->dtype][problem->kind],
        .rows = problem->n > 0 ? scan_rows(problem) : 0,
        .n = problem->n,
        .inner = problem->n > 0 ? scan_inner(problem) : 1,
        .row_bytes = row * problem->element_bytes,
        .result_row_bytes = row * result_bytes,
    };
    if (self->inner > 1) {
        const uint64_t held = result_bytes < sizeof(float) ? sizeof(float) : result_bytes;
        self->sums = host->allocate(host, self->inner * held, sizeof(uint64_t));
        if (!self->sums) {
            host->release(host, self);
            return host->fail(host, SCAN_NO_MEMORY, "no memory for %llu accumulators",
                              (unsigned long long)scan_inner(problem));
        }
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status serial_run(void *instance, scan_buffer in, scan_buffer out)
{
    const serial *self = instance;
    const unsigned char *x = scan_host_pointer(in);
    unsigned char *y = scan_host_pointer(out);
    for (uint64_t row = 0; row < self->rows;
         row++, x += self->row_bytes, y += self->result_row_bytes)
        if (self->inner == 1)
            self->loops.one(x, y, self->n);
        else
            self->loops.side(x, y, self->n, self->inner, self->sums);
    return SCAN_OK;
}

static void serial_destroy(void *instance)
{
    serial *self = instance;
    self->host->release(self->host, self->sums);
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
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_ROWS | SCAN_FLAG_INNER,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    .backend = "cpu",
    .create = serial_create,
    .run = serial_run,
    .destroy = serial_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&cpu_serial);
