/*
 * rows_kernels.h - the kernels of cuda_rows, found by operator
 *
 * They are compiled in several files, each for some operators, because there are many.
 */
#ifndef ROWS_KERNELS_H
#define ROWS_KERNELS_H

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "lookahead_scan.h"
#include "rows_scan.h"
#include "rows_words.cuh"

/* Accesses of 16 bytes of each thread in the pipeline. A part in which a row begins is scanned
 * twice. Rows of narrow elements have fewer bytes, so more of their parts are: these are small, and
 * two CTAs share a multiprocessor. */
template <typename T> constexpr unsigned rows_long_lines()
{
    return sizeof(T) < 4 ? 4 : 8;
}

/* Its launch bounds: threads of a CTA, that load, look ahead, reduce and scan, and CTAs of a
 * multiprocessor, at least. */
template <typename T> constexpr unsigned rows_long_most_threads()
{
    return sizeof(T) < 4 ? (1 + 1 + 2 + 8) * 32 : +LOOKAHEAD_MOST_THREADS;
}
template <typename T> constexpr unsigned rows_long_ctas()
{
    return sizeof(T) < 4 ? 2 : 1;
}

/* Is it the operator of two columns (rows_beside.cuh)? Its scans have inner = 1. */
template <typename Op> inline constexpr bool rows_is_beside = false;

/* From: the elements, of which Op scans what they become. */
template <typename Op, typename From = typename Op::value> struct rows_kernels {
    using T = typename Op::value;
    using arrays_type = cuda_arrays<T, From>;
    using word = typename lookahead_words<T>::word;
    using control = lookahead_control<word>;
    using tile_kernel = void (*)(Op op, arrays_type arrays, rows_matrix matrix, uint64_t whole,
                                 control control);

    tile_kernel whole;  /* tiles of whole rows */
    tile_kernel linked; /* tiles of one size */
    void (*ahead)(Op op, arrays_type arrays, control control, lookahead_shape shape,
                  rows_matrix matrix);
    /* Of columns; NULL for pairs of them: */
    void (*alone)(Op op, arrays_type arrays, uint64_t n, uint64_t inner);
    void (*columns)(Op op, arrays_type arrays, rows_matrix matrix, rows_strips strips,
                    control control);
    /* NULL also where results are wider than the elements: */
    void (*stream)(Op op, arrays_type arrays, rows_stream shape);
};

template <typename Op, typename From = typename Op::value> rows_kernels<Op, From> rows_kernels_of();

#endif
