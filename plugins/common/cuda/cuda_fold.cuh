/*
 * cuda_fold.cuh - the total of rows of 32 values, one in each lane, always in the same order
 *
 * The order is row, lane, and only neighbours are combined: the operator need not commute, and the
 * rounding of a float sum does not depend on anything.
 *
 * Folding each row by itself would take five shuffles a row. Instead the lanes divide the rows: in
 * a step, each lane keeps half of its rows, gives the other half to its neighbour and takes the
 * neighbour's values of the rows it keeps. After log2(ROWS) steps it has one row, and the shuffles
 * of all steps together were one less than there are rows.
 */
#ifndef CUDA_FOLD_CUH
#define CUDA_FOLD_CUH

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"

/* Combines the words of `low` and `high`, of which this lane keeps one and gives the other to the
 * lane whose number differs in the bit `step`: the lower of the two lanes keeps `low`. Words,
 * because the compiler chooses between structs through memory. */
template <typename Op, typename T>
__device__ inline T cuda_fold_exchange(Op op, const T &low, const T &high, unsigned step)
{
    using word = cuda_word<T>;
    const bool upper = (threadIdx.x & step) != 0;
    const word first = cuda_same_bits<word>(low);
    const word second = cuda_same_bits<word>(high);
    const word mine = upper ? second : first;
    const word given = upper ? first : second;
    const word theirs = __shfl_xor_sync(CUDA_ALL_LANES, given, static_cast<int>(step));
    const word left = upper ? theirs : mine;
    const word right = upper ? mine : theirs;
    return op(cuda_same_bits<T>(left), cuda_same_bits<T>(right));
}

/* The total of the lanes, in every lane; they begin with a distance of `step`. */
template <typename Op, typename T>
__device__ inline T cuda_fold_lanes(Op op, T value, unsigned step = 1)
{
#pragma unroll
    for (; step < CUDA_WARP; step *= 2)
        value = cuda_fold_exchange(op, value, value, step);
    return value;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <typename T>
__device__ inline std::enable_if_t<std::is_same_v<cuda_total<T>, uint32_t>, uint32_t>
cuda_fold_lanes(cuda_sum<T>, uint32_t value)
{
    return __reduce_add_sync(CUDA_ALL_LANES, value);
}

/* Of narrow integers a maximum, whatever the direction. */
template <typename T>
__device__ inline std::enable_if_t<cuda_extremum<T>::is_narrow && !cuda_is_half<T>, cuda_total<T>>
cuda_fold_lanes(cuda_extremum<T>, cuda_total<T> value)
{
    return __reduce_max_sync(CUDA_ALL_LANES, value);
}
#endif

/* The lane keeps the first or the second half of its rows, and folds it with the lanes that keep
 * the same half; then it meets the lanes with the other half. `step` is the distance to the
 * neighbour.
 */
template <typename Op, unsigned ROWS, typename T>
__device__ inline T cuda_fold_divided(Op op, const T (&row)[ROWS], unsigned step)
{
    if constexpr (ROWS == 1) {
        return cuda_fold_lanes(op, row[0], step);
    } else {
        T kept[ROWS / 2];
#pragma unroll
        for (unsigned r = 0; r < ROWS / 2; r++)
            kept[r] = cuda_fold_exchange(op, row[r], row[ROWS / 2 + r], step);
        const T total = cuda_fold_divided(op, kept, 2 * step);
        return cuda_fold_exchange(op, total, total, step);
    }
}

/* The total of all rows, in every lane. ROWS is a power of two. */
template <typename Op, unsigned ROWS, typename T>
__device__ inline T cuda_fold(Op op, const T (&row)[ROWS])
{
    if constexpr (Op::commutes) {
        T total = row[0];
#pragma unroll
        for (unsigned r = 1; r < ROWS; r++)
            total = op(total, row[r]);
        return cuda_fold_lanes(op, total);
    } else {
        return cuda_fold_divided(op, row, 1);
    }
}

/* The total of a warp's lines, in every lane. */
template <typename Op, unsigned LINES>
__device__ inline typename Op::total cuda_fold(Op op, const cuda_lines<Op, LINES> &lines)
{
    typename Op::total each[LINES];
#pragma unroll
    for (unsigned r = 0; r < LINES; r++)
        each[r] = cuda_total_of(op, lines.line[r]);
    return cuda_fold(op, each);
}

#endif
