/*
 * vt_kernels.cuh - the kernels of the three phases
 *
 * (1) up-sweep: each thread reduces its VT values in registers, the block reduces
 *     the threads' totals, the tile's total goes to the spine;
 * (2) spine: a scan of the tile totals;
 * (3) down-sweep: each thread reads its VT values again and emits them, beginning
 *     with what comes before it in the tile and before the tile.
 */
#ifndef VT_KERNELS_CUH
#define VT_KERNELS_CUH

#include "cuda_common.h"
#include "vt_exchange.cuh"
#include "vt_scan.h"

#include <utility>

/* Lane 0 gets the total of all lanes, in their order. */
template <typename Op, typename T> __device__ inline T vt_reduce_warp(Op op, T value)
{
#pragma unroll
    for (unsigned step = 1; step < CUDA_WARP; step *= 2)
        value = op(value, cuda_shuffle_down(value, step));
    return value;
}

/*
 * The total of all threads before this one in the block, given this thread's total; *all_p is the
 * total of the block. `totals` has room for one value per warp. One barrier.
 */
template <typename Op, typename T>
__device__ inline T vt_scan_block(Op op, T mine, T *totals, T *all_p)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const T up_to = cuda_scan_warp(op, mine, CUDA_WARP);
    T before = cuda_shuffle_up(up_to, 1);
    if (lane == 0)
        before = op.identity();
    if (warps == 1) {
        *all_p = cuda_shuffle_from(up_to, CUDA_WARP - 1);
        return before;
    }
    if (lane == CUDA_WARP - 1)
        totals[warp] = up_to;
    __syncthreads();
    const T each = lane < warps ? totals[lane] : op.identity();
    const T warps_up_to = cuda_scan_warp(op, each, warps);
    *all_p = cuda_shuffle_from(warps_up_to, warps - 1);
    const T warps_before = cuda_shuffle_from(warps_up_to, warp > 0 ? warp - 1 : 0);
    return warp > 0 ? op(warps_before, before) : before;
}

/* The total of elements in 16 bytes, from the left. */
template <typename Op, typename T> __device__ inline T vt_reduce_unit(Op op, const uint4 &raw)
{
    const cuda_vector<T> unit = cuda_same_bits<cuda_vector<T>>(raw);
    T total = unit.element[0];
#pragma unroll
    for (unsigned e = 1; e < cuda_vector<T>::count; e++)
        total = op(total, unit.element[e]);
    return total;
}

/*
 * The total of `units` units of 16 bytes; each of `lanes` threads side by side takes every lanes-th
 * unit. If the operator commutes, a thread combines all its units first; otherwise the lanes of a
 * warp, whose units are adjacent, combine each row in order.
 */
template <typename Op, typename T>
__device__ inline T vt_reduce_units(Op op, const uint4 *from, unsigned units, unsigned mine,
                                    unsigned lanes)
{
    constexpr unsigned ahead = 4; /* accesses in flight */
    T total = op.identity();
#pragma unroll 1
    for (unsigned start = 0; start < units; start += ahead * lanes) {
        uint4 unit[ahead];
#pragma unroll
        for (unsigned k = 0; k < ahead; k++)
            if (start + k * lanes + mine < units)
                unit[k] = from[start + k * lanes + mine];
#pragma unroll
        for (unsigned k = 0; k < ahead; k++) {
            const bool there = start + k * lanes + mine < units;
            T part = there ? vt_reduce_unit<Op, T>(op, unit[k]) : op.identity();
            if constexpr (!Op::commutes)
                part = vt_reduce_warp(op, part);
            total = op(total, part);
        }
    }
    return Op::commutes ? vt_reduce_warp(op, total) : total;
}

/* Only whole tiles: the total of the last tile is not needed. */
template <typename Op, typename T>
static __global__ void upsweep(Op op, const T *in, T *totals, unsigned vt)
{
    __shared__ T warp_total[CUDA_WARP];
    cuda_wait_for_previous();
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const uint64_t begin = static_cast<uint64_t>(blockIdx.x) * blockDim.x * vt;
    const uint4 *const units = reinterpret_cast<const uint4 *>(in + begin);
    const unsigned per_warp = CUDA_WARP * vt * static_cast<unsigned>(sizeof(T)) / 16;
    T total;
    if constexpr (Op::commutes)
        total = vt_reduce_units<Op, T>(op, units, warps * per_warp, threadIdx.x, blockDim.x);
    else
        total = vt_reduce_units<Op, T>(op, units + warp * per_warp, per_warp, lane, CUDA_WARP);
    if (warps > 1) {
        if (lane == 0)
            warp_total[warp] = total;
        __syncthreads();
        if (warp > 0)
            return;
        total = vt_reduce_warp(op, lane < warps ? warp_total[lane] : op.identity());
    }
    if (lane == 0)
        totals[blockIdx.x] = total;
}

template <typename Op, typename T>
static __global__ void __launch_bounds__(VT_SPINE_BLOCK) spine(Op op, T *totals, uint64_t n)
{
    constexpr unsigned vt = VT_SPINE_BYTES / sizeof(T);
    __shared__ T
        warp_total[2][CUDA_WARP]; /* alternating, so that one barrier per round is enough */
    cuda_wait_for_previous();
    T carry = op.identity();
    unsigned turn = 0;
    for (uint64_t start = 0; start < n; start += blockDim.x * vt, turn ^= 1) {
        const uint64_t first = start + threadIdx.x * vt;
        T *const from = totals + first;
        const bool whole = first + vt <= n;
        alignas(16) T value[vt];
        if (whole) {
#pragma unroll
            for (unsigned i = 0; i < vt; i += cuda_vector<T>::count) {
                const uint4 raw = *reinterpret_cast<const uint4 *>(&from[i]);
                memcpy(&value[i], &raw, sizeof raw);
            }
        } else {
#pragma unroll
            for (unsigned i = 0; i < vt; i++)
                value[i] = first + i < n ? from[i] : op.identity();
        }
#pragma unroll
        for (unsigned i = 1; i < vt; i++)
            value[i] = op(value[i - 1], value[i]);
        T all;
        const T before = op(carry, vt_scan_block(op, value[vt - 1], warp_total[turn], &all));
        carry = op(carry, all);
#pragma unroll
        for (unsigned i = 0; i < vt; i++)
            value[i] = op(before, value[i]);
        if (whole) {
#pragma unroll
            for (unsigned i = 0; i < vt; i += cuda_vector<T>::count) {
                uint4 raw;
                memcpy(&raw, &value[i], sizeof raw);
                *reinterpret_cast<uint4 *>(&from[i]) = raw;
            }
        } else {
#pragma unroll
            for (unsigned i = 0; i < vt; i++)
                if (first + i < n)
                    from[i] = value[i];
        }
    }
}

/* The blocks go from the end to the beginning: the tiles that the up-sweep read last
 * are still in the cache. */
template <typename Op, typename T, unsigned VT>
static __global__ void downsweep(Op op, const T *in, T *out, uint64_t n, vt_carries<T> carries,
                                 bool inclusive)
{
    using exchange = vt_exchange<T, VT>;
    extern __shared__ uint4 memory[];
    __shared__ T warp_total[CUDA_WARP];
    cuda_wait_for_previous();
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const uint64_t tile = gridDim.x - 1 - blockIdx.x;
    const uint64_t begin = (tile * (blockDim.x / CUDA_WARP) + warp) * exchange::elements;
    const uint64_t left = begin < n ? n - begin : 0;
    uint4 *const room = memory + warp * exchange::room;

    T carry = op.identity();
    if (carries.raw == 0) {
        if (tile > 0)
            carry = carries.of[tile - 1];
    } else {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        const T total = lane < carries.raw ? carries.of[lane] : op.identity();
        const T scanned = cuda_scan_warp(op, total, CUDA_WARP);
        const T before = cuda_shuffle_from(scanned, tile > 0 ? static_cast<unsigned>(tile) - 1 : 0);
        if (tile > 0)
            carry = before;
    }
    T value[VT];
    exchange::load(room, in + begin, left, op.identity(), value);
    T total = value[0];
#pragma unroll
    for (unsigned i = 1; i < VT; i++)
        total = op(total, value[i]);
    T all;
    T running = op(carry, vt_scan_block(op, total, warp_total, &all));
#pragma unroll
    for (unsigned i = 0; i < VT; i++) {
        const T next = op(running, value[i]);
        value[i] = inclusive ? next : running;
        running = next;
    }
    exchange::store(room, out + begin, left, value);
}

template <typename Op, size_t... INDEX>
const vt_kernels<Op> &vt_make_kernels(std::index_sequence<INDEX...>)
{
    using T = typename Op::value;
    static const vt_kernels<Op> kernels = {
        upsweep<Op, T>,
        spine<Op, T>,
        {nullptr, downsweep<Op, T, INDEX + 1>...},
        {0, 16u * vt_exchange<T, INDEX + 1>::room...},
    };
    return kernels;
}

template <typename Op> const vt_kernels<Op> &vt_kernels_of()
{
    return vt_make_kernels<Op>(std::make_index_sequence<VT_MAX>());
}

#endif
