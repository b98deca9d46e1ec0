/*
 * cuda_half.cuh - floats of 16 bits on the device: their types, two of them in a word, and f32
 *
 * An element is the word that the contract says it is, with a type of its own. To f32 each converts
 * exactly; back it is rounded to nearest, ties to even, which is one instruction for two elements.
 */
#ifndef CUDA_HALF_CUH
#define CUDA_HALF_CUH

#include "cuda_access.cuh"

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

enum class cuda_f16 : uint16_t {};
enum class cuda_bf16 : uint16_t {};

template <typename T>
inline constexpr bool cuda_is_half = std::is_same_v<T, cuda_f16> || std::is_same_v<T, cuda_bf16>;

/* One element, and two of a word: the lower half is the first. */
template <typename T> struct cuda_half;

template <> struct cuda_half<cuda_f16> {
    static constexpr unsigned INFINITE = 0x7c00;

    static __host__ __device__ float to_f32(cuda_f16 element)
    {
        __half_raw raw = {};
        raw.x = static_cast<uint16_t>(element);
        return __half2float(raw);
    }
    static __host__ __device__ cuda_f16 from_f32(float value)
    {
        return static_cast<cuda_f16>(static_cast<__half_raw>(__float2half_rn(value)).x);
    }
    static __device__ float low(unsigned word)
    {
        return __low2float(cuda_same_bits<__half2>(word));
    }
    static __device__ float high(unsigned word)
    {
        return __high2float(cuda_same_bits<__half2>(word));
    }
    static __device__ unsigned pair(float low, float high)
    {
        return cuda_same_bits<unsigned>(__floats2half2_rn(low, high));
    }
    /* Of each of two elements; where one is NaN, the other. */
    static __device__ unsigned greater(unsigned left, unsigned right)
    {
        return cuda_same_bits<unsigned>(
            __hmax2(cuda_same_bits<__half2>(left), cuda_same_bits<__half2>(right)));
    }
};

template <> struct cuda_half<cuda_bf16> {
    static constexpr unsigned INFINITE = 0x7f80;

    static __host__ __device__ float to_f32(cuda_bf16 element)
    {
        __nv_bfloat16_raw raw = {};
        raw.x = static_cast<uint16_t>(element);
        return __bfloat162float(raw);
    }
    static __host__ __device__ cuda_bf16 from_f32(float value)
    {
        return static_cast<cuda_bf16>(static_cast<__nv_bfloat16_raw>(__float2bfloat16_rn(value)).x);
    }
    static __device__ float low(unsigned word)
    {
        return cuda_same_bits<float>(word << 16);
    }
    static __device__ float high(unsigned word)
    {
        return cuda_same_bits<float>(word & 0xffff0000);
    }
    static __device__ unsigned pair(float low, float high)
    {
        return cuda_same_bits<unsigned>(__floats2bfloat162_rn(low, high));
    }
    static __device__ unsigned greater(unsigned left, unsigned right)
    {
        return cuda_same_bits<unsigned>(
            __hmax2(cuda_same_bits<__nv_bfloat162>(left), cuda_same_bits<__nv_bfloat162>(right)));
    }
};

#endif
