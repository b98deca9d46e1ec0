/*
 * multi_kernels.h - the kernels of cuda_multi, found by operator
 *
 * They are compiled in several files, each for some operators.
 */
#ifndef MULTI_KERNELS_H
#define MULTI_KERNELS_H

#include "cuda_ops.cuh"
#include "multi_scan.h"

template <typename Op, typename T = typename Op::value> struct multi_kernels {
    void (*reduce)(Op op, multi_reduction<T> control);
    void (*lookahead)(Op op, cuda_arrays<T> arrays, multi_lookahead_control<T> control,
                      lookahead_shape shape);
    void (*lookback)(Op op, cuda_arrays<T> arrays, multi_lookback_control<T> control);
};

template <typename Op> multi_kernels<Op> multi_kernels_of();

#endif
