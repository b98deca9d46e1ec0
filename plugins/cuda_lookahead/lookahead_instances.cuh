/*
 * lookahead_instances.cuh - defines lookahead_kernel_of and lookahead_wide_kernel_of, for the files
 * that instantiate them
 */
#ifndef LOOKAHEAD_INSTANCES_CUH
#define LOOKAHEAD_INSTANCES_CUH

#include "lookahead_kernel.cuh"
#include "lookahead_kernels.h"

template <typename Op> lookahead_kernel<Op> lookahead_kernel_of(unsigned lines)
{
    using words = lookahead_words<typename Op::value>;
    return cuda_pick_lines(lines, [](auto LINES) -> lookahead_kernel<Op> {
        return lookahead_scan<Op, LINES, words, lookahead_rules>;
    });
}

template <typename Op, typename From>
lookahead_kernel<Op, From> lookahead_wide_kernel_of(unsigned lines)
{
    using words = lookahead_words<typename Op::value>;
    return cuda_pick_lines(lines, [](auto LINES) -> lookahead_kernel<Op, From> {
        return lookahead_scan<Op, LINES, words, lookahead_rules>;
    });
}

#endif
