/*
 * component.h - components of any dtype, as the widest integer and as double
 *
 * Inlined where `type` is a constant, these are plain loads and stores, so that a loop over
 * elements is written once for all dtypes.
 */
#ifndef SCANBENCH_PROBLEM_COMPONENT_H
#define SCANBENCH_PROBLEM_COMPONENT_H

#include "problem/dtype.h"
#include "scan_half.h"

#include <math.h>
#include <string.h>

/* For functions that the compiler specialises for each dtype; DTYPE_INFO is the constant
 * argument. */
#define FOR_EACH_DTYPE static inline __attribute__((always_inline))

FOR_EACH_DTYPE bool component_is_half(dtype_info type)
{
    return type.digits > 0 && type.bits == 16;
}

/* The largest power of two of a float is half of 2^this. */
FOR_EACH_DTYPE int max_exponent(dtype_info type)
{
    return (int)(1U << (type.bits - type.digits - 1));
}

/* The power of two at or below |value|; 0 below the normal numbers of f64. */
static inline double power_below(double value)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= exponent;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What the type's numbers at a value are apart, of which that is power_below(): below the normal
 * ones the least number. */
FOR_EACH_DTYPE double component_ulp(dtype_info type, double power)
{
    const double ulp = power * ldexp(1, 1 - (int)type.digits);
    const double least = ldexp(1, 3 - max_exponent(type) - (int)type.digits);
    return ulp < least ? least : ulp;
}

/* A value rounded once to a float of 16 bits: to nearest, ties to even. Added to 1.5 * 2^52 last
 * places it keeps whole ones only. */
FOR_EACH_DTYPE double component_round(dtype_info type, double value)
{
    const double magic = component_ulp(type, power_below(value)) * 0x1.8p52;
    const double rounded = (value + magic) - magic;
    const double end = ldexp(1, max_exponent(type)); /* infinity stands in its place */
    return fabs(rounded) < end ? copysign(rounded, value)
                               : value + copysign((double)INFINITY, value);
}

/* Component i of an array of floats. */
FOR_EACH_DTYPE double component_real(dtype_info type, const void *from, size_t i)
{
    if (component_is_half(type)) {
        const uint16_t word = ((const uint16_t *)from)[i];
        return (double)(type.digits == 11 ? scan_f16_to_f32(word) : scan_bf16_to_f32(word));
    }
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
    if (component_is_half(type)) {
        const float exact = (float)component_round(type, real);
        ((uint16_t *)to)[i] =
            type.digits == 11 ? scan_f16_from_f32(exact) : scan_bf16_from_f32(exact);
    } else if (type.digits > 0 && type.bits == 32)
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
