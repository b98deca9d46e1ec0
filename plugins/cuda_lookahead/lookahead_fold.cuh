/*
 * lookahead_fold.cuh - the total of rows of 32 values, one in each lane, always in the same order
 *
 * The order is row, lane, and only neighbours are combined: the operator need not commute, and the
 * rounding of a float sum does not depend on anything.
 *
 * Folding each row by itself would take five shuffles a row. Instead the lanes divide the rows: in
 * a step, each lane keeps half of its rows, gives the other half to its neighbour and takes the
 * neighbour's values of the rows it keeps. After log2(ROWS) steps it has one row, and the shuffles
 * of all steps together were one less than there are rows.
 */
#ifndef LOOKAHEAD_FOLD_CUH
#define LOOKAHEAD_FOLD_CUH

#include "cuda_access.cuh"
#include "cuda_ops.cuh"

/* The value of the lane whose number differs in the bit `step`. */
template <typename T> __device__ inline T lookahead_neighbour(const T &value, unsigned step)
{
    return cuda_same_bits<T>(__shfl_xor_sync(
        CUDA_ALL_LANES, cuda_same_bits<cuda_word<T>>(value), static_cast<int>(step)));
}

/* `mine` combined with the value of that lane, in the order of the lanes. */
template <typename Op, typename T>
__device__ inline T lookahead_join(Op op, const T &mine, const T &theirs, unsigned step)
{
    return (threadIdx.x & step) != 0 ? op(theirs, mine) : op(mine, theirs);
}

template <typename Op, typename T> __device__ inline T lookahead_fold_lanes(Op op, T value)
{
#pragma unroll
    for (unsigned step = 1; step < CUDA_WARP; step *= 2)
        value = lookahead_join(op, value, lookahead_neighbour(value, step), step);
    return value;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ inline uint32_t lookahead_fold_lanes(cuda_sum<uint32_t>, uint32_t value)
{
    return __reduce_add_sync(CUDA_ALL_LANES, value);
}
#endif

/* The lane keeps the first or the second half of its rows; `step` is the distance to its
 * neighbour. */
template <typename Op, unsigned ROWS, typename T>
__device__ inline T lookahead_fold_divided(Op op, const T (&row)[ROWS], unsigned step)
{
    if constexpr (ROWS == 1) {
        T total = row[0];
#pragma unroll
        for (; step < CUDA_WARP; step *= 2)
            total = lookahead_join(op, total, lookahead_neighbour(total, step), step);
        return total;
    } else {
        const bool second = (threadIdx.x & step) != 0;
        T kept[ROWS / 2];
#pragma unroll
        for (unsigned r = 0; r < ROWS / 2; r++) {
            const T mine = second ? row[ROWS / 2 + r] : row[r];
            const T given = second ? row[r] : row[ROWS / 2 + r];
            kept[r] = lookahead_join(op, mine, lookahead_neighbour(given, step), step);
        }
        const T total = lookahead_fold_divided(op, kept, 2 * step);
        return lookahead_join(op, total, lookahead_neighbour(total, step), step);
    }
}

/* The total of all rows, in every lane. ROWS is a power of two. */
template <typename Op, unsigned ROWS, typename T>
__device__ inline T lookahead_fold(Op op, const T (&row)[ROWS])
{
    if constexpr (Op::commutes) {
        T total = row[0];
#pragma unroll
        for (unsigned r = 1; r < ROWS; r++)
            total = op(total, row[r]);
        return lookahead_fold_lanes(op, total);
    } else {
        return lookahead_fold_divided(op, row, 1);
    }
}

#endif
