/*
 * template_cuda.cu - CHANGE: what the algorithm is, in one line
 *
 * CHANGE: the algorithm in the words of its paper, the source, how many
 * combinations (work) and dependent steps it makes, and how many bytes it moves.
 *
 * This file is complete and correct: every type, operator and kind, any n. A block of threads scans
 * a tile of as many elements in log2(block) steps: in step d every element takes in the one 2^d to
 * its left (Hillis and Steele, Data parallel algorithms, CACM 29 (12), 1986). Work n log2(block).
 * The rest is common code, cuda_tiles.cuh: the same kernel scans the tiles' totals, and each is
 * then combined with the elements of the next tile. Moves 4n elements.
 *
 * Replace it line by line, wherever it says CHANGE. After each change `scanbench validate` proves
 * it on sizes around the tile, on special inputs, and between guard words.
 */
#include "cuda_tiles.cuh"

static constexpr unsigned MOST_THREADS = 1024; /* of a block, on every device */

/*
 * Scans every tile of in[0 ... n-1] into out, which may be in, and leaves the total of tile t in
 * totals[t]; the total of the last tile is not needed and has no place. The grid may be smaller
 * than the number of tiles, so each block walks over several. op(left, right) in that order: not
 * every operator commutes. CHANGE: the lines between reading `in` and writing `out`.
 */
template <typename Op>
static __global__ void __launch_bounds__(MOST_THREADS)
    scan_tile(Op op, const typename Op::value *in, typename Op::value *out, uint64_t n,
              typename Op::value *totals, bool inclusive)
{
    using T = typename Op::value;
    extern __shared__ uint4 memory[]; /* one T for each thread */
    T *const row = reinterpret_cast<T *>(memory);
    const unsigned mine = threadIdx.x;

    for (uint64_t tile = blockIdx.x; tile * blockDim.x < n; tile += gridDim.x) {
        const uint64_t i = tile * blockDim.x + mine; /* 32 bits end at 2^32 */

        /* Past the end the value is the identity. No thread returns early, because every thread of
         * a block must reach every barrier. */
        T value = i < n ? in[i] : op.identity();
        for (unsigned shift = 1; shift < blockDim.x; shift *= 2) {
            row[mine] = value;
            __syncthreads(); /* all are written before one is read */
            if (mine >= shift)
                value = op(row[mine - shift], value);
            __syncthreads(); /* all are read before one is overwritten */
        }
        row[mine] = value;
        __syncthreads();

        if (mine == blockDim.x - 1 && i + 1 < n)
            totals[tile] = value;
        if (!inclusive)
            value = mine > 0 ? row[mine - 1] : op.identity();
        if (i < n)
            out[i] = value;
        __syncthreads(); /* the next tile is written into the same row */
    }
}

/* The parameters to sweep with --block-sizes or --set; their values arrive in this
 * order. CHANGE, or add others. */
static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block and elements per tile, any number", 256, 2,
                       MOST_THREADS),
};

/* The kernel, its threads, elements per tile and bytes of shared memory. CHANGE. The common code
 * refuses what the device cannot do; a static function `check` may refuse more, with
 * host->fail(host, SCAN_UNSUPPORTED, "block %d is odd", block). */
struct method : cuda_tile_method {
    template <typename Op> static cuda_tile_plan<Op> plan(const scan_problem *problem)
    {
        const unsigned block = static_cast<unsigned>(problem->tunables[0]);
        return {scan_tile<Op>, block, block, block * sizeof(typename Op::value)};
    }
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* an algorithm is measured, a mock only proved */
    .id = "template_cuda",
    .name = "Hillis-Steele in one row", /* CHANGE */
    .version = "1.0",
    .summary = "log2(block) steps in shared memory, two barriers each",          /* CHANGE */
    .reference = "Hillis, Steele, Data parallel algorithms, CACM 29 (12), 1986", /* CHANGE */
    .ops = {SCAN_OPS_1_0}, /* CHANGE: fewer, if the kernel is made for some */
    SCAN_TUNABLES(tunables),
    CUDA_TILES(method),
};

SCAN_EXPORT_PLUGINS(&plugin);
