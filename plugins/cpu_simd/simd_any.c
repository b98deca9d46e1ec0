#define SIMD_BYTES 16
#include "simd_scans.h"

const simd_scans simd_scans_any = SIMD_TABLE;
