/* simd_narrow_any.c - the loops of cpu_simd for 1 and 2 bytes in what every CPU has: SSE2, NEON */
#define SIMD_BYTES 16
#define SIMD_NARROW
#include "simd_scans.h"

const simd_scans simd_narrow_any = SIMD_TABLE;
