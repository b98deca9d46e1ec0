/*
 * wave_kernel.cuh - a scan of what the registers of the whole device hold, in one wave of blocks
 *
 *     every block loads its tile, all of it, and publishes the tile's total;
 *     while the totals of the others are on their way, it scans its tile;
 *     its warps add up the totals of all tiles before, each those of 32 tiles, one in each lane;
 *     it stores the tile.
 *
 * So there is one exchange. Nobody waits for a prefix, only for totals, which need nothing but
 * loads. The order of all additions is fixed: float sums have the same bits in every run.
 *
 * Blocks take tiles by ticket, in the order in which they begin to run. So the tiles before a
 * running one have begun as well, and a wait ends whatever else the device runs, and however few
 * blocks it leaves room for. A cooperative launch starts all blocks or none, and needs no tickets.
 *
 * A launch may overlap the end of the one before (cuda_grid.h). It takes its tickets before it lets
 * the next one begin, so that tickets are taken in the order of launches. It touches words and
 * elements only after all launches before have ended.
 *
 * Work 5¾n: that of a look-back (lookback_kernel.cuh), and 1½n for totals. Steps
 * O(lines + log(block) + log(tiles)).
 */
#ifndef WAVE_KERNEL_CUH
#define WAVE_KERNEL_CUH

#include "cuda_fold.cuh"
#include "cuda_grid.h"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_tagged.cuh"
#include "wave_scan.h"

/* What a tile says: its total, tagged with the launch's number. */
template <typename T> using wave_words = cuda_tagged_words<cuda_total<T>, cuda_scope::device>;

/* What the threads of a block share. */
template <typename T> struct wave_shared {
    unsigned tile;
    T of_warp[CUDA_WARP];  /* the total of each warp's part of the tile */
    T of_group[CUDA_WARP]; /* of 32 tiles each, or of as many of them as lie before this one */
};

/* Where the threads of a block wait for what others have written, so that a test can leave one out.
 */
struct wave_rules {
    enum meeting { WARPS, GROUPS };

    template <meeting> static __device__ void meet()
    {
        __syncthreads();
    }
};

/* The total of[0] (+) ... (+) of[count-1], count <= 32, in every lane of the warp. */
template <typename Op, typename T> __device__ inline T wave_fold(Op op, const T *of, unsigned count)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    return cuda_fold_lanes(op, lane < count ? of[lane] : op.identity());
}

/* The total of tiles first ... first + 31, as far as they lie before `tile`, in every lane; waits
 * until each of them has one. */
template <typename Op, typename Words>
__device__ inline typename Op::total
wave_fold_tiles(Op op, const wave_control<typename Words::word> &control, unsigned first,
                unsigned tile)
{
    const unsigned mine = first + threadIdx.x % CUDA_WARP;
    typename Words::word word = {};
    for (unsigned looks = 0; mine < tile; looks++) {
        word = Words::load(control.words + mine);
        if (Words::is_there(word, control.launch))
            break;
        if (looks >= control.patience) {
            *control.failed_tile = tile; /* the result is lost; the host will say so */
            break;
        }
    }
    return cuda_fold_lanes(op, mine < tile ? Words::value(word) : op.identity());
}

/* The tile of this block. From here on the next launch may begin; those before have ended. */
template <typename Control, typename T>
__device__ inline unsigned wave_take(const Control &control, wave_shared<T> &shared)
{
    unsigned tile = blockIdx.x;
    if (control.tickets != nullptr) {
        if (threadIdx.x == 0)
            shared.tile = atomicAdd(control.tickets, 1u) - control.first_ticket;
        __syncthreads();
        tile = shared.tile;
    }
    cuda_let_next_begin();
    cuda_wait_for_previous();
    return tile;
}

/* Scans in[0 ... n-1] into out, which may be in. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename T>
__global__ void __launch_bounds__(wave_most_threads<T>(LINES))
    wave_scan(Op op, cuda_arrays<T> arrays, wave_control<typename Words::word> control)
{
    using lines_type = cuda_lines<Op, LINES>;
    using total_type = typename Op::total;
    CUDA_SHARED(wave_shared<total_type>, shared);
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const unsigned tile = wave_take(control, shared);
    const uint64_t first =
        (static_cast<uint64_t>(tile) * warps + warp) * lines_type::elements - cuda_skew(arrays.in);
    lines_type lines;
    lines.load(op, arrays.in, arrays.n, first);
    const total_type mine = cuda_fold(op, lines);
    if (lane == 0)
        shared.of_warp[warp] = mine;
    Rules::template meet<Rules::WARPS>();
    if (warp == 0) {
        const total_type total = wave_fold(op, shared.of_warp, warps);
        if (lane == 0)
            Words::store(control.words + tile, control.launch, total);
    }
    (void)lines.scan(op, arrays.inclusive);
    const total_type before = wave_fold(op, shared.of_warp, warp); /* in the tile */
    const unsigned groups = (tile + CUDA_WARP - 1) / CUDA_WARP;
    for (unsigned group = warp; group < groups; group += warps) {
        const total_type total = wave_fold_tiles<Op, Words>(op, control, group * CUDA_WARP, tile);
        if (lane == 0)
            shared.of_group[group] = total;
    }
    Rules::template meet<Rules::GROUPS>();
    const total_type prefix = wave_fold(op, shared.of_group, groups);
    lines.store(op, arrays.out, arrays.n, first, op(prefix, before));
}

#endif
