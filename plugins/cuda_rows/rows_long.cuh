/*
 * rows_long.cuh - the pipeline with look-ahead (lookahead_kernel.cuh) over a matrix of long rows
 *
 * Tiles are cut from the array wherever rows begin. A tile publishes the total of what follows the
 * last beginning of a row in it, and adds up the totals of the tiles before it, back to the one in
 * which its row begins. A part of a tile in which no row begins, as most where rows are long, is
 * scanned as a part of one array; one in which a row begins is scanned as two such parts, in turn.
 * Rows shorter than a part, of which two may begin in one, are not for this kernel.
 *
 * The thread that loads finds where a tile begins in its row while the copy is under way, and then
 * arrives at the tile's barrier once more.
 *
 * Moves 2n elements.
 */
#ifndef ROWS_LONG_CUH
#define ROWS_LONG_CUH

#include "lookahead_kernel.cuh"
#include "rows_kernels.h"
#include "rows_part.cuh"

template <typename Op, unsigned LINES, typename Matrix, typename From = typename Op::value>
struct rows_long_tile : lookahead_tile<Op, LINES, From> {
    using base = lookahead_tile<Op, LINES, From>;
    using T = typename Op::value;
    using total_type = typename Op::total;
    using lines_type = typename base::lines_type;
    using part_type = rows_part<Op, LINES, Matrix>;
    using vector = typename base::vector;
    using base::arrays;
    using base::lane;
    using base::op;
    using base::part_elements;
    using base::shape;
    static constexpr unsigned places = 2;

    const Matrix &matrix;

    __device__ rows_long_tile(Op given_op, const cuda_arrays<T, From> &given_arrays,
                              const lookahead_shape &given_shape, vector *given_stages,
                              const Matrix &given_matrix)
        : base{given_op, given_arrays, given_shape, given_stages}, matrix(given_matrix)
    {
    }

    __device__ void place(lookahead_slot<T> &slot, unsigned tile) const
    {
        const rows_start start = matrix.start(tile, base::tile_elements(), cuda_skew(arrays.in));
        slot.position = start.position;
        slot.begun = start.begun;
        cuda_phases_arrive(&slot.loaded);
    }

    template <typename Totals>
    __device__ total_type prefix_of(const lookahead_slot<T> &slot, Totals &totals,
                                    unsigned number) const
    {
        totals.begin(op, slot.begun);
        return totals.up_to(op, number, slot.begun);
    }

    /* From the last beginning of a row on; slot.divided says in which parts there is one. Such a
     * part is added up again: there are few, and the loop over all parts stays that of one array.
     */
    __device__ total_type up_to_parts(lookahead_slot<T> &slot, unsigned tile, unsigned stage) const
    {
        const int last = lane() < shape.scanners ? last_of(slot, lane()) : -1;
        const unsigned divided = __ballot_sync(CUDA_ALL_LANES, last >= 0);
        if (lane() == 0)
            slot.divided = divided;
        total_type total = base::is_whole(tile) ? base::template total_of_parts<true>(tile, stage)
                                                : base::template total_of_parts<false>(tile, stage);
#pragma unroll 1
        for (unsigned rest = __ballot_sync(CUDA_ALL_LANES, last > 0); rest != 0;) {
            const unsigned part = rows_last_bit(rest);
            const total_type behind = total_from(tile, stage, part, cuda_shuffle_from(last, part));
            rest ^= 1u << part;
            if (lane() == part)
                total = behind;
        }
        const unsigned here = divided & (CUDA_ALL_LANES >> (CUDA_WARP - 1 - lane()));
        const unsigned reach = here == 0 ? lane() : lane() - rows_last_bit(here);
#pragma unroll
        for (unsigned step = 1; step < CUDA_WARP; step *= 2) {
            const total_type left = cuda_shuffle_up(total, step);
            if (step <= reach)
                total = op(left, total);
        }
        return total;
    }

    /* The last element of a part with which a row begins; -1: none. A beginning behind the array
     * does not count: it would only cost the last tile another turn. */
    __device__ int last_of(const lookahead_slot<T> &slot, unsigned part) const
    {
        const int last = matrix.last_beginning(position_of(slot, part), part_elements);
        const uint64_t first = base::first_of(slot.tile) + part * part_elements;
        return last < 0 || first + static_cast<unsigned>(last) >= arrays.n ? -1 : last;
    }

    /* If a row begins within a part, that row and the one before it are scanned in turn, each as a
     * part of one row, by the instructions that scan all other parts. Code for such parts alone
     * would run so seldom that it is fetched from memory each time. */
    __device__ unsigned turns_of(int last) const
    {
        return last > 0 ? 2 : 1;
    }

    /* Turn 1 scans the later row, turn 0 the earlier one. By then the elements behind the earlier
     * row may be results; they change nothing before them. */
    __device__ void scan(lines_type &lines, int last, unsigned turn) const
    {
        if (turn > 0)
            part_type::clear_before(op, lines, static_cast<unsigned>(last));
        (void)lines.scan(op, arrays.inclusive);
    }

    __device__ void finish(lines_type &lines, const lookahead_slot<T> &slot, unsigned part,
                           int last, unsigned turn) const
    {
        const bool begins = turn > 0 || last == 0;
        lines.put_before(op, begins ? op.identity() : carry_of(slot, part));
    }

    /* Stores the elements of the row whose turn it is. Of a vector with elements of both rows,
     * which one lane alone reads and writes, those of the other row stay. */
    __device__ void put(const lines_type &lines, vector *to, int last, unsigned turn) const
    {
        const unsigned begins = last > 0 ? static_cast<unsigned>(last) : +part_elements;
        const unsigned middle = begins / vector::count, shared = begins % vector::count;
        const unsigned first = turn > 0 ? middle : 0;
        const unsigned end = turn > 0 ? +base::part_vectors : middle + (shared > 0 ? 1 : 0);
        const bool is_mine = shared > 0 && middle % CUDA_WARP == lane();
        vector others;
        if (is_mine)
            others = to[middle];
#pragma unroll
        for (unsigned r = 0, at = lane(); r < LINES; r++, at += CUDA_WARP)
            if (at >= first && at < end)
                to[at] = lines.line[r];
        if (is_mine) {
            vector both = to[middle];
#pragma unroll
            for (unsigned e = 0; e < vector::count; e++)
                if ((e < shared) == (turn > 0))
                    cuda_set_element(both, e, cuda_element(others, e));
            to[middle] = both;
        }
    }

  private:
    /* What stands before a part in the row of its first element. */
    __device__ total_type carry_of(const lookahead_slot<T> &slot, unsigned part) const
    {
        const bool is_from_before = (slot.divided & ((1u << part) - 1)) == 0;
        return is_from_before ? op(slot.prefix, slot.part[part]) : slot.part[part];
    }

    __device__ unsigned position_of(const lookahead_slot<T> &slot, unsigned part) const
    {
        return matrix.wrap(slot.position + part * part_elements);
    }

    /* The total of a part from its element `from` on. */
    __device__ total_type total_from(unsigned tile, unsigned stage, unsigned part, int from) const
    {
        lines_type lines;
        if (base::is_whole(tile))
            base::get_lines(lines, stage, part);
        else
            base::get_edge(lines, tile, stage, part);
        part_type::clear_before(op, lines, static_cast<unsigned>(from));
        return cuda_fold(op, lines);
    }
};

/* Scans the rows of in[0 ... n-1] into out, which may be in, with any number of CTAs. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename Matrix, typename T,
          typename From>
__global__ void __launch_bounds__(rows_long_most_threads<T>(), rows_long_ctas<T>())
    rows_long_scan(Op op, cuda_arrays<T, From> arrays,
                   lookahead_control<typename Words::word> control, lookahead_shape shape,
                   Matrix matrix)
{
    CUDA_SHARED_BYTES(shared, (lookahead_shared<T, From>(shape, LINES)));
    lookahead_cta<Op, LINES, Words, Rules, rows_long_tile<Op, LINES, Matrix, From>>(
        op, arrays, control, shape, shared, matrix)
        .run();
}

#endif
