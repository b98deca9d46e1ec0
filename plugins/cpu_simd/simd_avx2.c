#define SIMD_BYTES 32
#include "simd_scans.h"

const simd_scans simd_scans_avx2 = SIMD_TABLE;
