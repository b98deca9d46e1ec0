/* simd_avx512.c - the loops of cpu_simd in AVX-512 */
#include "simd_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#include "simd_scans.h"

const simd_scans simd_scans_avx512 = SIMD_TABLE;
#endif
