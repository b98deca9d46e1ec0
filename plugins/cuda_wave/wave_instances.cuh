/*
 * wave_instances.cuh - defines wave_kernel_of, for the files that instantiate it
 */
#ifndef WAVE_INSTANCES_CUH
#define WAVE_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "wave_kernel.cuh"
#include "wave_kernels.h"

template <typename Op> wave_kernel<Op> wave_kernel_of(unsigned lines)
{
    using words = wave_words<typename Op::value>;
    return cuda_pick_lines(lines, [](auto LINES) -> wave_kernel<Op> {
        return wave_scan<Op, LINES, words, wave_rules>;
    });
}

/* Compiles the kernels of an operator. */
#define WAVE_COMPILE(op) template wave_kernel<op> wave_kernel_of<op>(unsigned)

#endif
