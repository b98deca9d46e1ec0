/*
 * rows_alone.cuh - scans along an axis that is not the last, of many columns: each thread scans one
 *
 * Threads lie along inner, so that a warp accesses one piece of memory at once, and those of a
 * block a longer one: where rows of a tensor begin anywhere, the sectors at the ends of a warp's
 * piece are those of its neighbour, which runs on the same processor. A thread walks along its
 * column and exchanges nothing. While it adds up some elements the next are on their way.
 *
 * Moves 2n elements.
 */
#ifndef ROWS_ALONE_CUH
#define ROWS_ALONE_CUH

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_wide.cuh"
#include "rows_scan.h"

/* Some elements of a column, one behind the other and `inner` apart. WHOLE: the column does not end
 * among them, of which `left` are left. */
template <typename Op, typename From = typename Op::value> struct rows_alone_piece {
    using T = typename Op::value;
    using total = typename Op::total;
    static constexpr unsigned ELEMENTS = ROWS_ALONE_BYTES / sizeof(total);

    From value[ELEMENTS];

    /* Behind the end, anything. */
    template <bool WHOLE> __device__ void load(const From *from, uint64_t left, uint64_t inner)
    {
#pragma unroll
        for (unsigned e = 0; e < ELEMENTS; e++) {
            if (WHOLE || e < left)
                value[e] = *from;
            from += inner;
        }
    }

    /* Scans them, with *carry_p before them. */
    template <bool WHOLE>
    __device__ void scan(Op op, T *to, uint64_t left, uint64_t inner, bool inclusive,
                         total *carry_p) const
    {
#pragma unroll
        for (unsigned e = 0; e < ELEMENTS; e++) {
            if (WHOLE || e < left) {
                const total up_to = op(*carry_p, op.widen(cuda_convert<T>(value[e])));
                *to = op.narrow(inclusive ? up_to : *carry_p);
                *carry_p = up_to;
            }
            to += inner;
        }
    }
};

/* Scans all columns of the tensor from arrays.in to arrays.out, which may be the same. */
template <typename Op, typename T, typename From>
__global__ void __launch_bounds__(ROWS_ALONE_THREADS)
    rows_alone_scan(Op op, cuda_arrays<T, From> arrays, uint64_t n, uint64_t inner)
{
    using piece = rows_alone_piece<Op, From>;
    constexpr unsigned ELEMENTS = piece::ELEMENTS;
    const uint64_t number = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const uint64_t row = number / inner;
    if (row * n * inner >= arrays.n)
        return;
    const From *in = arrays.in + row * n * inner + number % inner;
    T *out = arrays.out + (in - arrays.in);
    piece next;
    typename Op::total carry = op.identity();
    uint64_t left = n;
    next.template load<false>(in, left, inner);
    while (left >= 2 * ELEMENTS) {
        const piece now = next;
        in += ELEMENTS * inner;
        next.template load<true>(in, 0, inner);
        now.template scan<true>(op, out, 0, inner, arrays.inclusive, &carry);
        out += ELEMENTS * inner;
        left -= ELEMENTS;
    }
    const piece now = next;
    if (left > ELEMENTS)
        next.template load<false>(in + ELEMENTS * inner, left - ELEMENTS, inner);
    now.template scan<false>(op, out, left, inner, arrays.inclusive, &carry);
    if (left > ELEMENTS)
        next.template scan<false>(op, out + ELEMENTS * inner, left - ELEMENTS, inner,
                                  arrays.inclusive, &carry);
}

#endif
