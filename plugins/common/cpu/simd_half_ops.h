/*
 * simd_half_ops.h - the operators on floats of 16 bits, which are f32 in vectors, a part of
 * simd_vector.h
 */
#ifndef SIMD_HALF_OPS_H
#define SIMD_HALF_OPS_H

#if defined(__x86_64__) && SIMD_BYTES == 64
#define SIMD_MAX_F32S(left, right) (words) _mm512_max_ps((__m512)(right), (__m512)(left))
#define SIMD_MIN_F32S(left, right) (words) _mm512_min_ps((__m512)(right), (__m512)(left))
#elif defined(__x86_64__) && SIMD_BYTES == 32
#define SIMD_MAX_F32S(left, right) (words) _mm256_max_ps((__m256)(right), (__m256)(left))
#define SIMD_MIN_F32S(left, right) (words) _mm256_min_ps((__m256)(right), (__m256)(left))
#elif defined(__x86_64__)
#define SIMD_MAX_F32S(left, right) (words) _mm_max_ps((__m128)(right), (__m128)(left))
#define SIMD_MIN_F32S(left, right) (words) _mm_min_ps((__m128)(right), (__m128)(left))
#else
#define SIMD_MAX_F32S(left, right) simd_choose((words)((f32s)(left) < (f32s)(right)), right, left)
#define SIMD_MIN_F32S(left, right) simd_choose((words)((f32s)(left) > (f32s)(right)), right, left)
#endif

/* Is the identity all zeros, and does it change nothing, whatever it is added to? */
SIMD_INLINE bool simd_is_sum(const simd_op op)
{
    return op == SIMD_SUM_F16 || op == SIMD_SUM_BF16 || op == SIMD_SUM_BF16_PAIRS;
}

/* left (+) right, element by element. */
SIMD_INLINE words simd_combine(const simd_op op, words left, words right)
{
    if (simd_is_sum(op))
        return (words)((f32s)left + (f32s)right);
    return op == SIMD_MAX_F16 || op == SIMD_MAX_BF16 ? SIMD_MAX_F32S(left, right)
                                                     : SIMD_MIN_F32S(left, right);
}

#endif
