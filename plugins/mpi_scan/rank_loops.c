#include "rank_loops.h"
#include "cpu_pairs.h"

#include <math.h>
#include <string.h>

/* combine: an expression of l, the left operand, and r. Sums of signed integers are computed as
 * unsigned: the same bits, and overflow is defined. */
#define LOOPS(name, type, first, combine)                                                          \
    static void name##_reduce(const void *in, uint64_t n, rank_element *total_p)                   \
    {                                                                                              \
        const type *x = in;                                                                        \
        type l;                                                                                    \
        memcpy(&l, total_p, sizeof l);                                                             \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            const type r = x[i];                                                                   \
            l = combine;                                                                           \
        }                                                                                          \
        memcpy(total_p, &l, sizeof l);                                                             \
    }                                                                                              \
    static void name##_exclusive(const void *in, void *out, uint64_t n, const rank_element *carry) \
    {                                                                                              \
        const type *x = in;                                                                        \
        type *y = out;                                                                             \
        type l;                                                                                    \
        memcpy(&l, carry, sizeof l);                                                               \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            const type r = x[i];                                                                   \
            y[i] = l;                                                                              \
            l = combine;                                                                           \
        }                                                                                          \
    }                                                                                              \
    static void name##_inclusive(const void *in, void *out, uint64_t n, const rank_element *carry) \
    {                                                                                              \
        const type *x = in;                                                                        \
        type *y = out;                                                                             \
        type l;                                                                                    \
        memcpy(&l, carry, sizeof l);                                                               \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            const type r = x[i];                                                                   \
            l = combine;                                                                           \
            y[i] = l;                                                                              \
        }                                                                                          \
    }                                                                                              \
    static void name##_join(const rank_element *left, rank_element *right)                         \
    {                                                                                              \
        type l, r;                                                                                 \
        memcpy(&l, left, sizeof l);                                                                \
        memcpy(&r, right, sizeof r);                                                               \
        l = combine;                                                                               \
        memcpy(right, &l, sizeof l);                                                               \
    }                                                                                              \
    static void name##_identity(rank_element *identity_p)                                          \
    {                                                                                              \
        const type l = first;                                                                      \
        memcpy(identity_p, &l, sizeof l);                                                          \
    }

#define LIMIT_LOOPS(word, type, least, greatest)  \
    LOOPS(max_##word, type, least, l < r ? r : l) \
    LOOPS(min_##word, type, greatest, r < l ? r : l)

LOOPS(sum_u8, uint8_t, 0, (uint8_t)(l + r))
LOOPS(sum_u16, uint16_t, 0, (uint16_t)(l + r))
LOOPS(sum_u32, uint32_t, 0, l + r)
LOOPS(sum_u64, uint64_t, 0, l + r)
LOOPS(sum_f32, float, 0, l + r)
LOOPS(sum_f64, double, 0, l + r)
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
LOOPS(affine_u32, pair_u32, ((pair_u32){1, 0}), join_u32(l, r))
LOOPS(affine_f32, pair_f32, ((pair_f32){1, 0}), join_f32(l, r))

#define OP(op) [SCAN_OP_##op]
#define ON(dtype, name)                                                                           \
    [SCAN_DTYPE_##dtype] = {                                                                      \
        .identity = name##_identity,                                                              \
        .reduce = name##_reduce,                                                                  \
        .scan =                                                                                   \
            {[SCAN_KIND_EXCLUSIVE] = name##_exclusive, [SCAN_KIND_INCLUSIVE] = name##_inclusive}, \
        .join = name##_join}
static const rank_loops table[SCAN_OP_COUNT][SCAN_DTYPE_COUNT] = {
    OP(SUM) = {ON(I32, sum_u32), ON(U32, sum_u32), ON(I64, sum_u64), ON(U64, sum_u64),
               ON(F32, sum_f32), ON(F64, sum_f64), ON(I8, sum_u8), ON(U8, sum_u8), ON(I16, sum_u16),
               ON(U16, sum_u16)},
    OP(MAX) = {ON(I32, max_i32), ON(U32, max_u32), ON(I64, max_i64), ON(U64, max_u64),
               ON(F32, max_f32), ON(F64, max_f64), ON(I8, max_i8), ON(U8, max_u8), ON(I16, max_i16),
               ON(U16, max_u16)},
    OP(MIN) = {ON(I32, min_i32), ON(U32, min_u32), ON(I64, min_i64), ON(U64, min_u64),
               ON(F32, min_f32), ON(F64, min_f64), ON(I8, min_i8), ON(U8, min_u8), ON(I16, min_i16),
               ON(U16, min_u16)},
    OP(AFFINE) = {ON(U32X2, affine_u32), ON(F32X2, affine_f32)},
};

const rank_loops *rank_loops_for(uint32_t op, uint32_t dtype)
{
    if (op >= SCAN_OP_COUNT || dtype >= SCAN_DTYPE_COUNT || !table[op][dtype].join)
        return NULL;
    return &table[op][dtype];
}
