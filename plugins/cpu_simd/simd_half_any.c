/* simd_half_any.c - the loops of cpu_simd for 16-bit floats in what every CPU has: SSE2, NEON */
#define SIMD_BYTES 16
#define SIMD_HALF
#include "simd_scans.h"

const simd_scans simd_half_any = SIMD_TABLE;
