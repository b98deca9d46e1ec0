/* chained_narrow_avx512.c - the loops of cpu_chained for elements of 1 and 2 bytes in AVX-512 */
#include "chained_part.h"

#if defined(__x86_64__)
#define SIMD_BYTES 64
#define SIMD_NARROW
#include "chained_fused.h"

const chained_loops chained_narrow_avx512 = CHAINED_TABLE;
#endif
