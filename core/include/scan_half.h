/*
 * scan_half.h - floats of 16 bits: f16 (binary16 of IEEE 754) and bf16 (the upper half of an f32)
 *
 * An element is a uint16_t word. To f32 each number converts exactly. From f32 it is rounded to
 * nearest, ties to even, subnormal numbers too, and to infinity beyond the greatest; a NaN stays
 * one, and quiet. The floating-point mode is the usual one: rounding to nearest, subnormal numbers
 * kept. Loops over these functions have no branches, so compilers make vectors of them. Plain C11,
 * also C++17, and nothing else is needed.
 *
 *     float sum = 0;
 *     for (uint64_t i = 0; i < n; i++)
 *         y[i] = scan_f16_from_f32(sum += scan_f16_to_f32(x[i]));
 */
#ifndef SCAN_HALF_H
#define SCAN_HALF_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t scan_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float scan_f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float scan_f16_to_f32(uint16_t word)
{
    const uint32_t size = word & UINT32_C(0x7fff), sign = (word & UINT32_C(0x8000)) << 16;
    const uint32_t moved = (size << 13) + (UINT32_C(112) << 23); /* from one bias to the other */
    const uint32_t special = moved + (UINT32_C(112) << 23);      /* infinity and NaN */
    const uint32_t subnormal = scan_f32_bits((float)(int32_t)size * 0x1p-24F);
    const uint32_t finite = size < UINT32_C(0x400) ? subnormal : moved;
    return scan_f32_of_bits(sign | (size < UINT32_C(0x7c00) ? finite : special));
}

static inline uint16_t scan_f16_from_f32(float value)
{
    const uint32_t bits = scan_f32_bits(value), size = bits & UINT32_C(0x7fffffff);
    const uint32_t sign = bits >> 16 & UINT32_C(0x8000);
    const uint32_t rounded = size + UINT32_C(0xfff) + (size >> 13 & 1);
    const uint32_t normal = (rounded - (UINT32_C(112) << 23)) >> 13;
    /* The last place of a number from 0.5 to 1 is the least f16, so that this addition rounds. */
    const uint32_t subnormal = scan_f32_bits(scan_f32_of_bits(size) + 0.5F) - (UINT32_C(126) << 23);
    const uint32_t nan = UINT32_C(0x7e00) | (size >> 13 & UINT32_C(0x3ff));
    const uint32_t finite = size < UINT32_C(113) << 23 ? subnormal : normal;
    const uint32_t beyond = size > UINT32_C(255) << 23 ? nan : UINT32_C(0x7c00);
    return (uint16_t)(sign | (size < UINT32_C(143) << 23 ? finite : beyond)); /* below 2^16 */
}

static inline float scan_bf16_to_f32(uint16_t word)
{
    return scan_f32_of_bits((uint32_t)word << 16);
}

static inline uint16_t scan_bf16_from_f32(float value)
{
    const uint32_t bits = scan_f32_bits(value), size = bits & UINT32_C(0x7fffffff);
    const uint32_t rounded = bits + UINT32_C(0x7fff) + (bits >> 16 & 1);
    const uint32_t nan = bits | UINT32_C(1) << 22;
    return (uint16_t)((size > UINT32_C(255) << 23 ? nan : rounded) >> 16);
}

#ifdef __cplusplus
}
#endif

#endif
