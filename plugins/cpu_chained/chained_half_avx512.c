/* chained_half_avx512.c - the loops of cpu_chained for floats of 16 bits in AVX-512 */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#define SIMD_HALF
#include "chained_fused.h"

const chained_loops chained_half_avx512 = CHAINED_TABLE;
#endif
