/* chained_half_any.c - the loops of cpu_chained for floats of 16 bits in what every CPU has: SSE2,
 * NEON */
#define SIMD_BYTES 16
#define SIMD_HALF
#include "chained_fused.h"

const chained_loops chained_half_any = CHAINED_TABLE;
