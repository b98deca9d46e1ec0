/*
 * cuda_bf16.h - CUDA's words for bf16, for the emulator: only what our kernels use
 */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#include "scan_half.h"

#include <cmath>

/* NOLINTBEGIN(bugprone-reserved-identifier): these names are CUDA's. */
struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162 {
    unsigned short x, y;
};

inline float __bfloat162float(__nv_bfloat16_raw value)
{
    return scan_bf16_to_f32(value.x);
}

inline __nv_bfloat16_raw __float2bfloat16_rn(float value)
{
    return {scan_bf16_from_f32(value)};
}

inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high)
{
    return {scan_bf16_from_f32(low), scan_bf16_from_f32(high)};
}

inline __nv_bfloat162 __hmax2(__nv_bfloat162 left, __nv_bfloat162 right)
{
    return __floats2bfloat162_rn(fmaxf(scan_bf16_to_f32(left.x), scan_bf16_to_f32(right.x)),
                                 fmaxf(scan_bf16_to_f32(left.y), scan_bf16_to_f32(right.y)));
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
