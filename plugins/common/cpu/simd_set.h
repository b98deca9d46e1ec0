/*
 * simd_set.h - sets of vector instructions and the choice of one; the operators as SIMD code
 * numbers them
 *
 * A plugin compiles its loops once for each set (simd_vector.h) and chooses one when an instance is
 * created, so that one file runs on every CPU of the architecture.
 */
#ifndef SIMD_SET_H
#define SIMD_SET_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* ---- operators ------------------------------------------------------------ */

/* X(operator, identity), by the bytes of an element in a register: 1, 2, a word of 4, or two words.
 * They are those in memory, but for SUM_WIDE_F32, elements of f32, which are added in f64, for
 * floats of 16 bits, which are f32 in registers, and for sums of elements that are converted on
 * their way: the results of SUM_I8_I32 are those in registers. SUM_BF16_PAIRS is SUM_BF16 for a
 * single row (simd_pairs.h). */
#define SIMD_OPS_ON_BYTES(X)    \
    X(SUM_U8, {.u8 = 0})        \
    X(MAX_I8, {.i8 = INT8_MIN}) \
    X(MAX_U8, {.u8 = 0})        \
    X(MIN_I8, {.i8 = INT8_MAX}) \
    X(MIN_U8, {.u8 = UINT8_MAX})
#define SIMD_OPS_ON_HALF_WORDS(X)  \
    X(SUM_U16, {.u16 = 0})         \
    X(MAX_I16, {.i16 = INT16_MIN}) \
    X(MAX_U16, {.u16 = 0})         \
    X(MIN_I16, {.i16 = INT16_MAX}) \
    X(MIN_U16, {.u16 = UINT16_MAX})
#define SIMD_OPS_ON_ONE_WORD(X)            \
    X(SUM_U32, {.u32 = 0})                 \
    X(SUM_F32, {.f32 = 0})                 \
    X(SUM_I8_I32, {.u32 = 0})              \
    X(SUM_U8_U32, {.u32 = 0})              \
    X(SUM_I16_I32, {.u32 = 0})             \
    X(SUM_U16_U32, {.u32 = 0})             \
    X(MAX_I32, {.i32 = INT32_MIN})         \
    X(MAX_U32, {.u32 = 0})                 \
    X(MAX_F32, {.f32 = -__builtin_inff()}) \
    X(MIN_I32, {.i32 = INT32_MAX})         \
    X(MIN_U32, {.u32 = UINT32_MAX})        \
    X(MIN_F32, {.f32 = __builtin_inff()})
#define SIMD_OPS_ON_HALVES(X)               \
    X(SUM_F16, {.f32 = 0})                  \
    X(MAX_F16, {.f32 = -__builtin_inff()})  \
    X(MAX_BF16, {.f32 = -__builtin_inff()}) \
    X(MIN_F16, {.f32 = __builtin_inff()})   \
    X(MIN_BF16, {.f32 = __builtin_inff()})
#define SIMD_OPS_ON_HALVES_IN_ROWS(X) X(SUM_BF16, {.f32 = 0})
#define SIMD_OPS_ON_HALVES_ALONE(X) X(SUM_BF16_PAIRS, {.f32 = 0})
#define SIMD_OPS_ON_TWO_WORDS(X)          \
    X(SUM_U64, {.u64 = 0})                \
    X(SUM_F64, {.f64 = 0})                \
    X(SUM_WIDE_F32, {.f64 = 0})           \
    X(SUM_I32_I64, {.u64 = 0})            \
    X(SUM_U32_U64, {.u64 = 0})            \
    X(SUM_F32_F64, {.f64 = 0})            \
    X(MAX_I64, {.i64 = INT64_MIN})        \
    X(MAX_U64, {.u64 = 0})                \
    X(MAX_F64, {.f64 = -__builtin_inf()}) \
    X(MIN_I64, {.i64 = INT64_MAX})        \
    X(MIN_U64, {.u64 = UINT64_MAX})       \
    X(MIN_F64, {.f64 = __builtin_inf()})  \
    X(AFFINE_U32, {.u32x2 = {1, 0}})      \
    X(AFFINE_F32, {.f32x2 = {1, 0}})
#define SIMD_NARROW_OPS(X) SIMD_OPS_ON_BYTES(X) SIMD_OPS_ON_HALF_WORDS(X)
#define SIMD_WORD_OPS(X) SIMD_OPS_ON_ONE_WORD(X) SIMD_OPS_ON_TWO_WORDS(X)
#define SIMD_HALF_OPS(X) SIMD_OPS_ON_HALVES(X) SIMD_OPS_ON_HALVES_ALONE(X)
#define SIMD_HALF_OPS_IN_ROWS(X) SIMD_OPS_ON_HALVES(X) SIMD_OPS_ON_HALVES_IN_ROWS(X)
#define SIMD_OP_MAP(X)      \
    SIMD_NARROW_OPS(X)      \
    SIMD_OPS_ON_ONE_WORD(X) \
    SIMD_HALF_OPS_IN_ROWS(X) SIMD_OPS_ON_HALVES_ALONE(X) SIMD_OPS_ON_TWO_WORDS(X)

#define SIMD_ENUMERATOR(op, ...) SIMD_##op,
typedef enum simd_op { SIMD_OP_MAP(SIMD_ENUMERATOR) SIMD_OPS } simd_op;
#undef SIMD_ENUMERATOR
#define SIMD_FIRST_ON_HALF_WORDS SIMD_SUM_U16
#define SIMD_FIRST_ON_ONE_WORD SIMD_SUM_U32
#define SIMD_FIRST_ON_HALVES SIMD_SUM_F16
#define SIMD_FIRST_ON_TWO_WORDS SIMD_SUM_U64

/* Are elements floats of 16 bits? */
static inline bool simd_is_half(simd_op op)
{
    return op >= SIMD_FIRST_ON_HALVES && op < SIMD_FIRST_ON_TWO_WORDS;
}

/* Elements that share a place in a vector: 2 in pairs, else 1. */
static inline size_t simd_group(simd_op op)
{
    return op == SIMD_SUM_BF16_PAIRS ? 2 : 1;
}

/* Has an element in a register fewer bytes than a word? */
static inline bool simd_is_narrow(simd_op op)
{
    return op < SIMD_FIRST_ON_ONE_WORD;
}

/* One element of any type, in the first bytes. */
typedef union simd_value {
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32x2[2];
    float f32x2[2];
    uint32_t u32;
    int32_t i32;
    float f32;
    uint64_t u64;
    int64_t i64;
    double f64;
} simd_value;

#define SIMD_IDENTITY(op, ...) [SIMD_##op] = __VA_ARGS__,
static const simd_value simd_identities[SIMD_OPS] = {SIMD_OP_MAP(SIMD_IDENTITY)};
#undef SIMD_IDENTITY

#define SIMD_BY_DTYPE(op, sign)                                                                \
    {                                                                                          \
        [SCAN_DTYPE_I8] = op##_##sign##8, [SCAN_DTYPE_U8] = op##_U8,                           \
        [SCAN_DTYPE_I16] = op##_##sign##16, [SCAN_DTYPE_U16] = op##_U16,                       \
        [SCAN_DTYPE_I32] = op##_##sign##32, [SCAN_DTYPE_U32] = op##_U32,                       \
        [SCAN_DTYPE_I64] = op##_##sign##64, [SCAN_DTYPE_U64] = op##_U64,                       \
        [SCAN_DTYPE_F32] = op##_F32, [SCAN_DTYPE_F64] = op##_F64, [SCAN_DTYPE_F16] = op##_F16, \
        [SCAN_DTYPE_BF16] = op##_BF16,                                                         \
    }

/* The operator of a problem that the contract's version 1.1 knows. Signed sums are computed as
 * unsigned: the same bits, and overflow is defined. */
static inline simd_op simd_op_of(const scan_problem *problem)
{
    static const simd_op sums[] = SIMD_BY_DTYPE(SIMD_SUM, U);
    static const simd_op maxima[] = SIMD_BY_DTYPE(SIMD_MAX, I);
    static const simd_op minima[] = SIMD_BY_DTYPE(SIMD_MIN, I);
    static const simd_op wide_sums[SCAN_DTYPE_COUNT] = {
        [SCAN_DTYPE_I8] = SIMD_SUM_I8_I32,   [SCAN_DTYPE_U8] = SIMD_SUM_U8_U32,
        [SCAN_DTYPE_I16] = SIMD_SUM_I16_I32, [SCAN_DTYPE_U16] = SIMD_SUM_U16_U32,
        [SCAN_DTYPE_I32] = SIMD_SUM_I32_I64, [SCAN_DTYPE_U32] = SIMD_SUM_U32_U64,
        [SCAN_DTYPE_F32] = SIMD_SUM_F32_F64};
    if (scan_result(problem) != problem->dtype)
        return wide_sums[problem->dtype];
    switch (problem->op) {
    case SCAN_OP_SUM:
        return sums[problem->dtype];
    case SCAN_OP_MAX:
        return maxima[problem->dtype];
    case SCAN_OP_MIN:
        return minima[problem->dtype];
    default:
        return problem->dtype == SCAN_DTYPE_U32X2 ? SIMD_AFFINE_U32 : SIMD_AFFINE_F32;
    }
}

/* SCAN_OK, or SCAN_UNSUPPORTED and the reason: results of SCAN_WIDE_1_1 are of sums alone. */
static inline scan_status simd_wide_supports(const scan_host *host, const scan_problem *problem)
{
    if (scan_result(problem) == problem->dtype || problem->op == SCAN_OP_SUM)
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED, "wider results are those of sums alone");
}

/* ---- the accurate setting --------------------------------------------------- */

/*
 * An entry in the table of tunables: sums of f32 are made in f64 and rounded once. With u = 2^-53
 * the sum in f64 of m terms of one sign is within m*u of its value, in any order, and rounding it
 * within half an ulp of f32, which is more than 2^-24 of the value: together within 0.5 + m*2^-29
 * ulps, 0.69 for 10^8 terms in a serial loop and less in vectors.
 */
static const int64_t simd_accurate_values[] = {0, 1};
#define SIMD_ACCURATE_TUNABLE                                                                   \
    SCAN_TUNABLE_LIST(SCAN_ACCURATE_TUNABLE, "1: sums of f32 in f64, rounded once to 1 ulp", 0, \
                      simd_accurate_values)

/* SCAN_OK, or SCAN_UNSUPPORTED and the reason if the setting promises what it cannot keep.
 * Integers, max and min are exact in any setting. */
static inline scan_status simd_accurate_supports(const scan_host *host, const scan_problem *problem,
                                                 int64_t accurate)
{
    static const char *const refused[SCAN_DTYPE_COUNT] = {[SCAN_DTYPE_F64] = "sums of f64",
                                                          [SCAN_DTYPE_F16] = "sums of f16",
                                                          [SCAN_DTYPE_BF16] = "sums of bf16",
                                                          [SCAN_DTYPE_F32X2] = "affine"};
    const char *what =
        scan_result(problem) == SCAN_DTYPE_F64 ? refused[SCAN_DTYPE_F64] : refused[problem->dtype];
    if (!accurate || problem->op == SCAN_OP_MAX || problem->op == SCAN_OP_MIN || !what)
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED,
                      "accurate=1 adds f32 in f64; it has nothing more accurate for %s", what);
}

static inline simd_op simd_accurate_op(const scan_problem *problem, int64_t accurate)
{
    const simd_op op = simd_op_of(problem);
    return accurate && op == SIMD_SUM_F32 ? SIMD_SUM_WIDE_F32 : op;
}

/* The operator for the loops that scan a single row. */
static inline simd_op simd_op_alone(simd_op op)
{
    return op == SIMD_SUM_BF16 ? SIMD_SUM_BF16_PAIRS : op;
}

/* Bytes of an element in a register; result_bytes: of the result in memory. */
static inline size_t simd_register_bytes(simd_op op, size_t result_bytes)
{
    return op == SIMD_SUM_WIDE_F32 ? sizeof(double)
           : simd_is_half(op)      ? sizeof(float)
                                   : result_bytes;
}

/* ---- sets of instructions -------------------------------------------------- */

typedef enum simd_set {
    SIMD_WIDEST, /* as a tunable's value: the widest that the CPU has */
    SIMD_ANY,    /* 16 bytes, on every CPU of the architecture: SSE2, NEON */
    SIMD_AVX2,
    SIMD_AVX512,
    SIMD_SETS
} simd_set;

static const int64_t simd_sets[] = {SIMD_WIDEST, SIMD_ANY, SIMD_AVX2, SIMD_AVX512};

/* An entry in the table of tunables of a plugin with SIMD code. */
#define SIMD_SET_TUNABLE                                                                         \
    SCAN_TUNABLE_LIST("isa", "instructions; 0: the widest, 1: every CPU's, 2: AVX2, 3: AVX-512", \
                      SIMD_WIDEST, simd_sets)

#if defined(__x86_64__)
/* Every CPU with AVX2 has it, but it is a feature of its own; Clang 14 does not name it. */
static inline bool simd_has_f16c(void)
{
    unsigned eax, ebx, ecx = 0, edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C) != 0;
}
#endif

static inline bool simd_has(simd_set set)
{
#if defined(__x86_64__)
    switch (set) {
    case SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && simd_has_f16c();
    case SIMD_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    default:
        return true;
    }
#else
    return set <= SIMD_ANY;
#endif
}

/* The set that a tunable's value means. */
static inline simd_set simd_set_of(int64_t value)
{
    if (value != SIMD_WIDEST)
        return (simd_set)value;
    return simd_has(SIMD_AVX512) ? SIMD_AVX512 : simd_has(SIMD_AVX2) ? SIMD_AVX2 : SIMD_ANY;
}

/* SCAN_OK, or SCAN_UNSUPPORTED and the reason if this CPU lacks the set. */
static inline scan_status simd_supports(const scan_host *host, int64_t value)
{
    if (simd_has((simd_set)value))
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED, "this CPU has no %s; set isa=0 for its widest",
                      value == SIMD_AVX2 ? "AVX2 with F16C" : "AVX-512 (F, BW, DQ and VL)");
}

#endif
