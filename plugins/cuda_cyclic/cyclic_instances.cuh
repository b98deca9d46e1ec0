/*
 * cyclic_instances.cuh - defines cyclic_kernel_of, for the files that instantiate it
 */
#ifndef CYCLIC_INSTANCES_CUH
#define CYCLIC_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "cyclic_kernel.cuh"
#include "cyclic_kernels.h"

template <typename Op> cyclic_kernel<Op> cyclic_kernel_of(unsigned lines)
{
    using words = cyclic_words<typename Op::value>;
    return cuda_pick_lines(lines, [](auto LINES) -> cyclic_kernel<Op> {
        return cyclic_scan<Op, LINES, words, lookahead_rules>;
    });
}

/* Compiles the kernels of an operator. */
#define CYCLIC_COMPILE(op) template cyclic_kernel<op> cyclic_kernel_of<op>(unsigned)

#endif
