/* chained_half_avx2.c - the loops of cpu_chained for floats of 16 bits in AVX2 and F16C */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 32
#define SIMD_HALF
#include "chained_fused.h"

const chained_loops chained_half_avx2 = CHAINED_TABLE;
#endif
