/*
 * lookahead_instances.cuh - defines lookahead_kernel_of, for the files that instantiate it
 */
#ifndef LOOKAHEAD_INSTANCES_CUH
#define LOOKAHEAD_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "lookahead_kernel.cuh"
#include "lookahead_kernels.h"

template <typename Op, typename From> lookahead_kernel<Op, From> lookahead_kernel_of(unsigned lines)
{
    using words = lookahead_words<typename Op::value>;
    return cuda_pick_lines(lines, [](auto LINES) -> lookahead_kernel<Op, From> {
        return lookahead_scan<Op, LINES, words, lookahead_rules>;
    });
}

/* Compiles the kernels of an operator; and, for wider results, of a type of elements. */
#define LOOKAHEAD_COMPILE(...) \
    template lookahead_kernel<__VA_ARGS__> lookahead_kernel_of<__VA_ARGS__>(unsigned)

#endif
