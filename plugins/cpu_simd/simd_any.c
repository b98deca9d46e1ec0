/* simd_any.c - the loops of cpu_simd in what every CPU of the architecture has: SSE2, NEON */
#define SIMD_BYTES 16
#include "simd_scans.h"

const simd_scans simd_scans_any = SIMD_TABLE;
