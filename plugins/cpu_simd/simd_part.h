/*
 * simd_part.h - what the loops are called with, and a table of them for each set of instructions
 */
#ifndef SIMD_PART_H
#define SIMD_PART_H

#include "simd_set.h"

#include <stddef.h>

/* Elements to scan, in memory of any alignment. `out` may be `in`. */
typedef struct simd_part {
    const unsigned char *in;
    unsigned char *out;
    size_t n;
    simd_value carry; /* what comes before them */
} simd_part;

typedef void simd_scan(const simd_part *part);

typedef struct simd_scans {
    simd_scan *near[SIMD_OPS][SCAN_KIND_COUNT]; /* for what fits into the caches */
    simd_scan *far[SIMD_OPS][SCAN_KIND_COUNT];  /* for what does not */
} simd_scans;

extern const simd_scans simd_scans_any, simd_scans_avx2, simd_scans_avx512;

#endif
