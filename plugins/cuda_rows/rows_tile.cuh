/*
 * rows_tile.cuh - one tile for each block, in registers: whole rows, or a piece of a matrix
 *
 * Whole rows: a block takes as many rows as its registers hold, or one. Nothing passes between
 * blocks. A row is read once and written once, by 16-byte accesses wherever it begins: a tile
 * begins at a multiple of 16 bytes, and what belongs to the row before is loaded and left alone.
 *
 * Linked: tiles of one size, cut wherever rows begin. A block publishes the total of what follows
 * the last beginning of a row in its tile, and adds up those of the tiles before it, back to the
 * one in which its first row begins. It waits for no other tiles than these. Blocks take tickets in
 * the order in which they begin to run and publish before they wait, so a wait ends however few
 * blocks run at once, and beside whatever other streams do.
 *
 * The order of additions depends on where the tiles lie, never on who was first: float sums have
 * the same bits in every run.
 *
 * Moves 2n elements.
 */
#ifndef ROWS_TILE_CUH
#define ROWS_TILE_CUH

#include "cuda_fold.cuh"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_sync.cuh"
#include "cuda_wide.cuh"
#include "lookahead_totals.cuh"
#include "rows_part.cuh"
#include "rows_scan.h"
#include "rows_words.cuh"

/* What the warps of a block share. */
template <typename T> struct rows_tile_shared {
    cuda_total<T> total[CUDA_WARP]; /* of each warp's part, from its last beginning of a row on */
    cuda_total<T> prefix;           /* of the tile */
    unsigned tile;
};

/* Elements, From, may be narrower than the results; they are converted when they are loaded. */
template <typename Op, bool LINKED, typename Words, typename Rules, typename Matrix,
          typename From = typename Op::value>
struct rows_tile_block {
    using T = typename Op::value;
    using total_type = typename Op::total;
    using vector = cuda_vector<T>;
    using lines_type = cuda_lines<Op, ROWS_TILE_LINES>;
    using part_type = rows_part<Op, ROWS_TILE_LINES, Matrix>;
    static constexpr unsigned COUNT = vector::count;
    static constexpr unsigned LINE = part_type::walk_type::LINE;
    static constexpr unsigned PART = ROWS_TILE_LINES * LINE;

    const Op op;
    const cuda_arrays<T, From> &arrays;
    const Matrix &matrix;
    const typename Words::control &control;
    rows_tile_shared<T> &shared;
    const unsigned skew = cuda_source_skew<T>(arrays.in);
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    lines_type lines = {};
    uint64_t base = 0;  /* index of the tile's first vector; below 0 it has wrapped around */
    unsigned begin = 0; /* what lies before this element is another tile's, or outside */
    unsigned end = 0;

    /* `whole`: the elements of the rows of a tile, if tiles are not linked. */
    __device__ void run(uint64_t whole)
    {
        unsigned tile = blockIdx.x;
        if constexpr (LINKED) {
            tile = rows_ticket<Rules>(control, &shared.tile);
            if (tile >= control.tiles)
                return; /* somebody has written to the tickets */
        }
        place(tile, whole);
        load();
        rows_start start = {matrix.before(begin), tile};
        if constexpr (LINKED)
            start = matrix.start(tile, warps * PART, skew);
        const unsigned first = matrix.wrap(start.position + warp * PART);
        int last = matrix.last_beginning(first, PART);
        if (!LINKED && whole == matrix.length) { /* a row alone, from `begin` on */
            if (warp == 0 && begin > 0)
                part_type::clear_before(op, lines, begin);
            last = warp == 0 ? 0 : -1;
        }
        if (last > 0)
            scan_rows(tile, start, typename part_type::walk_type(matrix, first));
        else
            scan_row(tile, start, last < 0);
        store();
    }

  private:
    /* A part in which rows begin. `carry` has a barrier of the block, here and in scan_row: it
     * counts warps, and takes no account of where they arrive. */
    __device__ void scan_rows(unsigned tile, const rows_start &start,
                              const typename part_type::walk_type &walk)
    {
        const total_type total = part_type::scan(op, lines, walk, arrays.inclusive);
        if (LINKED || warps > 1)
            part_type::finish(op, lines, walk, carry(tile, start, total));
        else if constexpr (lines_type::is_narrow)
            part_type::finish(op, lines, walk, op.identity());
    }

    /* A part of one row, which begins before it or with it. */
    __device__ void scan_row(unsigned tile, const rows_start &start, bool is_from_before)
    {
        const total_type total = lines.scan(op, arrays.inclusive);
        const total_type before = LINKED || warps > 1 ? carry(tile, start, total) : op.identity();
        if (is_from_before || lines_type::is_widened)
            lines.put_before(op, is_from_before ? before : op.identity());
    }

    __device__ unsigned offset_of(unsigned r) const
    {
        return warp * PART + r * LINE + threadIdx.x % CUDA_WARP * COUNT;
    }

    __device__ void place(unsigned tile, uint64_t whole)
    {
        const uint64_t first = static_cast<uint64_t>(tile) * (LINKED ? warps * PART : whole);
        begin = LINKED && tile > 0 ? 0 : static_cast<unsigned>((first + skew) % COUNT);
        base = first - (LINKED ? skew : begin);
        const uint64_t most = LINKED ? warps * PART : begin + whole;
        end = static_cast<unsigned>(arrays.n - base < most ? arrays.n - base : most);
    }

    __device__ void load()
    {
        const From *const from = arrays.in + base;
        const bool inside = base < arrays.n && arrays.n - base >= warps * PART;
#pragma unroll
        for (unsigned r = 0; r < ROWS_TILE_LINES; r++) {
            const unsigned at = offset_of(r);
#pragma unroll
            for (unsigned e = 0; e < COUNT; e++)
                cuda_set_element(lines.line[r], e, op.narrow(op.identity()));
            if (inside && at < end)
                lines.line[r] = cuda_load_results<T>(from + at);
        }
        if (!inside)
            load_edge();
    }

    /* Of a tile at an end of the array. */
    __device__ void load_edge()
    {
#pragma unroll
        for (unsigned r = 0; r < ROWS_TILE_LINES; r++) {
#pragma unroll
            for (unsigned e = 0; e < COUNT; e++) {
                const unsigned at = offset_of(r) + e;
                if (at >= begin && at < end)
                    cuda_set_element(lines.line[r], e, cuda_convert<T>(arrays.in[base + at]));
            }
        }
    }

    __device__ void store() const
    {
        const bool alike = cuda_skew(arrays.out) == skew;
#pragma unroll
        for (unsigned r = 0; r < ROWS_TILE_LINES; r++) {
            const unsigned at = offset_of(r);
            T *const to = arrays.out + (base + at);
            if (alike && at >= begin && at + COUNT <= end) {
                cuda_store_vector(to, lines.line[r]);
                continue;
            }
#pragma unroll
            for (unsigned e = 0; e < COUNT; e++)
                if (at + e >= begin && at + e < end)
                    to[e] = cuda_element(lines.line[r], e);
        }
    }

    /* What stands left of this warp's part in the row of the part's first element; `total` is the
     * part's. */
    __device__ total_type carry(unsigned tile, const rows_start &start, const total_type &total)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        if (lane == 0)
            shared.total[warp] = total;
        __syncthreads();
        const total_type theirs = lane < warps ? shared.total[lane] : op.identity();
        const bool divided =
            lane < warps &&
            matrix.last_beginning(matrix.wrap(start.position + lane * PART), PART) >= 0;
        const unsigned all = __ballot_sync(CUDA_ALL_LANES, divided);
        const unsigned below = all & ((1u << warp) - 1);
        const total_type inside =
            total_between(theirs, below == 0 ? 0 : rows_last_bit(below), warp);
        if constexpr (LINKED) {
            if (warp == 0)
                look(tile, start.begun,
                     total_between(theirs, all == 0 ? 0 : rows_last_bit(all), warps));
            __syncthreads();
            if (below == 0)
                return op(shared.prefix, inside);
        }
        return inside;
    }

    /* By the first warp: tells the tile's total, and finds what stands before the tile. */
    __device__ void look(unsigned tile, unsigned begun, const total_type &total)
    {
        control.template publish<Words>(tile, total);
        lookahead_totals<Op, Words> totals(control, op.identity());
        totals.begin(op, begun);
        const total_type prefix = totals.up_to(op, tile, begun);
        if (threadIdx.x == 0)
            shared.prefix = prefix;
    }

    /* Of the lanes from `from` to before `to`. */
    __device__ total_type total_between(const total_type &mine, unsigned from, unsigned to) const
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        return cuda_fold_lanes(op, lane >= from && lane < to ? mine : op.identity());
    }
};

/* Scans the rows of in[0 ... n-1] into out, which may be in, with a block for each tile. Of whole
 * rows so many blocks must be there at once that some load while others scan. */
template <typename Op, bool LINKED, typename Words, typename Rules, typename Matrix, typename T,
          typename From>
__global__ void __launch_bounds__(ROWS_MOST_WARPS *CUDA_WARP, LINKED ? 1 : 2)
    rows_tile_scan(Op op, cuda_arrays<T, From> arrays, Matrix matrix, uint64_t whole,
                   typename Words::control control)
{
    CUDA_SHARED(rows_tile_shared<T>, shared);
    rows_tile_block<Op, LINKED, Words, Rules, Matrix, From>{op, arrays, matrix, control, shared}
        .run(whole);
}

#endif
