/* simd_avx2.c - the loops of cpu_simd in AVX2 */
#include "simd_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 32
#include "simd_scans.h"

const simd_scans simd_scans_avx2 = SIMD_TABLE;
#endif
