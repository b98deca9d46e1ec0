/*
 * component.h - components of any dtype, as the widest integer and as double
 *
 * Inlined where `type` is a constant, these are plain loads and stores, so that a loop over
 * elements is written once for all dtypes.
 */
#ifndef SCANBENCH_PROBLEM_COMPONENT_H
#define SCANBENCH_PROBLEM_COMPONENT_H

#include "problem/dtype.h"

/* For functions that the compiler specialises for each dtype; DTYPE_INFO is the constant
 * argument. */
#define FOR_EACH_DTYPE static inline __attribute__((always_inline))

/* Component i of an array of floats. */
FOR_EACH_DTYPE double component_real(dtype_info type, const void *from, size_t i)
{
    return type.bits == 32 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

/* Component i of an array of integers, sign-extended to 64 bits where it is signed. */
FOR_EACH_DTYPE uint64_t component_integer(dtype_info type, const void *from, size_t i)
{
    uint64_t value = type.bits == 8    ? ((const uint8_t *)from)[i]
                     : type.bits == 16 ? ((const uint16_t *)from)[i]
                     : type.bits == 32 ? ((const uint32_t *)from)[i]
                                       : ((const uint64_t *)from)[i];
    const uint64_t sign = type.is_signed ? UINT64_C(1) << (type.bits - 1) : 0;
    return (value ^ sign) - sign;
}

/* Sets component i of an array: to `real` rounded where it is a float, to the lowest bits of
 * `integer` where it is not. */
FOR_EACH_DTYPE void component_set(dtype_info type, void *to, size_t i, uint64_t integer,
                                  double real)
{
    if (type.digits > 0 && type.bits == 32)
        ((float *)to)[i] = (float)real;
    else if (type.digits > 0)
        ((double *)to)[i] = real;
    else if (type.bits == 8)
        ((uint8_t *)to)[i] = (uint8_t)integer;
    else if (type.bits == 16)
        ((uint16_t *)to)[i] = (uint16_t)integer;
    else if (type.bits == 32)
        ((uint32_t *)to)[i] = (uint32_t)integer;
    else
        ((uint64_t *)to)[i] = integer;
}

#endif
