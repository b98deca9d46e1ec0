/*
 * rows_long.cuh - the pipeline with look-ahead (lookahead_kernel.cuh) over a matrix of long rows
 *
 * Tiles are cut from the array wherever rows begin. A tile publishes the total of what follows the
 * last beginning of a row in it, and adds up the totals of the tiles before it, back to the one in
 * which its row begins. Parts of a tile in which no row begins, nearly all where rows are long, are
 * scanned as those of one array. A part of narrow elements in which one begins is scanned as two
 * such parts, in turn.
 *
 * Where a tile begins in its row is a division of 64 bits; the thread that loads makes it while the
 * copy is under way, and arrives at the tile's barrier once more when it has.
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
    static_assert(!lines_type::is_narrow || !base::is_wide, "turns are taken in the stage");

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
        const int last = lane() < shape.scanners
                             ? matrix.last_beginning(position_of(slot, lane()), part_elements)
                             : -1;
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

    /* Where a row begins in a part of narrow elements, what is before it and it itself are scanned
     * in turn, each as a part of one row. part_type::scan, which follows the row of each element,
     * is so much code, and runs so seldom, that its instructions are fetched from memory each time:
     * it is left for parts in which rows may begin twice. */
    __device__ bool is_in_turns(const lookahead_slot<T> &slot, unsigned part) const
    {
        return lines_type::is_narrow && matrix.near >= part_elements && last_of(slot, part) > 0 &&
               base::is_whole(slot.tile);
    }

    /* The second row first, while the first stays in the stage. A vector with elements of both is
     * scanned twice, with identities in place of the other row's: `given` keeps it as it was
     * loaded, `second` what the second row has made of it. */
    __device__ void scan_in_turns(const lookahead_slot<T> &slot, unsigned stage,
                                  unsigned part) const
    {
        if constexpr (lines_type::is_narrow) {
            const auto begins = static_cast<unsigned>(last_of(slot, part));
            const unsigned whole = begins / vector::count, shared = begins % vector::count;
            const bool is_mine = shared > 0 && lane() == whole % CUDA_WARP;
            vector *const all = base::part_of(stage, part), nothing = cuda_packed_nothing(op);
            vector given = nothing, second = nothing;
            if (is_mine) {
                given = all[whole];
                all[whole] = cuda_packed_join(nothing, given, shared);
            }
#pragma unroll 1
            for (bool is_second = true;; is_second = false) {
                const unsigned first = is_second ? whole : 0;
                const unsigned end = is_second ? +base::part_vectors : whole + (shared > 0 ? 1 : 0);
                lines_type lines;
#pragma unroll
                for (unsigned r = 0, at = lane(); r < LINES; r++, at += CUDA_WARP)
                    lines.line[r] = at >= first && at < end ? all[at] : nothing;
                (void)lines.scan(op, arrays.inclusive);
                lines.put_before(op, is_second ? op.identity() : carry_of(slot, part));
#pragma unroll
                for (unsigned r = 0, at = lane(); r < LINES; r++, at += CUDA_WARP)
                    if (at >= first && at < end)
                        all[at] = lines.line[r];
                if (!is_second)
                    break;
                if (is_mine) {
                    second = all[whole];
                    all[whole] = cuda_packed_join(given, nothing, shared);
                }
            }
            if (is_mine)
                all[whole] = cuda_packed_join(all[whole], second, shared);
        }
    }

    __device__ void scan(lines_type &lines, const lookahead_slot<T> &slot, unsigned part) const
    {
        if (last_of(slot, part) > 0)
            (void)part_type::scan(op, lines, walk(position_of(slot, part)), arrays.inclusive);
        else
            (void)lines.scan(op, arrays.inclusive);
    }

    __device__ void finish(lines_type &lines, const lookahead_slot<T> &slot, unsigned part) const
    {
        const int last = last_of(slot, part);
        if (last > 0)
            part_type::finish(op, lines, walk(position_of(slot, part)), carry_of(slot, part));
        else
            lines.put_before(op, last == 0 ? op.identity() : carry_of(slot, part));
    }

  private:
    /* The last element of a part with which a row begins; -1: none. */
    __device__ int last_of(const lookahead_slot<T> &slot, unsigned part) const
    {
        return matrix.last_beginning(position_of(slot, part), part_elements);
    }

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

    __device__ auto walk(unsigned first) const
    {
        return typename part_type::walk_type(matrix, first);
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
