/*
 * cuda_fp16.h - CUDA's words for floats of 16 bits, for the emulator: only what our kernels use
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "scan_half.h"

#include <cmath>

/* NOLINTBEGIN(bugprone-reserved-identifier): these names are CUDA's. */
struct __half_raw {
    unsigned short x;
};
struct __half2 {
    unsigned short x, y;
};

inline float __half2float(__half_raw value)
{
    return scan_f16_to_f32(value.x);
}

inline __half_raw __float2half_rn(float value)
{
    return {scan_f16_from_f32(value)};
}

inline float __low2float(__half2 pair)
{
    return scan_f16_to_f32(pair.x);
}

inline float __high2float(__half2 pair)
{
    return scan_f16_to_f32(pair.y);
}

inline __half2 __floats2half2_rn(float low, float high)
{
    return {scan_f16_from_f32(low), scan_f16_from_f32(high)};
}

inline __half2 __hmax2(__half2 left, __half2 right)
{
    return __floats2half2_rn(fmaxf(__low2float(left), __low2float(right)),
                             fmaxf(__high2float(left), __high2float(right)));
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
