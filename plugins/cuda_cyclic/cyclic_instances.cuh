/*
 * cyclic_instances.cuh - defines cyclic_kernel_of, for the files that instantiate it
 */
#ifndef CYCLIC_INSTANCES_CUH
#define CYCLIC_INSTANCES_CUH

#include "cyclic_kernel.cuh"
#include "cyclic_kernels.h"

template <typename Op> cyclic_kernel<Op> cyclic_kernel_of(unsigned rows)
{
    using words = cyclic_words<typename Op::value>;
    switch (rows) {
    case 1:
        return cyclic_scan<Op, 1, words, lookahead_rules>;
    case 2:
        return cyclic_scan<Op, 2, words, lookahead_rules>;
    case 4:
        return cyclic_scan<Op, 4, words, lookahead_rules>;
    default:
        return cyclic_scan<Op, 8, words, lookahead_rules>;
    }
}

#endif
