/*
 * simd_narrow_ops.h - the operators on vectors of elements of 1 and 2 bytes, a part of
 * simd_vector.h
 */
#ifndef SIMD_NARROW_OPS_H
#define SIMD_NARROW_OPS_H

#if defined(__x86_64__) && SIMD_BYTES == 16
/* What a has more than b, or 0: SSE2 has no maximum and no comparison of unsigned 16 bits. */
SIMD_INLINE __m128i simd_excess(words a, words b)
{
    return _mm_subs_epu16((__m128i)a, (__m128i)b);
}
#endif

SIMD_INLINE words simd_limit(const simd_op op, words left, words right)
{
    switch (op) {
#if defined(__x86_64__) && SIMD_BYTES == 64
        SIMD_CALL(MAX_I8, _mm512_max_epi8, __m512i)
        SIMD_CALL(MAX_U8, _mm512_max_epu8, __m512i)
        SIMD_CALL(MAX_I16, _mm512_max_epi16, __m512i)
        SIMD_CALL(MAX_U16, _mm512_max_epu16, __m512i)
        SIMD_CALL(MIN_I8, _mm512_min_epi8, __m512i)
        SIMD_CALL(MIN_U8, _mm512_min_epu8, __m512i)
        SIMD_CALL(MIN_I16, _mm512_min_epi16, __m512i)
        SIMD_CALL(MIN_U16, _mm512_min_epu16, __m512i)
#elif defined(__x86_64__) && SIMD_BYTES == 32
        SIMD_CALL(MAX_I8, _mm256_max_epi8, __m256i)
        SIMD_CALL(MAX_U8, _mm256_max_epu8, __m256i)
        SIMD_CALL(MAX_I16, _mm256_max_epi16, __m256i)
        SIMD_CALL(MAX_U16, _mm256_max_epu16, __m256i)
        SIMD_CALL(MIN_I8, _mm256_min_epi8, __m256i)
        SIMD_CALL(MIN_U8, _mm256_min_epu8, __m256i)
        SIMD_CALL(MIN_I16, _mm256_min_epi16, __m256i)
        SIMD_CALL(MIN_U16, _mm256_min_epu16, __m256i)
#elif defined(__x86_64__)
        SIMD_CHOOSE(MAX_I8, i8s, <)
        SIMD_CALL(MAX_U8, _mm_max_epu8, __m128i)
        SIMD_CALL(MAX_I16, _mm_max_epi16, __m128i)
    case SIMD_MAX_U16:
        return (words)_mm_add_epi16((__m128i)left, simd_excess(right, left));
        SIMD_CHOOSE(MIN_I8, i8s, >)
        SIMD_CALL(MIN_U8, _mm_min_epu8, __m128i)
        SIMD_CALL(MIN_I16, _mm_min_epi16, __m128i)
    case SIMD_MIN_U16:
        return (words)_mm_sub_epi16((__m128i)left, simd_excess(left, right));
#else
        SIMD_CHOOSE(MAX_I8, i8s, <)
        SIMD_CHOOSE(MAX_U8, u8s, <)
        SIMD_CHOOSE(MAX_I16, i16s, <)
        SIMD_CHOOSE(MAX_U16, u16s, <)
        SIMD_CHOOSE(MIN_I8, i8s, >)
        SIMD_CHOOSE(MIN_U8, u8s, >)
        SIMD_CHOOSE(MIN_I16, i16s, >)
        SIMD_CHOOSE(MIN_U16, u16s, >)
#endif
    default:
        __builtin_unreachable();
    }
}

/* Is the identity all zeros, and does it change nothing, whatever it is added to? */
SIMD_INLINE bool simd_is_sum(const simd_op op)
{
    return op == SIMD_SUM_U8 || op == SIMD_SUM_U16;
}

/* left (+) right, element by element. Signed sums are computed as unsigned: the same bits, and
 * overflow is defined. */
SIMD_INLINE words simd_combine(const simd_op op, words left, words right)
{
    switch (op) {
    case SIMD_SUM_U8:
        return (words)((u8s)left + (u8s)right);
    case SIMD_SUM_U16:
        return (words)((u16s)left + (u16s)right);
    default:
        return simd_limit(op, left, right);
    }
}

#endif
