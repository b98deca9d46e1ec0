/*
 * multi_instances.cuh - defines multi_kernels_of, for the files that instantiate it
 */
#ifndef MULTI_INSTANCES_CUH
#define MULTI_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "multi_carry.cuh"
#include "multi_kernels.h"
#include "multi_reduce.cuh"

template <typename Op> multi_kernels<Op> multi_kernels_of()
{
    return {multi_reduce<Op>, multi_lookahead<Op, MULTI_LINES>,
            multi_lookback<Op, MULTI_LOOKBACK_LINES>};
}

/* Compiles the kernels of an operator. */
#define MULTI_COMPILE(op) template multi_kernels<op> multi_kernels_of<op>()

#endif
