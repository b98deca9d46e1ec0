/*
 * cuda_runtime.h - CUDA's words for the emulator
 *
 * A test that has this folder on its include path, before any CUDA Toolkit, compiles kernels as
 * plain C++. Only what our kernels use is here.
 */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "emulator.h"

#include <algorithm>
#include <cstring>

/* NOLINTBEGIN(bugprone-reserved-identifier): these names are CUDA's. */
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __grid_constant__

/* Not macros: a launch has members of the same names. */
template <emulator::position (*WHERE)()> struct emulated_position {
    struct number {
        operator unsigned() const /* NOLINT(google-explicit-constructor) */
        {
            return WHERE().x;
        }
    };
    number x;
};
inline constexpr emulated_position<emulator::thread_index> threadIdx{};
inline constexpr emulated_position<emulator::block_index> blockIdx{};
inline constexpr emulated_position<emulator::block_size> blockDim{};
inline constexpr emulated_position<emulator::grid_size> gridDim{};

struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

template <typename T> inline T __ldcs(const T *from)
{
    if (reinterpret_cast<uintptr_t>(from) % sizeof(T) != 0)
        emulator::broken("a load at a misaligned address");
    return *from;
}

template <typename T> inline void __stcs(T *to, T value)
{
    if (reinterpret_cast<uintptr_t>(to) % sizeof(T) != 0)
        emulator::broken("a store at a misaligned address");
    *to = value;
}

template <typename T> inline void __stwb(T *to, T value)
{
    __stcs(to, value);
}

inline void __syncthreads()
{
    emulator::block_barrier();
}

inline void __syncwarp()
{
    emulator::warp_barrier();
}

inline void __threadfence()
{
    emulator::fence();
}

inline unsigned atomicAdd(unsigned *to, unsigned value)
{
    return emulator::add(to, value);
}

template <typename T> inline T __shfl_sync(unsigned, T value, int from)
{
    return static_cast<T>(emulator::warp_exchange("__shfl_sync", value)[from & 31]);
}

template <typename T> inline T __shfl_up_sync(unsigned, T value, unsigned distance)
{
    const uint64_t *all = emulator::warp_exchange("__shfl_up_sync", value);
    const unsigned lane = threadIdx.x % 32;
    return static_cast<T>(all[lane >= distance ? lane - distance : lane]);
}

template <typename T> inline T __shfl_down_sync(unsigned, T value, unsigned distance)
{
    const uint64_t *all = emulator::warp_exchange("__shfl_down_sync", value);
    const unsigned lane = threadIdx.x % 32;
    return static_cast<T>(all[lane + distance < 32 ? lane + distance : lane]);
}

inline unsigned __ballot_sync(unsigned, bool vote)
{
    const uint64_t *all = emulator::warp_exchange("__ballot_sync", vote ? 1 : 0);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        votes |= static_cast<unsigned>(all[lane]) << lane;
    return votes;
}

template <typename T> inline T __shfl_xor_sync(unsigned, T value, int distance)
{
    const uint64_t *all = emulator::warp_exchange("__shfl_xor_sync", value);
    return static_cast<T>(all[threadIdx.x % 32 ^ static_cast<unsigned>(distance)]);
}

inline bool __any_sync(unsigned lanes, bool vote)
{
    return __ballot_sync(lanes, vote) != 0;
}

inline unsigned __reduce_add_sync(unsigned, unsigned value)
{
    const uint64_t *all = emulator::warp_exchange("__reduce_add_sync", value);
    unsigned sum = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        sum += static_cast<unsigned>(all[lane]);
    return sum;
}

template <typename T> inline T __reduce_max_sync(unsigned, T value)
{
    const uint64_t *all = emulator::warp_exchange("__reduce_max_sync", value);
    T greatest = value;
    for (unsigned lane = 0; lane < 32; lane++)
        if (greatest < static_cast<T>(all[lane]))
            greatest = static_cast<T>(all[lane]);
    return greatest;
}

inline unsigned __umulhi(unsigned left, unsigned right)
{
    return static_cast<unsigned>(static_cast<uint64_t>(left) * right >> 32);
}
inline uint64_t __umul64hi(uint64_t left, uint64_t right)
{
    return static_cast<uint64_t>(static_cast<unsigned __int128>(left) * right >> 64);
}

inline int __clz(int bits)
{
    return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits));
}

inline int __ffs(unsigned bits)
{
    return __builtin_ffs(static_cast<int>(bits));
}

/* The upper half of both, shifted to the left, by 32 at most. */
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned bits)
{
    const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
    return static_cast<unsigned>((bits < 32 ? both << bits : both << 32) >> 32);
}

/* The lower half of both, shifted to the right, by less than 32. */
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (bits & 31));
}

/* Byte n of the result is the byte of the eight in low and high that the selector's nibble n names.
 */
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
    const uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    unsigned chosen = 0;
    for (unsigned n = 0; n < 32; n += 8)
        chosen |= static_cast<unsigned>(bytes >> (selector >> n / 2 & 7) * 8 & 0xff) << n;
    return chosen;
}

/* Products of elements with bytes, of all four, and of two with the lower two bytes. */
inline unsigned __dp4a(unsigned elements, unsigned bytes, unsigned sum)
{
    for (unsigned n = 0; n < 32; n += 8)
        sum += (elements >> n & 0xff) * (bytes >> n & 0xff);
    return sum;
}

inline unsigned __dp2a_lo(unsigned elements, unsigned bytes, unsigned sum)
{
    return sum + (elements & 0xffff) * (bytes & 0xff) + (elements >> 16) * (bytes >> 8 & 0xff);
}

/* Of two lanes of type T each. */
template <typename T> inline unsigned emulated_max2(unsigned left, unsigned right)
{
    const T low = std::max(static_cast<T>(left), static_cast<T>(right));
    const T high = std::max(static_cast<T>(left >> 16), static_cast<T>(right >> 16));
    return static_cast<unsigned>(static_cast<uint16_t>(high)) << 16 | static_cast<uint16_t>(low);
}

inline unsigned __vmaxs2(unsigned left, unsigned right)
{
    return emulated_max2<int16_t>(left, right);
}

inline unsigned __vmaxu2(unsigned left, unsigned right)
{
    return emulated_max2<uint16_t>(left, right);
}

inline unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__vmaxs2(a, b), c);
}

inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxu2(__vmaxu2(a, b), c);
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
