/*
 * multi_reduce.cuh - the total of a part, handed to all later parts by the last block
 *
 * Elements are combined with their neighbours only, in a fixed order, unless the operator commutes:
 * a warp folds its pieces from left to right, a block its warps, the last block all chunks.
 *
 * Chunks are read from the array's end back, so that what is read last, and may still be in the L2
 * cache, is what the scan reads first.
 */
#ifndef MULTI_REDUCE_CUH
#define MULTI_REDUCE_CUH

#include "cuda_common.h"
#include "cuda_fold.cuh"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "multi_scan.h"

/* What a test may break. */
struct multi_reduce_rules {
    /* By the thread that has stored a total, before it says so. */
    static __device__ void fence()
    {
        __threadfence();
    }
};

/* The threads of a block. */
template <typename T> struct multi_shared {
    T warp_total[CUDA_WARP];
    bool is_last;
};

/* The total of one value per warp, the same in its lanes, in every thread. */
template <typename Op, typename T>
__device__ inline T multi_fold_warps(Op op, const T &of_warp, multi_shared<T> &shared)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    if (lane == 0)
        shared.warp_total[threadIdx.x / CUDA_WARP] = of_warp;
    __syncthreads();
    const T each = lane < blockDim.x / CUDA_WARP ? shared.warp_total[lane] : op.identity();
    const T total = cuda_fold_lanes(op, each);
    __syncthreads(); /* the next fold stores there */
    return total;
}

template <typename Op, typename Rules = multi_reduce_rules> struct multi_reducer {
    using T = typename Op::value;
    using lines_type = cuda_lines<Op, MULTI_LINES>;
    using bits = cuda_word<T>;
    static constexpr unsigned piece = lines_type::elements;

    const Op op;
    const multi_reduction<T> &control;
    multi_shared<T> &shared;

    __device__ void run(unsigned block, unsigned blocks)
    {
        T mine = op.identity();
        for (unsigned turn = block; turn < control.chunks; turn += blocks) {
            const unsigned chunk = control.chunks - 1 - turn;
            const T total = of_chunk(chunk);
            if constexpr (Op::commutes)
                mine = op(mine, total);
            else
                keep(chunk, multi_fold_warps(op, total, shared));
        }
        if constexpr (Op::commutes)
            keep(block, multi_fold_warps(op, cuda_fold_lanes(op, mine), shared));
        if (is_last(blocks))
            hand_on(fold_totals(Op::commutes ? blocks : control.chunks));
    }

  private:
    /* This warp's share of a chunk, in all lanes; if the operator commutes, this lane's. */
    __device__ T of_chunk(unsigned chunk) const
    {
        const unsigned warps = blockDim.x / CUDA_WARP;
        const unsigned skew = cuda_skew(control.in); /* pieces begin where accesses can */
        const uint64_t place = static_cast<uint64_t>(chunk) * warps + threadIdx.x / CUDA_WARP;
        uint64_t at = place * control.runs * piece;
        T total = op.identity();
        for (unsigned k = 0; k < control.runs && at < control.n + skew; k++, at += piece) {
            lines_type lines;
            lines.load(op, control.in, control.n, at - skew);
            total = op(total, of_piece(lines));
        }
        return total;
    }

    __device__ T of_piece(const lines_type &lines) const
    {
        T each[MULTI_LINES];
#pragma unroll
        for (unsigned r = 0; r < MULTI_LINES; r++) {
            each[r] = lines.line[r].element[0];
#pragma unroll
            for (unsigned e = 1; e < lines_type::per_lane; e++)
                each[r] = op(each[r], lines.line[r].element[e]);
        }
        if constexpr (Op::commutes) {
#pragma unroll
            for (unsigned r = 1; r < MULTI_LINES; r++)
                each[0] = op(each[0], each[r]);
            return each[0];
        } else {
            return cuda_fold(op, each);
        }
    }

    __device__ void keep(unsigned place, const T &total) const
    {
        if (threadIdx.x == 0)
            cuda_store_relaxed(control.totals + place,
                               static_cast<uint64_t>(cuda_same_bits<bits>(total)));
    }

    /* Have all other blocks kept their totals? */
    __device__ bool is_last(unsigned blocks)
    {
        if (threadIdx.x == 0) {
            Rules::fence();
            shared.is_last = atomicAdd(control.done, 1u) - control.first_done == blocks - 1;
            Rules::fence();
        }
        __syncthreads();
        return shared.is_last;
    }

    /* Each thread folds neighbours. */
    __device__ T fold_totals(unsigned count)
    {
        const unsigned each = (count + blockDim.x - 1) / blockDim.x;
        T total = op.identity();
#pragma unroll 4
        for (unsigned i = threadIdx.x * each; i < (threadIdx.x + 1) * each; i++)
            if (i < count)
                total =
                    op(total,
                       cuda_same_bits<T>(static_cast<bits>(cuda_load_relaxed(control.totals + i))));
        return multi_fold_warps(op, cuda_fold_lanes(op, total), shared);
    }

    __device__ void hand_on(const T &total) const
    {
        if (control.sent != nullptr) {
            if (threadIdx.x == 0)
                *control.sent = total;
            return;
        }
        for (unsigned r = control.part + 1 + threadIdx.x; r < control.parts; r += blockDim.x)
            multi_words<T>::store(control.everyone[r] + control.part, control.number, total);
    }
};

template <typename Op, typename T>
__global__ void __launch_bounds__(MULTI_REDUCE_BLOCK, 4)
    multi_reduce(Op op, multi_reduction<T> control)
{
    CUDA_SHARED(multi_shared<T>, shared);
    multi_reducer<Op>{op, control, shared}.run(blockIdx.x, gridDim.x);
}

#endif
