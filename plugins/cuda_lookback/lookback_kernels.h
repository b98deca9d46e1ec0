/*
 * lookback_kernels.h - the look-back kernels, found by operator and lines
 *
 * The number of lines is a compile-time constant, so that they stay in registers. The kernels are
 * compiled in several files, each for some operators, because there are many.
 */
#ifndef LOOKBACK_KERNELS_H
#define LOOKBACK_KERNELS_H

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "lookback_scan.h"
#include "lookback_words.cuh"

template <typename T> using lookback_word = typename lookback_words<T>::word;

template <typename Op, typename T = typename Op::value>
using lookback_kernel = void (*)(Op op, cuda_arrays<T> arrays,
                                 lookback_control<lookback_word<T>> control);

/* `lines` is 1, 2, 4 or 8. */
template <typename Op> lookback_kernel<Op> lookback_kernel_of(unsigned lines);

#endif
