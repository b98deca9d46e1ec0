/*
 * rows_part.cuh - a warp's part of a tile in which rows begin: lines of 32 x 16 bytes, in registers
 *
 * As cuda_lines.cuh, whose lines are one array, but a sum begins anew where a row of the matrix
 * does. Nothing is read to know where: each lane follows the position of its elements in their
 * rows. So a step of the scan across lanes takes the neighbour's value only if the row reaches that
 * far back. Order: line, lane, element.
 */
#ifndef ROWS_PART_CUH
#define ROWS_PART_CUH

#include "cuda_lines.cuh"
#include "rows_matrix.h"

/* The number of the highest bit of bits > 0. */
__device__ inline unsigned rows_last_bit(unsigned bits)
{
    return 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
}

/* Follows a warp's part line by line, in lines of COUNT elements a lane. */
template <unsigned COUNT, typename Matrix> struct rows_walk {
    static constexpr unsigned LINE = CUDA_WARP * COUNT;

    const Matrix &matrix;
    unsigned offset; /* of this lane's elements in the part */
    unsigned first;  /* the position of the first of them in its row */
    unsigned last;   /* that of the line's last element */

    /* `start` is the position of the part's first element. */
    __device__ rows_walk(const Matrix &given, unsigned start)
        : matrix(given), offset(threadIdx.x % CUDA_WARP * COUNT), first(given.wrap(start + offset)),
          last(given.wrap(start + LINE - 1))
    {
    }

    __device__ void go_on()
    {
        offset += LINE;
        first = matrix.wrap_once(first + matrix.step);
        last = matrix.wrap_once(last + matrix.step);
    }

    __device__ unsigned beginnings() const
    {
        return matrix.beginnings(first);
    }

    /* How many lanes before this one hold elements of the row that this lane's last element is of,
     * if the line is not older than the row. */
    __device__ unsigned reach() const
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        const unsigned lanes = matrix.wrap_once(first + COUNT - 1) / COUNT;
        return lanes < lane ? lanes : lane;
    }

    /* Did the row of this lane's first element begin before the line, or before the part? */
    __device__ bool is_from_earlier_line() const
    {
        return first > threadIdx.x % CUDA_WARP * COUNT;
    }
    __device__ bool is_from_earlier_part() const
    {
        return first > offset;
    }

    /* Does a row begin in the line? */
    __device__ bool is_divided() const
    {
        return last < LINE;
    }
};

template <typename Op, unsigned LINES, typename Matrix> struct rows_part {
    using T = typename Op::value;
    using total_type = typename Op::total;
    using vector = cuda_vector<T>;
    using lines_type = cuda_lines<Op, LINES>;
    static constexpr unsigned COUNT = vector::count;
    static constexpr bool is_narrow = lines_type::is_narrow;
    using walk_type = rows_walk<COUNT, Matrix>;

    /* Scans the lines as if nothing stood before the part. Returns the total of what follows the
     * last beginning of a row in it, of all if there is none, in every lane. Of narrow elements
     * only totals are found yet; `finish` scans. */
    static __device__ total_type scan(Op op, lines_type &lines, walk_type walk, bool inclusive)
    {
        total_type up_to[LINES];
        reduce(op, lines, walk, up_to);
        if constexpr (is_narrow)
            lines.is_inclusive = inclusive;
        total_type running = op.identity();
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const total_type left = cuda_shuffle_up(up_to[r], 1);
            const total_type total = cuda_shuffle_from(up_to[r], CUDA_WARP - 1);
            total_type before = threadIdx.x % CUDA_WARP == 0 ? op.identity() : left;
            if (walk.is_from_earlier_line())
                before = threadIdx.x % CUDA_WARP == 0 ? running : op(running, left);
            if constexpr (is_narrow)
                lines.before[r] = before;
            else
                scan_vector(op, lines.line[r], walk.beginnings(), before, inclusive);
            running = walk.is_divided() ? total : op(running, total);
            walk.go_on();
        }
        return running;
    }

    /* Puts `carry` before what belongs to a row that began before the part. */
    static __device__ void finish(Op op, lines_type &lines, walk_type walk, const total_type &carry)
    {
        if constexpr (is_narrow) {
            with_grain(walk, [&](auto grain) {
                if (lines.is_inclusive)
                    scan_narrow<grain, true>(op, lines, walk, carry);
                else
                    scan_narrow<grain, false>(op, lines, walk, carry);
            });
        } else {
#pragma unroll
            for (unsigned r = 0; r < LINES; r++) {
                bool open = walk.is_from_earlier_part();
                const unsigned begins = walk.beginnings();
#pragma unroll
                for (unsigned e = 0; e < COUNT; e++) {
                    open = open && (begins >> e & 1) == 0;
                    if (open)
                        lines.line[r].element[e] = op(carry, lines.line[r].element[e]);
                }
                walk.go_on();
            }
        }
    }

    /* Makes what lies before element `from` of the part the identity. */
    static __device__ void clear_before(Op op, lines_type &lines, unsigned from)
    {
        const unsigned offset = threadIdx.x % CUDA_WARP * COUNT;
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const unsigned first = r * walk_type::LINE + offset;
            if constexpr (is_narrow) {
                cuda_packed_clear(op, lines.line[r], from > first ? from - first : 0);
            } else {
#pragma unroll
                for (unsigned e = 0; e < COUNT; e++)
                    if (first + e < from)
                        lines.line[r].element[e] = op.identity();
            }
        }
    }

  private:
    /* Elements of a vector, a bit for each. */
    enum : unsigned {
        ELEMENTS = (1u << COUNT) - 1,
        WORDS = COUNT == 16 ? 0x1111 : 0x55, /* the first of each word, if they are narrow */
        VECTORS = 1
    };

    /* Sets up_to[r], of line r: the total from the last beginning of a row on, up to this lane. */
    static __device__ void reduce(Op op, const lines_type &lines, walk_type walk,
                                  total_type (&up_to)[LINES])
    {
        if constexpr (is_narrow) {
            with_grain(walk, [&](auto grain) { find_totals<grain>(op, lines, walk, up_to); });
        }
        unsigned reach[LINES];
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            if constexpr (!is_narrow)
                up_to[r] = total_of(op, lines.line[r], walk.beginnings());
            reach[r] = walk.reach();
            walk.go_on();
        }
#pragma unroll
        for (unsigned step = 1; step < CUDA_WARP; step *= 2) {
#pragma unroll
            for (unsigned r = 0; r < LINES; r++) {
                const total_type left = cuda_shuffle_up(up_to[r], step);
                if (step <= reach[r])
                    up_to[r] = op(left, up_to[r]);
            }
        }
    }

    /* From the last beginning of a row in the vector on. */
    static __device__ T total_of(Op op, const vector &values, unsigned begins)
    {
        T total = values.element[0];
#pragma unroll
        for (unsigned e = 1; e < COUNT; e++) {
            const T next = values.element[e];
            total = (begins >> e & 1) != 0 ? next : op(total, next);
        }
        return total;
    }

    /* The same of each vector of narrow elements. */
    template <unsigned GRAIN>
    static __device__ void find_totals(Op op, const lines_type &lines, walk_type walk,
                                       total_type (&up_to)[LINES])
    {
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const unsigned begins = walk.beginnings() & ELEMENTS;
            vector values = lines.line[r];
            if constexpr (GRAIN == ELEMENTS)
                cuda_packed_clear(op, values, begins == 0 ? 0 : rows_last_bit(begins));
            up_to[r] = cuda_packed_total(op, values, GRAIN == WORDS ? begins & WORDS : 0);
            walk.go_on();
        }
    }

    /* `before` stands left of the vector. */
    static __device__ void scan_vector(Op op, vector &values, unsigned begins, T before,
                                       bool inclusive)
    {
#pragma unroll
        for (unsigned e = 0; e < COUNT; e++) {
            if ((begins >> e & 1) != 0)
                before = op.identity();
            const T next = op(before, values.element[e]);
            values.element[e] = inclusive ? next : before;
            before = next;
        }
    }

    /* run(grain) with the elements of a vector with which rows of the part may begin: the first
     * alone, the first of each word, or any. Then they are scanned as what they are. */
    template <typename Run> static __device__ void with_grain(walk_type walk, Run run)
    {
        unsigned begins = 0;
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            begins |= walk.beginnings() & ELEMENTS;
            walk.go_on();
        }
        if (!__any_sync(CUDA_ALL_LANES, (begins & ~VECTORS) != 0))
            run(std::integral_constant<unsigned, VECTORS>());
        else if (!__any_sync(CUDA_ALL_LANES, (begins & ~WORDS) != 0))
            run(std::integral_constant<unsigned, WORDS>());
        else
            run(std::integral_constant<unsigned, ELEMENTS>());
    }

    /* Scans vectors of narrow elements, whose totals are known. */
    template <unsigned GRAIN, bool INCLUSIVE>
    static __device__ void scan_narrow(Op op, lines_type &lines, walk_type walk,
                                       const total_type &carry)
    {
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const unsigned begins = walk.beginnings() & GRAIN;
            total_type before = lines.before[r];
            if (walk.is_from_earlier_part())
                before = op(carry, before);
            if constexpr (GRAIN == ELEMENTS)
                cuda_packed_scan_each<INCLUSIVE>(op, lines.line[r], before, begins);
            else
                cuda_packed_scan<INCLUSIVE>(op, lines.line[r], before, begins);
            walk.go_on();
        }
    }
};

#endif
