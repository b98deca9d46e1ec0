/* chained_any.c - the loops of cpu_chained in what every CPU of the architecture has: SSE2, NEON */
#define SIMD_BYTES 16
#include "chained_fused.h"

const chained_loops chained_loops_any = CHAINED_TABLE;
