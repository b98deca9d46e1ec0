/*
 * single_instances.cuh - defines single_kernel_of, for the files that instantiate it
 */
#ifndef SINGLE_INSTANCES_CUH
#define SINGLE_INSTANCES_CUH

#include "single_kernel.cuh"
#include "single_kernels.h"

template <typename Op> single_kernel<Op> single_kernel_of(unsigned rows)
{
    using T = typename Op::value;
    switch (rows) {
    case 1:
        return single_scan<Op, 1, T>;
    case 2:
        return single_scan<Op, 2, T>;
    case 4:
        return single_scan<Op, 4, T>;
    default:
        return single_scan<Op, 8, T>;
    }
}

#endif
