/* chained_narrow_any.c - the loops of cpu_chained for 1 and 2 bytes in what every CPU has: SSE2,
 * NEON */
#define SIMD_BYTES 16
#define SIMD_NARROW
#include "chained_fused.h"

const chained_loops chained_narrow_any = CHAINED_TABLE;
