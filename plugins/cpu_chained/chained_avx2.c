/* chained_avx2.c - the loops of cpu_chained in AVX2 */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 32
#include "chained_fused.h"

const chained_loops chained_loops_avx2 = CHAINED_TABLE;
#endif
