/*
 * cuda_doublebuffer.cu - the step-efficient scan of Hillis and Steele, double-buffered
 *
 * Step d = 0 ... log2(block)-1: every element adds the one 2^d to its left. One
 * element a thread; a step reads one buffer in shared memory and writes the other,
 * so that one barrier a step is enough. log2(block) steps and block*log2(block)
 * additions a tile: few steps, more work than the block - 1 additions there are.
 *
 * Hillis and Steele, "Data Parallel Algorithms", CACM 29 (12), 1986; the two
 * buffers: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, algorithm 2.
 *
 * Moves 4n elements (cuda_tiles.cuh).
 */
#include "cuda_tiles.cuh"

/*
 * Every thread comes to every barrier: the loop over tiles depends on the block
 * alone, and the tail of the last tile is the identity. The next tile's element is
 * asked for before this tile is scanned, which hides the time it takes to come.
 */
template <typename Op>
static __global__ void __launch_bounds__(1024, CUDA_THREADS_PER_PROCESSOR / 1024)
    scan_tile(Op op, const typename Op::value *in, typename Op::value *out, uint64_t n,
              typename Op::value *totals, bool inclusive)
{
    using T = typename Op::value;
    extern __shared__ uint4 memory[];
    T *front = reinterpret_cast<T *>(memory);
    T *back = front + blockDim.x;
    cuda_wait_for_previous();

    const unsigned mine = threadIdx.x;
    const unsigned block = blockDim.x;
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * block;
    uint64_t start = static_cast<uint64_t>(blockIdx.x) * block;
    T next = start + mine < n ? cuda_load_once(&in[start + mine]) : op.identity();
    for (uint64_t tile = blockIdx.x; start < n; tile += gridDim.x, start += stride) {
        T value = next;
        const uint64_t ahead = start + stride + mine;
        if (ahead < n)
            next = cuda_load_once(&in[ahead]);
        else
            next = op.identity();

        front[mine] = value;
        __syncthreads();
        for (unsigned step = 1; step < block; step <<= 1) {
            if (mine >= step)
                value = op(front[mine - step], value);
            /* Of the last step only an exclusive scan reads what the others have. */
            if (inclusive && block - step <= step)
                break;
            T *const other = back;
            back = front;
            front = other;
            front[mine] = value;
            __syncthreads();
        }
        if (mine == block - 1 && start + block < n)
            totals[tile] = value;
        if (!inclusive)
            value = mine > 0 ? front[mine - 1] : op.identity();
        if (start + mine < n)
            out[start + mine] = value;
        /* `front` may still be read: the next tile begins in the other buffer, which
         * nobody has read since the last barrier. */
        T *const other = back;
        back = front;
        front = other;
    }
}

static const scan_tunable block_tunable = {
    .struct_size = sizeof(scan_tunable),
    .flags = 0,
    .name = "block",
    .summary = "threads per block, and elements per tile",
    .default_value = 512,
    .min = 2,
    .max = 1024,
    .values = nullptr,
    .value_count = 0,
    .reserved = 0,
};
static const scan_tunable *const tunables[] = {&block_tunable, nullptr};

template <typename Op> static cuda_tile_plan<Op> make_plan(const scan_problem *problem)
{
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    return {scan_tile<Op>, block, block, 2 * block * sizeof(typename Op::value)};
}

static scan_status supports(const scan_host *host, void *context, const scan_problem *problem)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        unsigned resident = 0;
        return cuda_tiles_prepare(static_cast<cuda_context *>(context),
                                  make_plan<decltype(op)>(problem), &resident);
    });
}

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return cuda_tiles_create(static_cast<cuda_context *>(context), problem, op,
                                 make_plan<decltype(op)>(problem), self_p);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .flags = 0,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .max_n = 0,
    .id = "cuda_doublebuffer",
    .name = "Hillis-Steele, double buffer",
    .version = "1.0",
    .summary = "log2(block) steps in two buffers of shared memory, n*log2(block) additions",
    .reference = "Hillis and Steele, Data Parallel Algorithms, CACM 29 (12), 1986",
    .backend = "cuda",
    .tunables = tunables,
    .memory = &cuda_memory,
    .probe = cuda_probe,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .get_extension = nullptr,
};

SCAN_EXPORT_PLUGINS(&plugin);
