/* simd_narrow_avx512.c - the loops of cpu_simd for elements of 1 and 2 bytes in AVX-512 */
#include "simd_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#define SIMD_NARROW
#include "simd_scans.h"

const simd_scans simd_narrow_avx512 = SIMD_TABLE;
#endif
