/*
 * wave_kernels.h - the one-wave kernels, found by operator and lines
 *
 * The number of lines is a compile-time constant, so that they stay in registers.
 */
#ifndef WAVE_KERNELS_H
#define WAVE_KERNELS_H

#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_tagged.cuh"
#include "wave_scan.h"

template <typename T> using wave_word = typename cuda_tagged<cuda_total<T>>::word;

template <typename Op, typename T = typename Op::value>
using wave_kernel = void (*)(Op op, cuda_arrays<T> arrays, wave_control<wave_word<T>> control);

/* `lines` is 1, 2, 4 or 8. */
template <typename Op> wave_kernel<Op> wave_kernel_of(unsigned lines);

#endif
