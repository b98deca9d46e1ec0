/*
 * rows_columns.cuh - scans along an axis that is not the last: columns side by side
 *
 * Of a tensor rows x n x inner, taken as rows * n positions of `inner` elements each, a block takes
 * a strip of up to 32 columns. A line of a warp is as many positions as fit into its lanes, so that
 * a warp accesses one piece of memory at once: where the strip is wide each lane has a column, and
 * adds up by itself; where it is narrow lanes of the same column add up across the warp. A warp has
 * ROWS_COLUMN_LINES such lines in registers, the warps of a block follow each other, and the block
 * walks along its span of positions.
 *
 * A span is of whole rows, as long as there are enough of them to fill the device. Otherwise a row
 * is divided into parts: a block first adds up its part and publishes the totals of its columns;
 * then it adds up those of the parts before it, and scans its part, which it reads again. Blocks
 * take tickets in the order in which they begin to run and publish before they wait, so a wait ends
 * however few of them run at once. The order of additions is fixed.
 *
 * Moves 2n elements; 3n where rows are divided.
 */
#ifndef ROWS_COLUMNS_CUH
#define ROWS_COLUMNS_CUH

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_sync.cuh"
#include "cuda_wide.cuh"
#include "rows_scan.h"
#include "rows_words.cuh"

/* Of each column, the totals of the warps' parts; two sets, which take turns. */
template <typename T> struct rows_columns_shared {
    cuda_total<T> total[2][ROWS_MOST_COLUMN_WARPS][CUDA_WARP];
    unsigned ticket;
};

template <typename Op, typename Words, typename Rules, typename Matrix,
          typename From = typename Op::value>
struct rows_columns_block {
    using T = typename Op::value;
    using total_type = typename Op::total;
    static constexpr unsigned LINES = ROWS_COLUMN_LINES;

    const Op op;
    const cuda_arrays<T, From> &arrays;
    const Matrix &matrix; /* of rows of n positions */
    const rows_strips &strips;
    const typename Words::control &control;
    rows_columns_shared<T> &shared;
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned warps = blockDim.x / CUDA_WARP;
    const unsigned depth_at = threadIdx.x % CUDA_WARP / strips.width; /* of a line's positions */
    const unsigned column_at = threadIdx.x % CUDA_WARP % strips.width;
    const unsigned part = LINES * strips.depth; /* positions of a warp */
    unsigned turn = 0;
    unsigned patience = control.patience;

    __device__ void run()
    {
        unsigned unit = blockIdx.x;
        if (strips.parts > 1)
            unit = rows_ticket<Rules>(control, &shared.ticket);
        if (strips.parts > 1 && unit >= control.tiles)
            return; /* somebody has written to the tickets */
        const unsigned strip = unit % strips.strips;
        const uint64_t group = unit / strips.strips;
        const uint64_t column = static_cast<uint64_t>(strip) * strips.width + column_at;
        const uint64_t row = group / strips.parts; /* or, if rows are not divided, the span */
        const uint64_t within = group % strips.parts * strips.span;
        const uint64_t first = strips.parts > 1 ? row * strips.n + within : row * strips.span;
        const uint64_t left = strips.parts > 1 ? strips.n - within : strips.positions - first;
        const uint64_t count = left < strips.span ? left : strips.span;
        const uint64_t at = first * strips.inner + column;
        const bool mine = depth_at < strips.depth && column < strips.inner;
        const auto load = [&](uint64_t i) {
            return op.widen(cuda_convert<T>(arrays.in[at + i * strips.inner]));
        };
        total_type carry = op.identity();
        if (strips.parts > 1)
            carry = look(unit, within, count, mine, load);
        const auto store = [&](uint64_t i, const total_type &value) {
            arrays.out[at + i * strips.inner] = op.narrow(value);
        };
        (void)sweep(carry, within, count, mine, load, store);
    }

  private:
    /* Publishes the totals of part `unit` of a row, if others need it, and returns what stands
     * before it. */
    template <typename Load>
    __device__ total_type look(unsigned unit, uint64_t within, uint64_t count, bool mine, Load load)
    {
        const auto nowhere = [](uint64_t, const total_type &) {};
        const auto number = static_cast<unsigned>(within / strips.span);
        if (number + 1 < strips.parts) {
            const total_type total = sweep(op.identity(), within, count, mine, load, nowhere);
            if (warp == 0 && depth_at == 0)
                Words::store(word_of(unit), control.launch, total);
        }
        const unsigned first = unit - number * strips.strips;
        const auto poll = [&](uint64_t i) {
            return total_of(first + static_cast<unsigned>(i) * strips.strips);
        };
        return sweep(op.identity(), 0, number, mine, poll, nowhere);
    }

    __device__ typename Words::word *word_of(unsigned unit) const
    {
        return control.words + static_cast<uint64_t>(unit) * strips.width + column_at;
    }

    /* Waits for a part's total. After giving up once a thread no longer waits. */
    __device__ total_type total_of(unsigned unit)
    {
        typename Words::word word = Words::load(word_of(unit));
        for (unsigned looks = 0; !Words::is_there(word, control.launch); looks++) {
            if (looks >= patience) {
                patience = 0;
                *control.failed_tile = unit;
                return op.identity();
            }
            word = Words::load(word_of(unit));
        }
        return Words::value(word);
    }

    /* Scans `count` positions, the first of which is position `within` of its row, and before which
     * `carry` stands. Returns their total, if they are of one row. */
    template <typename Load, typename Store>
    __device__ total_type sweep(total_type carry, uint64_t within, uint64_t count, bool mine,
                                Load load, Store store)
    {
        const unsigned together = warps * part;
        for (uint64_t done = 0; done < count; done += together) {
            const unsigned start = matrix.place(within);
            const uint64_t first = done + warp * part + depth_at;
            total_type value[LINES];
#pragma unroll
            for (unsigned k = 0; k < LINES; k++) {
                const uint64_t i = first + k * strips.depth;
                value[k] = mine && i < count ? load(i) : op.identity();
            }
            const unsigned offset = warp * part + depth_at;
            const total_type total = scan(value, matrix.wrap(start + offset));
            const total_type before = exchange(total, &carry);
            unsigned position = matrix.wrap(start + offset);
#pragma unroll
            for (unsigned k = 0; k < LINES; k++) {
                const uint64_t i = first + k * strips.depth;
                if (position > k * strips.depth + depth_at) /* the row began before the part */
                    value[k] = op(before, value[k]);
                if (mine && i < count)
                    store(i, value[k]);
                position = matrix.wrap_once(position + matrix.step);
            }
            within += together;
        }
        return carry;
    }

    /* Scans the warp's part as if nothing stood before it; `position` is that of the lane's first
     * value. Returns the total of what follows the last beginning of a row, in all lanes of a
     * column. */
    __device__ total_type scan(total_type (&value)[LINES], unsigned position) const
    {
        total_type running = op.identity();
#pragma unroll
        for (unsigned k = 0; k < LINES; k++) {
            const unsigned reach = position < depth_at ? position : depth_at;
            total_type up_to = value[k];
            for (unsigned step = 1; step < strips.depth; step *= 2) {
                const total_type left = cuda_shuffle_up(up_to, step * strips.width);
                if (step <= reach)
                    up_to = op(left, up_to);
            }
            if (position > depth_at) /* the row began before the line */
                up_to = op(running, up_to);
            const total_type left = cuda_shuffle_up(up_to, strips.width % CUDA_WARP);
            const total_type before = depth_at == 0 ? running : left;
            if (arrays.inclusive)
                value[k] = up_to;
            else
                value[k] = position == 0 ? op.identity() : before;
            running = cuda_shuffle_from(up_to, (strips.depth - 1) * strips.width + column_at);
            position = matrix.wrap_once(position + matrix.step);
        }
        return running;
    }

    /* Gives the part's total to the other warps. Returns what stands before this one's part, and
     * sets *carry_p to what stands before the next ones. A span of several warps, or of several
     * turns of the loop, is in one row. */
    __device__ total_type exchange(const total_type &total, total_type *carry_p)
    {
        total_type(&of_warp)[ROWS_MOST_COLUMN_WARPS][CUDA_WARP] = shared.total[turn];
        turn ^= 1;
        of_warp[warp][threadIdx.x % CUDA_WARP] = total;
        __syncthreads();
        total_type before = *carry_p, running = *carry_p;
        for (unsigned w = 0; w < warps; w++) {
            if (w == warp)
                before = running;
            running = op(running, of_warp[w][column_at]);
        }
        *carry_p = running;
        return before;
    }
};

/* Scans the tensor's rows along their positions, from arrays.in to arrays.out, which may be the
 * same, with a block for each span of each strip. */
template <typename Op, typename Words, typename Rules, typename Matrix, typename T, typename From>
__global__ void __launch_bounds__(ROWS_MOST_COLUMN_WARPS *CUDA_WARP, sizeof(T) <= 4 ? 4 : 3)
    rows_columns_scan(Op op, cuda_arrays<T, From> arrays, Matrix matrix, rows_strips strips,
                      typename Words::control control)
{
    CUDA_SHARED(rows_columns_shared<T>, shared);
    rows_columns_block<Op, Words, Rules, Matrix, From>{op, arrays, matrix, strips, control, shared}
        .run();
}

#endif
