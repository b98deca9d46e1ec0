/*
 * rows_long.cuh - the pipeline with look-ahead (lookahead_kernel.cuh) over a matrix of long rows
 *
 * Tiles are cut from the array wherever rows begin. A tile publishes the total of what follows the
 * last beginning of a row in it, and adds up the totals of the tiles before it, back to the one in
 * which its row begins. Parts of a tile in which no row begins, nearly all where rows are long, are
 * scanned as those of one array.
 *
 * Where a tile begins in its row is a division of 64 bits; the thread that loads makes it while the
 * copy is under way, and arrives at the tile's barrier once more when it has.
 *
 * Moves 2n elements.
 */
#ifndef ROWS_LONG_CUH
#define ROWS_LONG_CUH

#include "lookahead_kernel.cuh"
#include "rows_part.cuh"

template <typename Op, unsigned LINES, typename Matrix, typename From = typename Op::value>
struct rows_long_tile : lookahead_tile<Op, LINES, From> {
    using base = lookahead_tile<Op, LINES, From>;
    using T = typename Op::value;
    using total_type = typename Op::total;
    using lines_type = typename base::lines_type;
    using part_type = rows_part<Op, LINES, Matrix>;
    using base::arrays;
    using base::lane;
    using base::op;
    using base::part_elements;
    using base::shape;
    static constexpr unsigned places = 2;

    const Matrix &matrix;

    __device__ rows_long_tile(Op given_op, const cuda_arrays<T, From> &given_arrays,
                              const lookahead_shape &given_shape,
                              typename base::vector *given_stages, const Matrix &given_matrix)
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

    /* From the last beginning of a row on; slot.divided says in which parts there is one. */
    __device__ total_type up_to_parts(lookahead_slot<T> &slot, unsigned tile, unsigned stage) const
    {
        const int last = lane() < shape.scanners
                             ? matrix.last_beginning(position_of(slot, lane()), part_elements)
                             : -1;
        const unsigned divided = __ballot_sync(CUDA_ALL_LANES, last >= 0);
        if (lane() == 0)
            slot.divided = divided;
        const auto from_last = [&](lines_type &lines, unsigned part) {
            const int from = cuda_shuffle_from(last, part);
            if (from > 0)
                part_type::clear_before(op, lines, static_cast<unsigned>(from));
        };
        total_type total = base::is_whole(tile)
                               ? base::template total_of_parts<true>(tile, stage, from_last)
                               : base::template total_of_parts<false>(tile, stage, from_last);
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

    __device__ void scan(lines_type &lines, const lookahead_slot<T> &slot, unsigned part) const
    {
        const unsigned first = position_of(slot, part);
        if (is_divided(first))
            (void)part_type::scan(op, lines, walk(first), arrays.inclusive);
        else
            (void)lines.scan(op, arrays.inclusive);
    }

    __device__ void finish(lines_type &lines, const lookahead_slot<T> &slot, unsigned part) const
    {
        const unsigned first = position_of(slot, part);
        total_type carry = slot.part[part];
        if ((slot.divided & ((1u << part) - 1)) == 0)
            carry = op(slot.prefix, carry);
        if (is_divided(first))
            part_type::finish(op, lines, walk(first), carry);
        else
            lines.put_before(op, carry);
    }

  private:
    __device__ unsigned position_of(const lookahead_slot<T> &slot, unsigned part) const
    {
        return matrix.wrap(slot.position + part * part_elements);
    }
    __device__ bool is_divided(unsigned first) const
    {
        return matrix.last_beginning(first, part_elements) >= 0;
    }
    __device__ auto walk(unsigned first) const
    {
        return typename part_type::walk_type(matrix, first);
    }
};

/* Scans the rows of in[0 ... n-1] into out, which may be in, with any number of CTAs. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename Matrix, typename T,
          typename From>
__global__ void __launch_bounds__(LOOKAHEAD_MOST_THREADS)
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
