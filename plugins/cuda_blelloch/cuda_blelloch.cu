/*
 * cuda_blelloch.cu - the work-efficient scan of Blelloch, with and without padding
 *
 * A tile of two elements per thread is a balanced tree in shared memory. Up-sweep: level by level,
 * each node becomes the total of its two children, in place. The root is set to the identity.
 * Down-sweep: each node hands its value to its left child and its value (+) the left child's total
 * to the right one. 2*(tile - 1) additions in 2*log2(tile) steps; each level up uses half as many
 * threads. With the total before its tile, which is added to each element, work 3n.
 *
 * cuda_blelloch_bca pads the tree against bank conflicts (bank_index.h) and is
 * otherwise the same code.
 *
 * Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990; Harris,
 * Sengupta and Owens, GPU Gems 3, chapter 39, algorithms 3 and 4.
 *
 * Moves 4n elements (cuda_tiles.cuh).
 */
#include "cuda_tiles.cuh"

#include "bank_index.h"

/* BLOCK is a compile-time constant, so that every index of the tree is a shift and an addition away
 * from the thread's number; computing indices must not cost what the padding saves. */
template <typename Operator, unsigned BLOCK, bool PADDED> struct tree {
    using Op = Operator;
    using T = typename Op::value;

    /* The number of levels at which more than one warp works, and of all levels. */
    static constexpr int levels = BLOCK == 1024  ? 11
                                  : BLOCK == 512 ? 10
                                  : BLOCK == 256 ? 9
                                  : BLOCK == 128 ? 8
                                  : BLOCK == 64  ? 7
                                                 : 6;
    static constexpr int wide = levels - 6;

    static __host__ __device__ unsigned place(unsigned i)
    {
        return bank_index(i, PADDED, sizeof(T));
    }
    static __device__ void up(Op op, T *nodes, unsigned level)
    {
        if (threadIdx.x < BLOCK >> level) {
            T *const left = &nodes[bank_left(threadIdx.x, level, PADDED, sizeof(T))];
            T *const right = left + bank_apart(level, PADDED, sizeof(T));
            *right = op(*left, *right);
        }
    }
    static __device__ void down(Op op, T *nodes, unsigned level)
    {
        if (threadIdx.x < BLOCK >> level) {
            T *const left = &nodes[bank_left(threadIdx.x, level, PADDED, sizeof(T))];
            T *const right = left + bank_apart(level, PADDED, sizeof(T));
            const T total = *left;
            const T before = *right;
            *left = before;
            *right = op(before, total);
        }
    }
    /* The levels of at most 32 nodes, up to the root and down again. Only the first warp works on
     * them, so it needs no barrier of the block between them. */
    static __device__ void sweep_warp(Op op, T *nodes, bool keep, T *total)
    {
#pragma unroll
        for (int level = wide; level < levels; level++) {
            up(op, nodes, level);
            __syncwarp();
        }
        if (threadIdx.x == 0) {
            T *const root = &nodes[place(2 * BLOCK - 1)];
            if (keep)
                *total = *root;
            *root = op.identity();
        }
        __syncwarp();
#pragma unroll
        for (int level = levels; level-- > wide;) {
            down(op, nodes, level);
            __syncwarp();
        }
    }
    /* Replaces the tile in `nodes` by its exclusive scan and keeps its total. Every thread must
     * reach every barrier. */
    static __device__ void sweep(Op op, T *nodes, bool keep, T *total)
    {
#pragma unroll
        for (int level = 0; level < wide; level++) {
            __syncthreads();
            up(op, nodes, level);
        }
        __syncthreads();
        if (threadIdx.x < CUDA_WARP)
            sweep_warp(op, nodes, keep, total);
#pragma unroll
        for (int level = wide; level-- > 0;) {
            __syncthreads();
            down(op, nodes, level);
        }
        __syncthreads();
    }
};

/*
 * The tail of the last tile is the identity. The next tile's elements are loaded before this tile
 * is scanned, which hides the latency of the loads.
 */
template <typename Tree, typename Op, typename T, unsigned BLOCK>
static __global__ void __launch_bounds__(BLOCK,
                                         CUDA_THREADS_PER_PROCESSOR / (BLOCK > 64 ? BLOCK : 64))
    scan_tile(Op op, const T *in, T *out, uint64_t n, T *totals, bool inclusive)
{
    extern __shared__ uint4 memory[];
    T *const nodes = reinterpret_cast<T *>(memory);
    T *const low = &nodes[Tree::place(threadIdx.x)];
    T *const high = &nodes[Tree::place(threadIdx.x + BLOCK)];
    cuda_wait_for_previous();

    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * (2 * BLOCK);
    uint64_t start = static_cast<uint64_t>(blockIdx.x) * (2 * BLOCK);
    uint64_t i = start + threadIdx.x;
    T next_low = i < n ? cuda_load_once(&in[i]) : op.identity();
    T next_high = i + BLOCK < n ? cuda_load_once(&in[i + BLOCK]) : op.identity();
    for (uint64_t tile = blockIdx.x; start < n; tile += gridDim.x) {
        const T x_low = next_low;
        const T x_high = next_high;
        const uint64_t ahead = i + stride;
        next_low = ahead < n ? cuda_load_once(&in[ahead]) : op.identity();
        next_high = ahead + BLOCK < n ? cuda_load_once(&in[ahead + BLOCK]) : op.identity();

        *low = x_low;
        *high = x_high;
        Tree::sweep(op, nodes, n - start > 2 * BLOCK, &totals[tile]);
        /* The next tile's elements go where only this thread reads, so no barrier is needed. */
        const T y_low = inclusive ? op(*low, x_low) : *low;
        const T y_high = inclusive ? op(*high, x_high) : *high;
        if (i < n)
            out[i] = y_low;
        if (i + BLOCK < n)
            out[i + BLOCK] = y_high;
        i = ahead;
        start += stride;
    }
}

template <typename Op, unsigned BLOCK, bool PADDED> static cuda_tile_plan<Op> plan_block()
{
    using T = typename Op::value;
    using tree_of = tree<Op, BLOCK, PADDED>;
    return {scan_tile<tree_of, Op, T, BLOCK>, BLOCK, 2 * BLOCK,
            (tree_of::place(2 * BLOCK - 1) + 1) * sizeof(T), true};
}

template <bool PADDED> struct blelloch : cuda_tile_method {
    static scan_status check(const scan_host *host, const scan_problem *problem)
    {
        const int64_t block = problem->tunables[0];
        if ((block & (block - 1)) != 0)
            return host->fail(host, SCAN_UNSUPPORTED,
                              "block %lld: a balanced tree needs a power of two",
                              static_cast<long long>(block));
        return SCAN_OK;
    }
    template <typename Op> static cuda_tile_plan<Op> plan(const scan_problem *problem)
    {
        switch (problem->tunables[0]) {
        case 32:
            return plan_block<Op, 32, PADDED>();
        case 64:
            return plan_block<Op, 64, PADDED>();
        case 128:
            return plan_block<Op, 128, PADDED>();
        case 256:
            return plan_block<Op, 256, PADDED>();
        case 512:
            return plan_block<Op, 512, PADDED>();
        default:
            return plan_block<Op, 1024, PADDED>();
        }
    }
};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block",
                       "threads per block, a power of two; a tile has twice as many elements", 512,
                       32, 1024),
};

static const scan_plugin plain = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_blelloch",
    .name = "Blelloch, work-efficient",
    .version = "1.0",
    .summary = "up-sweep and down-sweep of a tree in shared memory, 3n additions",
    .reference = "Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990",
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_TILES(blelloch<false>),
};

static const scan_plugin padded = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_blelloch_bca",
    .name = "Blelloch, bank conflicts avoided",
    .version = "1.0",
    .summary = "cuda_blelloch with padded shared-memory indices: no bank conflicts",
    .reference = "Harris, Sengupta and Owens, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, "
                 "chapter 39, 2007",
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_TILES(blelloch<true>),
};

SCAN_EXPORT_PLUGINS(&plain, &padded);
