/*
 * simd_vector.h - vectors of SIMD_BYTES bytes and the contract's operators on them
 *
 * Written in the vector extensions of GCC and Clang, so the same text gives AVX-512, AVX2, SSE2 and
 * NEON. A source file that includes this is compiled for one set of instructions: it first defines
 * SIMD_BYTES as 64, 32 or 16, which stand for AVX-512, AVX2 and what every CPU of the architecture
 * has. All functions here are inlined, so no code for one set can be called with another one.
 *
 * A vector is an array of 32-bit words whatever the type of its elements. An operator knows its
 * type and casts, which costs no instruction. `op` is a constant wherever these functions are
 * called: no switch is left in the code.
 */
#ifndef SIMD_VECTOR_H
#define SIMD_VECTOR_H

#include "simd_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* For each function that is compiled for the set. */
#if !defined(SIMD_BYTES)
#error "define SIMD_BYTES as 64, 32 or 16 before including simd_vector.h"
#elif SIMD_BYTES == 64
#define SIMD_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#elif SIMD_BYTES == 32
#define SIMD_TARGET __attribute__((target("avx2")))
#elif SIMD_BYTES == 16
#define SIMD_TARGET
#else
#error "SIMD_BYTES is 64, 32 or 16"
#endif
#define SIMD_INLINE static inline __attribute__((always_inline)) SIMD_TARGET

#define SIMD_VECTOR __attribute__((vector_size(SIMD_BYTES)))

typedef uint32_t words SIMD_VECTOR;
typedef int32_t i32s SIMD_VECTOR;
typedef uint64_t u64s SIMD_VECTOR;
typedef int64_t i64s SIMD_VECTOR;
typedef float f32s SIMD_VECTOR;
typedef double f64s SIMD_VECTOR;

enum { WORD_BYTES = 4, VECTOR_WORDS = SIMD_BYTES / WORD_BYTES };

/* ---- elements ------------------------------------------------------------- */

/* Words of an element. */
SIMD_INLINE unsigned simd_words(const simd_op op)
{
    return op < SIMD_FIRST_ON_TWO_WORDS ? 1 : 2;
}

/* Bytes of an element. */
SIMD_INLINE size_t simd_bytes(const simd_op op)
{
    return (size_t)simd_words(op) * WORD_BYTES;
}

/* Elements of a vector. */
SIMD_INLINE size_t simd_lanes(const simd_op op)
{
    return VECTOR_WORDS / simd_words(op);
}

/* ---- moving --------------------------------------------------------------- */

SIMD_INLINE words simd_load(const unsigned char *from)
{
    words vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

SIMD_INLINE void simd_store(unsigned char *to, words vector)
{
    memcpy(to, &vector, sizeof vector);
}

/* Stores around the caches. `to` is a multiple of SIMD_BYTES; whole lines are to be stored at once,
 * or the write buffers send them in pieces. */
SIMD_INLINE void simd_store_around(unsigned char *to, words vector)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    _mm512_stream_si512((void *)to, (__m512i)vector);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    _mm256_stream_si256((void *)to, (__m256i)vector);
#elif defined(__x86_64__)
    _mm_stream_si128((void *)to, (__m128i)vector);
#else
    simd_store(to, vector);
#endif
}

/* Makes stores around the caches visible to other threads, in the order of the program. */
SIMD_INLINE void simd_fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

/* Its first `count` elements from memory, the others from `rest`. */
SIMD_INLINE words simd_load_first(const simd_op op, const unsigned char *from, size_t count,
                                  words rest)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    const __mmask16 mask = (__mmask16)((1U << count * simd_words(op)) - 1);
    return (words)_mm512_mask_loadu_epi32((__m512i)rest, mask, from);
#else
    memcpy(&rest, from, count * simd_bytes(op));
    return rest;
#endif
}

/* Elements `first` ... of an array of `n`, and those of `rest` where that has none. `first` may be
 * negative. */
SIMD_INLINE words simd_load_within(const simd_op op, const unsigned char *array, ptrdiff_t first,
                                   size_t n, words rest)
{
    const ptrdiff_t lanes = (ptrdiff_t)simd_lanes(op), bytes = (ptrdiff_t)simd_bytes(op);
    const ptrdiff_t begin = first < 0 ? -first : 0;
    const ptrdiff_t left = (ptrdiff_t)n - first, end = left < lanes ? left : lanes;
    if (begin == 0 && end == lanes)
        return simd_load(array + first * bytes);
    if (begin < end)
        memcpy((unsigned char *)&rest + begin * bytes, array + (first + begin) * bytes,
               (size_t)((end - begin) * bytes));
    return rest;
}

SIMD_INLINE void simd_store_first(const simd_op op, unsigned char *to, size_t count, words vector)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    const __mmask16 mask = (__mmask16)((1U << count * simd_words(op)) - 1);
    _mm512_mask_storeu_epi32(to, mask, (__m512i)vector);
#else
    memcpy(to, &vector, count * simd_bytes(op));
#endif
}

SIMD_INLINE void simd_store_last(const simd_op op, unsigned char *to, size_t count, words vector)
{
    const size_t bytes = count * simd_bytes(op);
    memcpy(to, (const unsigned char *)&vector + sizeof vector - bytes, bytes);
}

SIMD_INLINE words simd_all(const simd_op op, simd_value value)
{
    if (simd_words(op) == 1)
        return (words){0} + value.u32;
    return (words)((u64s){0} + value.u64);
}

SIMD_INLINE simd_value simd_last(const simd_op op, words vector)
{
    simd_value value = {.u64 = 0};
    simd_store_last(op, (unsigned char *)&value, 1, vector);
    return value;
}

/* Indices of __builtin_shufflevector: as many as a vector has words, one after the other, and as
 * many as it has elements of one or two words, every second one. */
#define SIMD_RUN_2(a) a, (a) + 1
#define SIMD_RUN_4(a) SIMD_RUN_2(a), SIMD_RUN_2((a) + 2)
#define SIMD_RUN_8(a) SIMD_RUN_4(a), SIMD_RUN_4((a) + 4)
#define SIMD_RUN_16(a) SIMD_RUN_8(a), SIMD_RUN_8((a) + 8)
#define SIMD_SECOND_2(a) a, (a) + 2
#define SIMD_SECOND_4(a) SIMD_SECOND_2(a), SIMD_SECOND_2((a) + 4)
#define SIMD_SECOND_8(a) SIMD_SECOND_4(a), SIMD_SECOND_4((a) + 8)
#define SIMD_SECOND_16(a) SIMD_SECOND_8(a), SIMD_SECOND_8((a) + 16)
#if SIMD_BYTES == 64
#define SIMD_RUN SIMD_RUN_16
#define SIMD_SECOND_WORDS SIMD_SECOND_16
#define SIMD_SECOND_PAIRS SIMD_SECOND_8
#elif SIMD_BYTES == 32
#define SIMD_RUN SIMD_RUN_8
#define SIMD_SECOND_WORDS SIMD_SECOND_8
#define SIMD_SECOND_PAIRS SIMD_SECOND_4
#else
#define SIMD_RUN SIMD_RUN_4
#define SIMD_SECOND_WORDS SIMD_SECOND_4
#define SIMD_SECOND_PAIRS SIMD_SECOND_2
#endif

/* The vector that begins `count` words before `later` does, of two vectors that lie side by side:
 * the last `count` words of `earlier`, then the first of `later`. */
SIMD_INLINE words simd_back(words earlier, words later, const unsigned count)
{
    switch (count) {
    case 1:
        return __builtin_shufflevector(earlier, later, SIMD_RUN(VECTOR_WORDS - 1));
    case 2:
        return __builtin_shufflevector(earlier, later, SIMD_RUN(VECTOR_WORDS - 2));
#if SIMD_BYTES > 16
    case 4:
        return __builtin_shufflevector(earlier, later, SIMD_RUN(VECTOR_WORDS - 4));
#endif
#if SIMD_BYTES > 32
    case 8:
        return __builtin_shufflevector(earlier, later, SIMD_RUN(VECTOR_WORDS - 8));
#endif
    default:
        __builtin_unreachable();
    }
}

/* Every second element of two vectors that lie side by side, from element `first`, 0 or 1, on. */
SIMD_INLINE words simd_every_second(const simd_op op, words left, words right, const unsigned first)
{
    if (simd_words(op) == 1)
        return first == 0 ? __builtin_shufflevector(left, right, SIMD_SECOND_WORDS(0))
                          : __builtin_shufflevector(left, right, SIMD_SECOND_WORDS(1));
    const u64s l = (u64s)left, r = (u64s)right;
    return (words)(first == 0 ? __builtin_shufflevector(l, r, SIMD_SECOND_PAIRS(0))
                              : __builtin_shufflevector(l, r, SIMD_SECOND_PAIRS(1)));
}

/* ---- operators ------------------------------------------------------------ */

SIMD_INLINE words simd_choose(words mask, words yes, words no)
{
    return (yes & mask) | (no & ~mask);
}

#if defined(__x86_64__) && SIMD_BYTES == 16
/* All ones where a < b, for 64-bit integers, which SSE2 cannot compare: the borrow of a
 * subtraction. Signed ones are compared as unsigned with the sign flipped. */
SIMD_INLINE words simd_less_wide(words a, words b, uint64_t sign)
{
    const u64s l = (u64s)a ^ sign, r = (u64s)b ^ sign;
    const u64s borrow = (~l & r) | (~(l ^ r) & (l - r));
    const words high = (words)((i32s)borrow >> 31);
    return __builtin_shufflevector(high, high, 1, 1, 3, 3);
}
#endif

/* The greater or the smaller of each two: by one instruction where the set has it, or else by
 * comparing and choosing. Equal ones are the same bits but for zeros and NaNs of floats. */
#define SIMD_CALL(op, instruction, type) \
    case SIMD_##op:                      \
        return (words)instruction((type)right, (type)left);
#define SIMD_CHOOSE(op, type, relation) \
    case SIMD_##op:                     \
        return simd_choose((words)((type)left relation(type) right), right, left);
#define SIMD_CHOOSE_WIDE(op, less, than, sign) \
    case SIMD_##op:                            \
        return simd_choose(simd_less_wide(less, than, (uint64_t)(sign)), right, left);

SIMD_INLINE words simd_limit(const simd_op op, words left, words right)
{
    switch (op) {
#if defined(__x86_64__) && SIMD_BYTES == 64
        SIMD_CALL(MAX_I32, _mm512_max_epi32, __m512i)
        SIMD_CALL(MAX_U32, _mm512_max_epu32, __m512i)
        SIMD_CALL(MAX_F32, _mm512_max_ps, __m512)
        SIMD_CALL(MAX_I64, _mm512_max_epi64, __m512i)
        SIMD_CALL(MAX_U64, _mm512_max_epu64, __m512i)
        SIMD_CALL(MAX_F64, _mm512_max_pd, __m512d)
        SIMD_CALL(MIN_I32, _mm512_min_epi32, __m512i)
        SIMD_CALL(MIN_U32, _mm512_min_epu32, __m512i)
        SIMD_CALL(MIN_F32, _mm512_min_ps, __m512)
        SIMD_CALL(MIN_I64, _mm512_min_epi64, __m512i)
        SIMD_CALL(MIN_U64, _mm512_min_epu64, __m512i)
        SIMD_CALL(MIN_F64, _mm512_min_pd, __m512d)
#elif defined(__x86_64__) && SIMD_BYTES == 32
        SIMD_CALL(MAX_I32, _mm256_max_epi32, __m256i)
        SIMD_CALL(MAX_U32, _mm256_max_epu32, __m256i)
        SIMD_CALL(MAX_F32, _mm256_max_ps, __m256)
        SIMD_CHOOSE(MAX_I64, i64s, <)
        SIMD_CHOOSE(MAX_U64, u64s, <)
        SIMD_CALL(MAX_F64, _mm256_max_pd, __m256d)
        SIMD_CALL(MIN_I32, _mm256_min_epi32, __m256i)
        SIMD_CALL(MIN_U32, _mm256_min_epu32, __m256i)
        SIMD_CALL(MIN_F32, _mm256_min_ps, __m256)
        SIMD_CHOOSE(MIN_I64, i64s, >)
        SIMD_CHOOSE(MIN_U64, u64s, >)
        SIMD_CALL(MIN_F64, _mm256_min_pd, __m256d)
#elif defined(__x86_64__)
        SIMD_CHOOSE(MAX_I32, i32s, <)
        SIMD_CHOOSE(MAX_U32, words, <)
        SIMD_CALL(MAX_F32, _mm_max_ps, __m128)
        SIMD_CHOOSE_WIDE(MAX_I64, left, right, INT64_MIN)
        SIMD_CHOOSE_WIDE(MAX_U64, left, right, 0)
        SIMD_CALL(MAX_F64, _mm_max_pd, __m128d)
        SIMD_CHOOSE(MIN_I32, i32s, >)
        SIMD_CHOOSE(MIN_U32, words, >)
        SIMD_CALL(MIN_F32, _mm_min_ps, __m128)
        SIMD_CHOOSE_WIDE(MIN_I64, right, left, INT64_MIN)
        SIMD_CHOOSE_WIDE(MIN_U64, right, left, 0)
        SIMD_CALL(MIN_F64, _mm_min_pd, __m128d)
#else
        SIMD_CHOOSE(MAX_I32, i32s, <)
        SIMD_CHOOSE(MAX_U32, words, <)
        SIMD_CHOOSE(MAX_F32, f32s, <)
        SIMD_CHOOSE(MAX_I64, i64s, <)
        SIMD_CHOOSE(MAX_U64, u64s, <)
        SIMD_CHOOSE(MAX_F64, f64s, <)
        SIMD_CHOOSE(MIN_I32, i32s, >)
        SIMD_CHOOSE(MIN_U32, words, >)
        SIMD_CHOOSE(MIN_F32, f32s, >)
        SIMD_CHOOSE(MIN_I64, i64s, >)
        SIMD_CHOOSE(MIN_U64, u64s, >)
        SIMD_CHOOSE(MIN_F64, f64s, >)
#endif
    default:
        __builtin_unreachable();
    }
}

/* (a, b) (+) (c, d) = (a c, b c + d) on pairs of neighbouring words. */
#define SIMD_AFFINE(type, left, right) \
    (words)((type)(left) * (type)simd_twice_first(right) + (type)((right)&simd_second_words()))

SIMD_INLINE words simd_twice_first(words pairs)
{
#if SIMD_BYTES == 64
    return __builtin_shufflevector(pairs, pairs, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14,
                                   14);
#elif SIMD_BYTES == 32
    return __builtin_shufflevector(pairs, pairs, 0, 0, 2, 2, 4, 4, 6, 6);
#else
    return __builtin_shufflevector(pairs, pairs, 0, 0, 2, 2);
#endif
}

SIMD_INLINE words simd_second_words(void)
{
    const simd_value second = {.u32x2 = {0, UINT32_MAX}};
    return (words)((u64s){0} + second.u64);
}

/* Is the identity all zeros, and does it change nothing, whatever it is added to? */
SIMD_INLINE bool simd_is_sum(const simd_op op)
{
    return op == SIMD_SUM_U32 || op == SIMD_SUM_F32 || op == SIMD_SUM_U64 || op == SIMD_SUM_F64;
}

/* left (+) right, element by element. Signed sums are computed as unsigned: the same bits, and
 * overflow is defined. */
SIMD_INLINE words simd_combine(const simd_op op, words left, words right)
{
    switch (op) {
    case SIMD_SUM_U32:
        return left + right;
    case SIMD_SUM_F32:
        return (words)((f32s)left + (f32s)right);
    case SIMD_SUM_U64:
        return (words)((u64s)left + (u64s)right);
    case SIMD_SUM_F64:
        return (words)((f64s)left + (f64s)right);
    case SIMD_AFFINE_U32:
        return SIMD_AFFINE(words, left, right);
    case SIMD_AFFINE_F32:
        return SIMD_AFFINE(f32s, left, right);
    default:
        return simd_limit(op, left, right);
    }
}

#endif
