/*
 * single_kernel.cuh - a scan by one block, or by one cluster whose blocks exchange totals in their
 * shared memory
 *
 * Each warp scans its lines in registers. The warps' totals meet in shared memory; every warp adds
 * up those before it itself, so that one barrier is enough. In a cluster each block then sends its
 * total into the shared memory of every block, and when all have come there, each warp adds up
 * those of the blocks before it. Nothing goes through global memory but the elements, once.
 *
 * What is longer than one round of the whole cluster takes further rounds, with a carry. They
 * alternate between two sets of totals, each with its barrier: who sends a total of round k has got
 * all of round k-1, so everybody has begun that round and is done with round k-2.
 */
#ifndef SINGLE_KERNEL_CUH
#define SINGLE_KERNEL_CUH

#include "cuda_bulk.cuh"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_sync.cuh"
#include "single_scan.h"

/* Totals of blocks, and the barrier at which they arrive. */
template <typename T> struct single_totals {
    T of_cta[SINGLE_MOST_CLUSTER];
    cuda_phases all_here;
};

/* Two sets of totals. */
template <typename T> struct single_shared {
    T of_warp[2][CUDA_WARP];
    single_totals<T> totals[2];
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

/* Before the others send anything. */
template <typename T> __device__ inline void single_begin(single_totals<T> *totals)
{
    if (threadIdx.x == 0) {
        cuda_phases_begin(&totals[0].all_here, 1);
        cuda_phases_begin(&totals[1].all_here, 1);
        cuda_phases_show();
    }
    __syncwarp(); /* the barrier is one of whole warps */
    cuda_cluster_arrive();
}

/* Gives `total` of this block to all blocks of the cluster, which have begun, and waits for theirs.
 * A set is used every second round, so `parity` is that of half the round's number. */
template <typename T>
__device__ inline void single_tell(single_totals<T> *totals, unsigned ctas, const T &total,
                                   unsigned parity)
{
    if (threadIdx.x == 0)
        cuda_phases_announce(&totals->all_here, ctas * static_cast<unsigned>(sizeof(T)));
    if (threadIdx.x < ctas)
        cuda_send(totals->of_cta + cuda_cluster_rank(), threadIdx.x, total, &totals->all_here);
    cuda_phases_wait(&totals->all_here, parity);
}

/* The grid is one cluster of `ctas` blocks. out may be in. */
template <typename Op, unsigned LINES, typename T>
__global__ void __launch_bounds__(1024)
    single_scan(Op op, const T *in, T *out, uint64_t n, bool inclusive, unsigned ctas)
{
    using lines_type = cuda_lines<Op, LINES>;
    using total_type = typename Op::total;
    CUDA_SHARED(single_shared<total_type>, shared);
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const unsigned rank = ctas > 1 ? cuda_cluster_rank() : 0;
    const uint64_t round = static_cast<uint64_t>(ctas) * warps * lines_type::elements;
    const uint64_t skew = cuda_skew(in);
    total_type carry = op.identity();
    unsigned k = 0; /* the round's number */
    if (ctas > 1)
        single_begin(shared.totals);
    for (uint64_t start = 0; start < n + skew; start += round, k++) {
        const unsigned turn = k % 2;
        const uint64_t first = start + (rank * warps + warp) * lines_type::elements - skew;
        lines_type lines;
        lines.load(op, in, n, first);
        const total_type mine = lines.scan(op, inclusive);
        if (threadIdx.x % CUDA_WARP == 0)
            shared.of_warp[turn][warp] = mine;
        __syncthreads();
        total_type before, total;
        single_add_up(op, shared.of_warp[turn], warps, warp, &before, &total);
        if (ctas > 1) {
            if (k == 0)
                cuda_cluster_wait();
            single_tell(shared.totals + turn, ctas, total, k / 2 % 2);
            total_type before_cta;
            single_add_up(op, shared.totals[turn].of_cta, ctas, rank, &before_cta, &total);
            before = op(before_cta, before);
        }
        lines.store(op, out, n, first, op(carry, before));
        carry = op(carry, total);
    }
}

#endif
