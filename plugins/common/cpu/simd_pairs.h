/*
 * simd_pairs.h - vectors of words that are pairs of bf16, as they lie in memory, a part of
 * simd_vector.h
 *
 * A bf16 is the upper half of an f32. So two instructions make two vectors of f32 of a vector of
 * pairs, and some more round and join two vectors of outputs: no element changes its place.
 */
#ifndef SIMD_PAIRS_H
#define SIMD_PAIRS_H

#define SIMD_UPPER_HALF 0xffff0000U

/* Are two elements in each word? */
SIMD_INLINE bool simd_in_pairs(const simd_op op)
{
    return simd_group(op) > 1;
}

/* The elements at even indices, as f32, and those at odd ones. */
SIMD_INLINE words simd_first_of_pairs(words pairs)
{
    return pairs << 16;
}

SIMD_INLINE words simd_second_of_pairs(words pairs)
{
    return pairs & SIMD_UPPER_HALF;
}

SIMD_INLINE words simd_sums_of_pairs(words pairs)
{
    return (words)((f32s)simd_first_of_pairs(pairs) + (f32s)simd_second_of_pairs(pairs));
}

/* Words of two f32 each, which are rounded as simd_to_bf16 rounds them. */
SIMD_INLINE words simd_to_pairs(words first, words second)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    /* Either half of a word is one vector's; the other one's is brought there within the word. */
    const __m512i swap = _mm512_set4_epi32(0x0d0c0f0e, 0x09080b0a, 0x05040706, 0x01000302);
    const __mmask64 firsts = 0x3333333333333333;
    const __m512i x = (__m512i)first, y = (__m512i)second;
    const __m512i upper = _mm512_mask_shuffle_epi8(y, firsts, x, swap);
    const __m512i lower = _mm512_mask_shuffle_epi8(x, ~firsts, y, swap);
    /* The upper half goes up if the lower one is more than half of its last place; or is just that,
     * if it is odd: then its last bit makes the lower one more. */
    const __m512i last = _mm512_set1_epi16(1), half = _mm512_set1_epi16(INT16_MIN);
    const __m512i more = _mm512_ternarylogic_epi32(lower, upper, last, 0xf8);
    return (words)_mm512_mask_add_epi16(upper, _mm512_cmpgt_epu16_mask(more, half), upper, last);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    const __m256i x = (__m256i)first, y = (__m256i)second;
    const __m256i upper = _mm256_blend_epi16((__m256i)(first >> 16), y, 0xaa);
    const __m256i lower = _mm256_blend_epi16(x, (__m256i)(second << 16), 0xaa);
    /* The same in the highest bit, if 1 is taken from the lower half where the upper one is even.
     */
    const __m256i even = _mm256_andnot_si256(upper, _mm256_set1_epi16(1));
    const __m256i more = _mm256_srli_epi16(_mm256_subs_epu16(lower, even), 15);
    return (words)_mm256_add_epi16(upper, more);
#else
    first = first + 0x7fff + (first >> 16 & 1);
    second = second + 0x7fff + (second >> 16 & 1);
    return first >> 16 | (second & SIMD_UPPER_HALF);
#endif
}

#endif
