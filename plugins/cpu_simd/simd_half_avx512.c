/* simd_half_avx512.c - the loops of cpu_simd for floats of 16 bits in AVX-512 */
#include "simd_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#define SIMD_HALF
#include "simd_scans.h"

const simd_scans simd_half_avx512 = SIMD_TABLE;
#endif
