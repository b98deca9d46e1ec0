/*
 * cuda_instances.cuh - the operators for which a plugin compiles its kernels, by groups that
 * compile in files of their own: COMPILE(operator), for wider results COMPILE(operator, elements)
 *
 * Signed sums are made as unsigned ones, and of either sign there are maxima: cuda_visit_operator
 * finds the instance for a problem.
 */
#ifndef CUDA_INSTANCES_CUH
#define CUDA_INSTANCES_CUH

#include "cuda_ops.cuh"

#define CUDA_COMPILE_INTEGERS(COMPILE) \
    COMPILE(cuda_sum<uint32_t>);       \
    COMPILE(cuda_extremum<int32_t>);   \
    COMPILE(cuda_extremum<uint32_t>)

#define CUDA_COMPILE_LONGS(COMPILE)  \
    COMPILE(cuda_sum<uint64_t>);     \
    COMPILE(cuda_extremum<int64_t>); \
    COMPILE(cuda_extremum<uint64_t>)

#define CUDA_COMPILE_FLOATS(COMPILE) \
    COMPILE(cuda_sum<float>);        \
    COMPILE(cuda_sum<double>);       \
    COMPILE(cuda_extremum<float>);   \
    COMPILE(cuda_extremum<double>)

#define CUDA_COMPILE_PAIRS(COMPILE) \
    COMPILE(cuda_affine<uint32_t>); \
    COMPILE(cuda_affine<float>)

/* Integers of 8 and 16 bits. */
#define CUDA_COMPILE_NARROW(COMPILE) \
    COMPILE(cuda_sum<uint8_t>);      \
    COMPILE(cuda_sum<uint16_t>);     \
    COMPILE(cuda_extremum<int8_t>);  \
    COMPILE(cuda_extremum<uint8_t>); \
    COMPILE(cuda_extremum<int16_t>); \
    COMPILE(cuda_extremum<uint16_t>)

/* Floats of 16 bits. */
#define CUDA_COMPILE_HALVES(COMPILE)  \
    COMPILE(cuda_sum<cuda_f16>);      \
    COMPILE(cuda_sum<cuda_bf16>);     \
    COMPILE(cuda_extremum<cuda_f16>); \
    COMPILE(cuda_extremum<cuda_bf16>)

/* Sums wider than their elements: the pairs of cuda_find_wider. */
#define CUDA_COMPILE_WIDE(COMPILE)         \
    COMPILE(cuda_sum<uint32_t>, int8_t);   \
    COMPILE(cuda_sum<uint32_t>, uint8_t);  \
    COMPILE(cuda_sum<uint32_t>, int16_t);  \
    COMPILE(cuda_sum<uint32_t>, uint16_t); \
    COMPILE(cuda_sum<uint64_t>, int32_t);  \
    COMPILE(cuda_sum<uint64_t>, uint32_t); \
    COMPILE(cuda_sum<double>, float);      \
    COMPILE(cuda_sum<float>, cuda_f16);    \
    COMPILE(cuda_sum<float>, cuda_bf16)

#endif
