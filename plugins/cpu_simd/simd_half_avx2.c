/* simd_half_avx2.c - the loops of cpu_simd for floats of 16 bits in AVX2 and F16C */
#include "simd_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 32
#define SIMD_HALF
#include "simd_scans.h"

const simd_scans simd_half_avx2 = SIMD_TABLE;
#endif
