/*
 * single_instances.cuh - defines single_kernel_of, for the files that instantiate it
 */
#ifndef SINGLE_INSTANCES_CUH
#define SINGLE_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "single_kernel.cuh"
#include "single_kernels.h"

template <typename Op> single_kernel<Op> single_kernel_of(unsigned lines)
{
    return cuda_pick_lines(lines, [](auto LINES) -> single_kernel<Op> {
        return single_scan<Op, LINES, typename Op::value>;
    });
}

/* Compiles the kernels of an operator. */
#define SINGLE_COMPILE(op) template single_kernel<op> single_kernel_of<op>(unsigned)

#endif
