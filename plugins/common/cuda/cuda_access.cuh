/*
 * cuda_access.cuh - memory accesses and shuffles of whole elements, of any dtype
 */
#ifndef CUDA_ACCESS_CUH
#define CUDA_ACCESS_CUH

#include <cstring>
#include <cuda_runtime.h>
#include <type_traits>

template <typename T, bool NARROW = sizeof(T) < 4> struct alignas(16) cuda_vector {
    static constexpr unsigned count = 16 / sizeof(T);
    T element[count];
};

/* Narrow elements stay together in words; an array of them would lie in a register each. */
template <typename T> struct alignas(16) cuda_vector<T, true> {
    static constexpr unsigned count = 16 / sizeof(T);
    unsigned word[4];
};

/* By value: of a reference to memory the compiler makes loads of single bytes. */
template <typename To, typename From> __device__ inline To cuda_same_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

/* Element e of a vector in registers; e is known when this is compiled. */
template <typename T> __device__ inline T cuda_element(const cuda_vector<T> &of, unsigned e)
{
    if constexpr (sizeof(T) < 4)
        return static_cast<T>(of.word[e * sizeof(T) / 4] >> e * sizeof(T) % 4 * 8);
    else
        return of.element[e];
}

template <typename T>
__device__ inline void cuda_set_element(cuda_vector<T> &of, unsigned e, T element)
{
    if constexpr (sizeof(T) < 4) {
        constexpr unsigned ones = (1u << 8 * sizeof(T)) - 1;
        const unsigned at = e * sizeof(T) % 4 * 8;
        unsigned &word = of.word[e * sizeof(T) / 4];
        word = (word & ~(ones << at)) | (static_cast<unsigned>(element) & ones) << at;
    } else {
        of.element[e] = element;
    }
}

/* Accesses to data that is not used again, which leave the cache to other data. */
template <typename T> __device__ inline T cuda_load_once(const T *from)
{
    if constexpr (sizeof(T) == 16) {
        return cuda_same_bits<T>(__ldcs(reinterpret_cast<const uint4 *>(from)));
    } else if constexpr (sizeof(T) == 8) {
        return cuda_same_bits<T>(__ldcs(reinterpret_cast<const uint2 *>(from)));
    } else {
        return cuda_same_bits<T>(__ldcs(reinterpret_cast<const unsigned *>(from)));
    }
}

template <typename T> __device__ inline void cuda_store_once(T *to, const T &value)
{
    if constexpr (sizeof(T) == 16)
        __stcs(reinterpret_cast<uint4 *>(to), cuda_same_bits<uint4>(value));
    else if constexpr (sizeof(T) == 8)
        __stcs(reinterpret_cast<uint2 *>(to), cuda_same_bits<uint2>(value));
    else
        __stcs(reinterpret_cast<unsigned *>(to), cuda_same_bits<unsigned>(value));
}

/* One access of 16 bytes, with which the compiler does not meddle: beside a store of single
 * elements of the same vector it would make single ones of both. */
template <typename T> __device__ inline void cuda_store_vector(T *to, const cuda_vector<T> &values)
{
    __stwb(reinterpret_cast<uint4 *>(to), cuda_same_bits<uint4>(values));
}

/* An element as the bits that a shuffle moves. */
template <typename T>
using cuda_word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

enum : unsigned { CUDA_WARP = 32, CUDA_ALL_LANES = 0xffffffffu };

/* Threads that a multiprocessor holds, which bounds a kernel's registers; the least of all devices
 * if it is unknown. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || \
    __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030
enum : unsigned { CUDA_THREADS_PER_PROCESSOR = 2048 };
#else
enum : unsigned { CUDA_THREADS_PER_PROCESSOR = 1024 };
#endif

/* The value of the lane `distance` before or after this one; this lane's own where
 * there is no such lane. All lanes of the warp call. */
template <typename T> __device__ inline T cuda_shuffle_up(const T &value, unsigned distance)
{
    return cuda_same_bits<T>(
        __shfl_up_sync(CUDA_ALL_LANES, cuda_same_bits<cuda_word<T>>(value), distance));
}

template <typename T> __device__ inline T cuda_shuffle_down(const T &value, unsigned distance)
{
    return cuda_same_bits<T>(
        __shfl_down_sync(CUDA_ALL_LANES, cuda_same_bits<cuda_word<T>>(value), distance));
}

template <typename T> __device__ inline T cuda_shuffle_from(const T &value, unsigned lane)
{
    return cuda_same_bits<T>(
        __shfl_sync(CUDA_ALL_LANES, cuda_same_bits<cuda_word<T>>(value), static_cast<int>(lane)));
}

/* The inclusive scan of `value` over the first `lanes` lanes of the warp. */
template <typename Op, typename T>
__device__ inline T cuda_scan_warp(Op op, T value, unsigned lanes)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    for (unsigned step = 1; step < lanes; step *= 2) {
        const T left = cuda_shuffle_up(value, step);
        if (lane >= step)
            value = op(left, value);
    }
    return value;
}

#endif
