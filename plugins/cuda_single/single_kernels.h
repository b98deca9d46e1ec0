/*
 * single_kernels.h - the kernels of one block or one cluster, found by operator and lines
 *
 * The number of lines is a compile-time constant, so that they stay in registers.
 */
#ifndef SINGLE_KERNELS_H
#define SINGLE_KERNELS_H

#include "cuda_ops.cuh"
#include "single_scan.h"

template <typename Op, typename T = typename Op::value>
using single_kernel = void (*)(Op op, const T *in, T *out, uint64_t n, bool inclusive,
                               unsigned ctas);

/* `lines` is 1, 2, 4 or 8. */
template <typename Op> single_kernel<Op> single_kernel_of(unsigned lines);

#endif
