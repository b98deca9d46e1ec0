/*
 * lookahead_instances.cuh - defines lookahead_kernel_of, for the files that instantiate it
 */
#ifndef LOOKAHEAD_INSTANCES_CUH
#define LOOKAHEAD_INSTANCES_CUH

#include "lookahead_kernel.cuh"
#include "lookahead_kernels.h"

template <typename Op> lookahead_kernel<Op> lookahead_kernel_of(unsigned rows)
{
    using words = lookahead_words<typename Op::value>;
    switch (rows) {
    case 1:
        return lookahead_scan<Op, 1, words, lookahead_rules>;
    case 2:
        return lookahead_scan<Op, 2, words, lookahead_rules>;
    case 4:
        return lookahead_scan<Op, 4, words, lookahead_rules>;
    default:
        return lookahead_scan<Op, 8, words, lookahead_rules>;
    }
}

#endif
