/*
 * lookback_instances.cuh - defines lookback_kernel_of, for the files that instantiate it
 */
#ifndef LOOKBACK_INSTANCES_CUH
#define LOOKBACK_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "lookback_kernel.cuh"
#include "lookback_kernels.h"

template <typename Op> lookback_kernel<Op> lookback_kernel_of(unsigned lines)
{
    using words = lookback_words<typename Op::value>;
    return cuda_pick_lines(
        lines, [](auto LINES) -> lookback_kernel<Op> { return lookback_scan<Op, LINES, words>; });
}

/* Compiles the kernels of an operator. */
#define LOOKBACK_COMPILE(op) template lookback_kernel<op> lookback_kernel_of<op>(unsigned)

#endif
