/*
 * lookahead_kernels.h - the look-ahead kernels, found by operator and lines
 *
 * The number of lines is a compile-time constant, so that they stay in registers. The kernels are
 * compiled in several files, each for some operators, because there are many.
 */
#ifndef LOOKAHEAD_KERNELS_H
#define LOOKAHEAD_KERNELS_H

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "lookahead_scan.h"
#include "lookahead_words.cuh"

template <typename T> using lookahead_word = typename lookahead_words<T>::word;

template <typename Op, typename From = typename Op::value, typename T = typename Op::value>
using lookahead_kernel = void (*)(Op op, cuda_arrays<T, From> arrays,
                                  lookahead_control<lookahead_word<T>> control,
                                  lookahead_shape shape);

/* `lines` is 1, 2, 4 or 8. From: the elements, of which Op scans what they become. */
template <typename Op, typename From = typename Op::value>
lookahead_kernel<Op, From> lookahead_kernel_of(unsigned lines);

#endif
