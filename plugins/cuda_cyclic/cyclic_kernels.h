/*
 * cyclic_kernels.h - the cyclic kernels, found by operator and lines
 *
 * As lookahead_kernels.h: the number of lines is a compile-time constant, and the kernels are
 * compiled in several files.
 */
#ifndef CYCLIC_KERNELS_H
#define CYCLIC_KERNELS_H

#include "cuda_ops.cuh"
#include "cyclic_scan.h"
#include "cyclic_words.cuh"

template <typename T> using cyclic_word = typename cyclic_words<T>::word;

template <typename Op, typename T = typename Op::value>
using cyclic_kernel = void (*)(Op op, cyclic_launch<T, cyclic_word<T>> launch,
                               lookahead_shape shape);

/* `lines` is 1, 2, 4 or 8. */
template <typename Op> cyclic_kernel<Op> cyclic_kernel_of(unsigned lines);

#endif
