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
#include "rows_scan.h"

/* Some elements of a column, one behind the other. */
template <typename Op> struct rows_alone_piece {
    using T = typename Op::value;
    using total = typename Op::total;
    static constexpr unsigned ELEMENTS = ROWS_ALONE_BYTES / sizeof(total);

    T value[ELEMENTS];

    /* Those from element i of n on, which lie `inner` apart; behind the end, anything. */
    __device__ void load(const T *column, uint64_t i, uint64_t n, uint64_t inner)
    {
#pragma unroll
        for (unsigned e = 0; e < ELEMENTS; e++) {
            if (i + e < n)
                value[e] = column[(i + e) * inner];
        }
    }

    /* Scans them, with *carry_p before them, to the same places of another column. */
    __device__ void scan(Op op, T *column, uint64_t i, uint64_t n, uint64_t inner, bool inclusive,
                         total *carry_p) const
    {
#pragma unroll
        for (unsigned e = 0; e < ELEMENTS; e++) {
            if (i + e < n) {
                const total up_to = op(*carry_p, op.widen(value[e]));
                column[(i + e) * inner] = op.narrow(inclusive ? up_to : *carry_p);
                *carry_p = up_to;
            }
        }
    }
};

/* Scans all columns of the tensor from arrays.in to arrays.out, which may be the same. */
template <typename Op, typename T>
__global__ void __launch_bounds__(ROWS_ALONE_THREADS)
    rows_alone_scan(Op op, cuda_arrays<T> arrays, uint64_t n, uint64_t inner)
{
    using piece = rows_alone_piece<Op>;
    const uint64_t number = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const uint64_t row = number / inner;
    const uint64_t at = row * n * inner + number % inner;
    if (row * n * inner >= arrays.n)
        return;
    piece next;
    next.load(arrays.in + at, 0, n, inner);
    typename Op::total carry = op.identity();
    for (uint64_t i = 0; i < n; i += piece::ELEMENTS) {
        const piece now = next;
        next.load(arrays.in + at, i + piece::ELEMENTS, n, inner);
        now.scan(op, arrays.out + at, i, n, inner, arrays.inclusive, &carry);
    }
}

#endif
