/*
 * lookback_instances.cuh - defines lookback_kernel_of, for the files that instantiate it
 */
#ifndef LOOKBACK_INSTANCES_CUH
#define LOOKBACK_INSTANCES_CUH

#include "lookback_kernel.cuh"
#include "lookback_kernels.h"

template <typename Op> lookback_kernel<Op> lookback_kernel_of(unsigned rows)
{
    using words = lookback_words<typename Op::value>;
    switch (rows) {
    case 1:
        return lookback_scan<Op, 1, words>;
    case 2:
        return lookback_scan<Op, 2, words>;
    case 4:
        return lookback_scan<Op, 4, words>;
    default:
        return lookback_scan<Op, 8, words>;
    }
}

#endif
