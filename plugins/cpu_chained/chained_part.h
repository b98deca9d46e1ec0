/*
 * chained_part.h - the loops of cpu_chained for each set of instructions
 */
#ifndef CHAINED_PART_H
#define CHAINED_PART_H

#include "simd_part.h"

/* Scans `part` and returns what the `n` elements at `next` combine to; both may be empty. The
 * result does not depend on `part`. */
typedef simd_value chained_fused(const simd_part *part, const unsigned char *next, size_t n);
typedef simd_value chained_join(simd_value left, simd_value right);

typedef struct chained_loops {
    chained_fused *fused[SIMD_OPS][SCAN_KIND_COUNT];
    chained_join *join[SIMD_OPS];
} chained_loops;

extern const chained_loops chained_loops_any, chained_loops_avx2, chained_loops_avx512;
/* For integers of 1 and 2 bytes, and for floats of 2; the others are empty there. */
extern const chained_loops chained_narrow_any, chained_narrow_avx2, chained_narrow_avx512;
extern const chained_loops chained_half_any, chained_half_avx2, chained_half_avx512;

#endif
