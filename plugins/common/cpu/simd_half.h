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

SIMD_INLINE u16_half simd_to_bf16(words x)
{
    words rounded = x + 0x7fff + (x >> 16 & 1);
    const words quiet = x | UINT32_C(0x400000);
#if defined(__x86_64__) && SIMD_BYTES == 64
    const __mmask16 nan = _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
    rounded = (words)_mm512_mask_mov_epi32((__m512i)rounded, nan, (__m512i)quiet);
    return (u16_half)_mm512_cvtepi32_epi16((__m512i)(rounded >> 16));
#else
    const words nan = (words)((f32s)x != (f32s)x);
    rounded = ((quiet & nan) | (rounded & ~nan)) >> 16;
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
