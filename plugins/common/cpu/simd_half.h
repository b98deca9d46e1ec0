/*
 * simd_half.h - vectors of f32 from floats of 16 bits in memory and to them, a part of
 * simd_vector.h
 *
 * As scan_half.h converts them. f16 has instructions for that, but in what every CPU has; those of
 * AVX-512 for bf16 take subnormal numbers for 0.
 */
#ifndef SIMD_HALF_H
#define SIMD_HALF_H

#include "scan_half.h"

/* The words of bf16 are the upper halves of words. */
SIMD_INLINE words simd_of_bf16(u16_half half)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    return (words)_mm512_cvtepu16_epi32((__m256i)half) << 16;
#elif defined(__x86_64__) && SIMD_BYTES == 32
    return (words)_mm256_cvtepu16_epi32((__m128i)half) << 16;
#else
    return __builtin_convertvector(half, words) << 16;
#endif
}

/* No word here is a NaN in its lower half alone, which rounding would lose or carry on: each comes
 * from a NaN of bf16, whose bits addition keeps, or is the one that the CPU makes. */
SIMD_INLINE u16_half simd_to_bf16(words x)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    /* One permutation takes the upper halves; conversion would shift them, too. */
    const __m512i odd = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0x1f001d, 0x1b0019, 0x170015,
                                         0x130011, 0xf000d, 0xb0009, 0x70005, 0x30001);
    const __mmask16 up = _mm512_test_epi32_mask((__m512i)x, _mm512_set1_epi32(0x10000));
    const __m512i less = _mm512_add_epi32((__m512i)x, _mm512_set1_epi32(0x7fff));
    const __m512i rounded = _mm512_mask_add_epi32(less, up, (__m512i)x, _mm512_set1_epi32(0x8000));
    return (u16_half)_mm512_castsi512_si256(_mm512_permutexvar_epi16(odd, rounded));
#else
    const words rounded = (x + 0x7fff + (x >> 16 & 1)) >> 16;
#if defined(__x86_64__) && SIMD_BYTES == 32
    const __m256i packed = _mm256_packus_epi32((__m256i)rounded, (__m256i)rounded);
    return (u16_half)_mm256_castsi256_si128(
        _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0)));
#else
    return __builtin_convertvector(rounded, u16_half);
#endif
#endif
}

SIMD_INLINE words simd_of_f16(u16_half half)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    return (words)_mm512_cvtph_ps((__m256i)half);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    return (words)_mm256_cvtph_ps((__m128i)half);
#else
    words x;
    for (int i = 0; i < VECTOR_WORDS; i++)
        x[i] = scan_f32_bits(scan_f16_to_f32(half[i]));
    return x;
#endif
}

SIMD_INLINE u16_half simd_to_f16(words x)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    return (u16_half)_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    return (u16_half)_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    u16_half half;
    for (int i = 0; i < VECTOR_WORDS; i++)
        half[i] = scan_f16_from_f32(scan_f32_of_bits(x[i]));
    return half;
#endif
}

SIMD_INLINE bool simd_is_bf16(const simd_op op)
{
    return op == SIMD_SUM_BF16 || op == SIMD_MAX_BF16 || op == SIMD_MIN_BF16;
}

SIMD_INLINE words simd_widened(const simd_op op, f32_half half)
{
    return simd_is_bf16(op) ? simd_of_bf16((u16_half)half) : simd_of_f16((u16_half)half);
}

SIMD_INLINE f32_half simd_narrowed(const simd_op op, words vector)
{
    return (f32_half)(simd_is_bf16(op) ? simd_to_bf16(vector) : simd_to_f16(vector));
}

#endif
