/*
 * lookback_kernel.cuh - the chained scan with decoupled look-back, one tile per block
 *
 *     a tile is loaded into registers, once; its total is published at once;
 *     it looks back over the tiles before it: it adds up their totals until it finds a prefix, the
 *     total of everything up to there;
 *     its own prefix is published; the tile is scanned and stored, once.
 *
 * A tile that looks back waits for nothing but loads of other tiles: none waits until the one
 * before it has finished, as a chained scan would. One warp looks back, and its lanes load the
 * words of 32 tiles at once, `window` times over before it looks at the first.
 *
 * Blocks take tiles by ticket, in the order in which they begin to run. So the tiles before a
 * running one have begun as well, and a wait ends however few blocks the device runs at once, and
 * in whatever order it starts them. Where the device holds all blocks of the launch at once, each
 * takes the tile of its index instead.
 *
 * Work 4¼n: the lines' totals, their scan and the prefix are n each, and what lanes exchange is
 * 1¼n, five shuffles for 4 values of 4 bytes (the test counts).
 *
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVR-2016-002.
 */
#ifndef LOOKBACK_KERNEL_CUH
#define LOOKBACK_KERNEL_CUH

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "lookback_scan.h"
#include "lookback_words.cuh"

/* Lane 0 gets the total of the lanes, from the highest, whose tile is the first, to lane 0. */
template <typename Op, typename T> __device__ inline T lookback_reduce_warp(Op op, T value)
{
#pragma unroll
    for (unsigned step = 1; step < CUDA_WARP; step *= 2)
        value = op(cuda_shuffle_down(value, step), value);
    return value;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <typename T>
__device__ inline std::enable_if_t<std::is_same_v<cuda_total<T>, uint32_t>, uint32_t>
lookback_reduce_warp(cuda_sum<T>, uint32_t value)
{
    return __reduce_add_sync(CUDA_ALL_LANES, value);
}
#endif

/* One tile that looks back, in all lanes of a warp. */
template <typename Op, typename Words> struct lookback {
    using T = typename Op::total;
    using word = typename Words::word;

    const lookback_control<word> &control;
    unsigned looks = 0; /* in vain */
    bool failed = false;
    T prefix; /* of the tiles that were seen, in lane 0 */

    /*
     * Takes the words of the 32 tiles before `end`, that of tile end-1-lane in each lane. Waits
     * until they are there, from the nearest back to the first prefix. Returns: was there one, or a
     * failure?
     */
    __device__ bool take(Op op, word mine, int end)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        const int tile = end - 1 - static_cast<int>(lane);
        for (;;) {
            const unsigned flag = Words::flag(mine, control.launch);
            const unsigned ends = __ballot_sync(CUDA_ALL_LANES, flag >= LOOKBACK_PREFIX);
            const unsigned empty = __ballot_sync(CUDA_ALL_LANES, flag == LOOKBACK_EMPTY);
            const unsigned last =
                ends != 0 ? static_cast<unsigned>(__ffs(ends)) - 1 : CUDA_WARP - 1;
            const unsigned needed = CUDA_ALL_LANES >> (CUDA_WARP - 1 - last);
            if ((empty & needed) == 0) {
                const unsigned broken = __ballot_sync(CUDA_ALL_LANES, flag == LOOKBACK_FAILED);
                failed = (broken & needed) != 0;
                const T part = lane <= last ? Words::value(mine) : op.identity();
                prefix = op(lookback_reduce_warp(op, part), prefix);
                return ends != 0;
            }
            if (++looks > control.patience) {
                failed = true;
                return true;
            }
            if (flag == LOOKBACK_EMPTY)
                mine = Words::load(control.words + tile);
        }
    }

    /* Looks back from `tile` > 0. */
    __device__ void look(Op op, unsigned tile)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        prefix = op.identity();
        for (int end = static_cast<int>(tile);;) {
            word words[LOOKBACK_MOST_WINDOW];
#pragma unroll
            for (unsigned k = 0; k < LOOKBACK_MOST_WINDOW; k++) {
                const int before = end - 1 - static_cast<int>(k * CUDA_WARP + lane);
                words[k] = Words::pack(control.launch, LOOKBACK_PREFIX, op.identity());
                if (before >= 0 && k < control.window)
                    words[k] = Words::load(control.words + before);
            }
#pragma unroll
            for (unsigned k = 0; k < LOOKBACK_MOST_WINDOW; k++) {
                if (k < control.window) {
                    if (take(op, words[k], end))
                        return;
                    end -= static_cast<int>(CUDA_WARP);
                }
            }
        }
    }
};

/* What the threads of a block share. */
template <typename T> struct lookback_shared {
    unsigned tile;
    cuda_total<T> warp_total[CUDA_WARP];
    cuda_total<T>
        warp_prefix[CUDA_WARP]; /* of all that stands left of the warp's part, in the whole array */
};

struct lookback_rules {
    /* What stands before the first tile, in all lanes of the first warp of the tile's block. */
    template <typename Op, typename Control>
    static __device__ typename Op::total carry(Op op, const Control &)
    {
        return op.identity();
    }
};

/* The first warp publishes the tile's total, looks back, and gives each warp its prefix. */
template <typename Op, typename Words, typename Rules, typename Control, typename T>
__device__ inline void lookback_join(Op op, const Control &control, unsigned tile,
                                     lookback_shared<T> &shared)
{
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    using total_type = typename Op::total;
    const total_type each = lane < warps ? shared.warp_total[lane] : op.identity();
    const total_type up_to = cuda_scan_warp(op, each, CUDA_WARP);
    const total_type total = cuda_shuffle_from(up_to, CUDA_WARP - 1);
    total_type prefix;
    if (tile == 0) {
        prefix = Rules::carry(op, control);
    } else {
        if (lane == 0)
            Words::store(control.words + tile, control.launch, LOOKBACK_TOTAL, total);
        lookback<Op, Words> back{control};
        back.look(op, tile);
        prefix = cuda_shuffle_from(back.prefix, 0);
        if (back.failed) {
            if (lane == 0) {
                Words::store(control.words + tile, control.launch, LOOKBACK_FAILED, total);
                *control.failed_tile = tile;
            }
            return; /* the result is lost; the host will say so */
        }
    }
    if (lane == 0)
        Words::store(control.words + tile, control.launch, LOOKBACK_PREFIX, op(prefix, total));
    const total_type before = cuda_shuffle_up(up_to, 1);
    if (lane < warps)
        shared.warp_prefix[lane] = lane == 0 ? prefix : op(prefix, before);
}

/* Scans tile `tile` of in[0 ... n-1] into out, which may be in. Control is a lookback_control, or
 * derived from it. */
template <typename Op, unsigned LINES, typename Words, typename Rules = lookback_rules,
          typename Control, typename T>
__device__ inline void lookback_tile(Op op, const cuda_arrays<T> &arrays, const Control &control,
                                     unsigned tile, lookback_shared<T> &shared)
{
    using lines_type = cuda_lines<Op, LINES>;
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const uint64_t first =
        (static_cast<uint64_t>(tile) * warps + warp) * lines_type::elements - cuda_skew(arrays.in);
    lines_type lines;
    lines.load(op, arrays.in, arrays.n, first);
    const typename Op::total total = lines.scan(op, arrays.inclusive);
    if (lane == 0)
        shared.warp_total[warp] = total;
    __syncthreads();
    if (warp == 0)
        lookback_join<Op, Words, Rules>(op, control, tile, shared);
    __syncthreads();
    lines.store(op, arrays.out, arrays.n, first, shared.warp_prefix[warp]);
}

template <typename Op, unsigned LINES, typename Words, typename T>
__global__ void __launch_bounds__(lookback_most_threads<T>(LINES))
    lookback_scan(Op op, cuda_arrays<T> arrays, lookback_control<typename Words::word> control)
{
    CUDA_SHARED(lookback_shared<T>, shared);
    unsigned tile = blockIdx.x;
    if (control.tickets != nullptr) {
        if (threadIdx.x == 0)
            shared.tile = atomicAdd(control.tickets, 1u) - control.first_ticket;
        __syncthreads();
        tile = shared.tile;
    }
    lookback_tile<Op, LINES, Words>(op, arrays, control, tile, shared);
}

#endif
