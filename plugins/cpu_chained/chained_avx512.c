#define SIMD_BYTES 64
#include "chained_fused.h"

const chained_loops chained_loops_avx512 = CHAINED_TABLE;
