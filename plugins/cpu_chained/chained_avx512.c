/* chained_avx512.c - the loops of cpu_chained in AVX-512 */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#include "chained_fused.h"

const chained_loops chained_loops_avx512 = CHAINED_TABLE;
#endif
