#define SIMD_BYTES 64
#include "simd_scans.h"

const simd_scans simd_scans_avx512 = SIMD_TABLE;
