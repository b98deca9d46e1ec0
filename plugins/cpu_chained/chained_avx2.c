#define SIMD_BYTES 32
#include "chained_fused.h"

const chained_loops chained_loops_avx2 = CHAINED_TABLE;
