#define SIMD_BYTES 16
#include "chained_fused.h"

const chained_loops chained_loops_any = CHAINED_TABLE;
