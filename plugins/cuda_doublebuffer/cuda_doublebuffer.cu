/*
 * cuda_doublebuffer.cu - the step-efficient scan of Hillis and Steele, double-buffered
 *
 * Step d = 0 ... log2(block)-1: every element adds the one 2^d to its left. Each thread has one
 * element; a step reads one buffer in shared memory and writes the other, so that one barrier per
 * step is enough. log2(block) steps and block*log2(block) additions per tile: few steps, but more
 * work than the block - 1 additions of a serial scan.
 *
 * Hillis and Steele, "Data Parallel Algorithms", CACM 29 (12), 1986; the two
 * buffers: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, algorithm 2.
 *
 * Moves 4n elements (cuda_tiles.cuh).
 */
#include "cuda_tiles.cuh"

/*
 * The inclusive scan of the block's values: `value` is this thread's, `from` and `to` its places in
 * the two buffers. The number of steps is a compile-time constant, so that a step is a load, an
 * addition, a store and a barrier. Every thread must reach every barrier. With store_last the scan
 * is also in `from` (STEPS even) or `to`.
 */
template <unsigned STEPS, typename Op, typename T>
static __device__ T scan_block(Op op, T value, T *from, T *to, bool store_last)
{
    *from = value;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < STEPS; k++) {
        const unsigned distance = 1u << k;
        T *const front = k % 2 == 0 ? from : to;
        T *const back = k % 2 == 0 ? to : from;
        if (threadIdx.x >= distance)
            value = op(*(front - distance), value);
        if (k + 1 < STEPS || store_last) {
            *back = value;
            __syncthreads();
        }
    }
    return value;
}

/*
 * STEPS = log2(block), rounded up. The tail of the last tile is the identity. The next tile's
 * element is loaded before this tile is scanned, which hides the latency of the load.
 */
template <unsigned STEPS, typename Op, typename T>
static __global__ void __launch_bounds__(1u << STEPS, CUDA_THREADS_PER_PROCESSOR /
                                                          (STEPS > 6 ? 1u << STEPS : 64u))
    scan_tile(Op op, const T *in, T *out, uint64_t n, T *totals, bool inclusive)
{
    extern __shared__ uint4 memory[];
    const unsigned mine = threadIdx.x;
    const unsigned block = blockDim.x;
    T *from = reinterpret_cast<T *>(memory) + mine;
    T *to = from + (1u << STEPS);
    cuda_wait_for_previous();

    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * block;
    uint64_t start = static_cast<uint64_t>(blockIdx.x) * block;
    /* The number of elements from this thread's on; 0 or negative in the tail. */
    int64_t left = static_cast<int64_t>(n - start) - static_cast<int64_t>(mine);
    in += start + mine;
    out += start + mine;
    T next = left > 0 ? cuda_load_once(in) : op.identity();
    for (uint64_t tile = blockIdx.x; start < n; tile += gridDim.x, start += stride) {
        T value = next;
        const int64_t left_next = left - static_cast<int64_t>(stride);
        in += stride;
        next = left_next > 0 ? cuda_load_once(in) : op.identity();

        /* Only an exclusive scan needs the other threads' values. */
        value = scan_block<STEPS>(op, value, from, to, !inclusive);
        if (mine == block - 1 && left > 1)
            totals[tile] = value;
        const T *const scanned = STEPS % 2 == 0 ? from : to;
        if (!inclusive)
            value = mine > 0 ? *(scanned - 1) : op.identity();
        if (left > 0)
            *out = value;
        out += stride;
        left = left_next;
        /* One buffer may still be read, by the last step or by the line above. The next tile begins
         * in the other, which no thread has read since the barrier. */
        if ((STEPS % 2 == 0) != inclusive) {
            T *const other = from;
            from = to;
            to = other;
        }
    }
}

template <unsigned STEPS, typename Op> static cuda_tile_plan<Op> plan_steps(unsigned block)
{
    using T = typename Op::value;
    if constexpr (STEPS < 10) {
        if (block > 1u << STEPS)
            return plan_steps<STEPS + 1, Op>(block);
    }
    return {scan_tile<STEPS, Op, T>, block, block, (2 * sizeof(T)) << STEPS, true};
}

struct doublebuffer : cuda_tile_method {
    template <typename Op> static cuda_tile_plan<Op> plan(const scan_problem *problem)
    {
        return plan_steps<1, Op>(static_cast<unsigned>(problem->tunables[0]));
    }
};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, and elements per tile", 512, 2, 1024),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_doublebuffer",
    .name = "Hillis-Steele, double buffer",
    .version = "1.0",
    .summary = "log2(block) steps in two buffers of shared memory, n*log2(block) additions",
    .reference = "Hillis and Steele, Data Parallel Algorithms, CACM 29 (12), 1986",
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_TILES(doublebuffer),
};

SCAN_EXPORT_PLUGINS(&plugin);
