/*
 * single_kernel.cuh - a scan by one block, or by one cluster whose blocks exchange totals in their
 * shared memory
 *
 * Each warp scans its rows in registers. The warps' totals meet in shared memory; every warp adds
 * up those before it itself, so that one barrier is enough. In a cluster each block then writes its
 * total into the shared memory of every block, and after one barrier of the cluster each warp adds
 * up the totals of the blocks before it. Nothing goes through global memory but the elements, once.
 *
 * What is longer than one round of the whole cluster takes further rounds, with a carry. They
 * alternate between two sets of totals: who writes those of round k has seen everybody arrive at
 * the barrier of round k-1, and so has everybody read those of round k-2.
 */
#ifndef SINGLE_KERNEL_CUH
#define SINGLE_KERNEL_CUH

#include "cuda_ops.cuh"
#include "cuda_rows.cuh"
#include "cuda_sync.cuh"
#include "single_scan.h"

/* Two sets of totals. */
template <typename T> struct single_shared {
    T of_warp[2][CUDA_WARP];
    T of_cta[2][SINGLE_MOST_CLUSTER];
};

/* The totals of[0 ... count-1], of which each lane has one: *before_p is the total of those before
 * `mine`, *all_p that of all. */
template <typename Op, typename T>
__device__ inline void single_add_up(Op op, const T *of, unsigned count, unsigned mine, T *before_p,
                                     T *all_p)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const T up_to = cuda_scan_warp(op, lane < count ? of[lane] : op.identity(), CUDA_WARP);
    const T before = cuda_shuffle_from(up_to, mine > 0 ? mine - 1 : 0);
    *before_p = mine > 0 ? before : op.identity();
    *all_p = cuda_shuffle_from(up_to, CUDA_WARP - 1);
}

/* Gives `total` of this block to all blocks of the cluster, whose shared memory may be written. */
template <typename T> __device__ inline void single_tell(T *of_cta, unsigned ctas, const T &total)
{
    if (threadIdx.x < ctas)
        *cuda_shared_of(of_cta + cuda_cluster_rank(), threadIdx.x) = total;
    __syncwarp(); /* the barrier is one of whole warps */
    cuda_cluster_arrive();
    cuda_cluster_wait();
}

/* The grid is one cluster of `ctas` blocks. out may be in. */
template <typename Op, unsigned ROWS, typename T>
__global__ void __launch_bounds__(1024)
    single_scan(Op op, const T *in, T *out, uint64_t n, bool inclusive, unsigned ctas)
{
    using rows_type = cuda_rows<Op, ROWS>;
    CUDA_SHARED(single_shared<T>, shared);
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const unsigned rank = ctas > 1 ? cuda_cluster_rank() : 0;
    const uint64_t round = static_cast<uint64_t>(ctas) * warps * rows_type::elements;
    const uint64_t skew = cuda_skew(in);
    T carry = op.identity();
    if (ctas > 1)
        cuda_cluster_arrive(); /* nobody's shared memory may be written before it has begun */
    for (uint64_t start = 0, turn = 0; start < n + skew; start += round, turn ^= 1) {
        const uint64_t first = start + (rank * warps + warp) * rows_type::elements - skew;
        rows_type rows;
        rows.load(op, in, n, first);
        const T mine = rows.scan(op, inclusive);
        if (threadIdx.x % CUDA_WARP == 0)
            shared.of_warp[turn][warp] = mine;
        __syncthreads();
        T before, total;
        single_add_up(op, shared.of_warp[turn], warps, warp, &before, &total);
        if (ctas > 1) {
            if (start == 0)
                cuda_cluster_wait();
            single_tell(shared.of_cta[turn], ctas, total);
            T before_cta;
            single_add_up(op, shared.of_cta[turn], ctas, rank, &before_cta, &total);
            before = op(before_cta, before);
        }
        rows.store(op, out, n, first, op(carry, before));
        carry = op(carry, total);
    }
}

#endif
