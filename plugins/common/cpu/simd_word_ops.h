/*
 * simd_word_ops.h - the operators on vectors of elements of 4 and 8 bytes, a part of simd_vector.h
 */
#ifndef SIMD_WORD_OPS_H
#define SIMD_WORD_OPS_H

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
    return op == SIMD_SUM_U32 || op == SIMD_SUM_F32 || op == SIMD_SUM_U64 || op == SIMD_SUM_F64 ||
           op == SIMD_SUM_WIDE_F32 || op == SIMD_SUM_I8_I32 || op == SIMD_SUM_U8_U32 ||
           op == SIMD_SUM_I16_I32 || op == SIMD_SUM_U16_U32 || op == SIMD_SUM_I32_I64 ||
           op == SIMD_SUM_U32_U64 || op == SIMD_SUM_F32_F64;
}

/* left (+) right, element by element. Signed sums are computed as unsigned: the same bits, and
 * overflow is defined. */
SIMD_INLINE words simd_combine(const simd_op op, words left, words right)
{
    switch (op) {
    case SIMD_SUM_U32:
    case SIMD_SUM_I8_I32:
    case SIMD_SUM_U8_U32:
    case SIMD_SUM_I16_I32:
    case SIMD_SUM_U16_U32:
        return left + right;
    case SIMD_SUM_F32:
        return (words)((f32s)left + (f32s)right);
    case SIMD_SUM_U64:
    case SIMD_SUM_I32_I64:
    case SIMD_SUM_U32_U64:
        return (words)((u64s)left + (u64s)right);
    case SIMD_SUM_F64:
    case SIMD_SUM_WIDE_F32:
    case SIMD_SUM_F32_F64:
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
