/* chained_narrow_avx2.c - the loops of cpu_chained for elements of 1 and 2 bytes in AVX2 */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 32
#define SIMD_NARROW
#include "chained_fused.h"

const chained_loops chained_narrow_avx2 = CHAINED_TABLE;
#endif
