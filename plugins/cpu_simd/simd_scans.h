/*
 * simd_scans.h - the scans of every operator and kind for one set of instructions, as a table
 */
#ifndef SIMD_SCANS_H
#define SIMD_SCANS_H

#include "simd_scan.h"

#define SIMD_FUNCTIONS(op, ...)                                        \
    SIMD_TARGET static void near_exclusive_##op(const simd_part *part) \
    {                                                                  \
        scan_near(SIMD_##op, SCAN_KIND_EXCLUSIVE, part);               \
    }                                                                  \
    SIMD_TARGET static void near_inclusive_##op(const simd_part *part) \
    {                                                                  \
        scan_near(SIMD_##op, SCAN_KIND_INCLUSIVE, part);               \
    }                                                                  \
    SIMD_TARGET static void far_exclusive_##op(const simd_part *part)  \
    {                                                                  \
        scan_far(SIMD_##op, SCAN_KIND_EXCLUSIVE, part);                \
    }                                                                  \
    SIMD_TARGET static void far_inclusive_##op(const simd_part *part)  \
    {                                                                  \
        scan_far(SIMD_##op, SCAN_KIND_INCLUSIVE, part);                \
    }
SIMD_OP_MAP(SIMD_FUNCTIONS)

#define SIMD_NEAR(op, ...) [SIMD_##op] = {near_exclusive_##op, near_inclusive_##op},
#define SIMD_FAR(op, ...) [SIMD_##op] = {far_exclusive_##op, far_inclusive_##op},
#define SIMD_TABLE                                                         \
    {                                                                      \
        .near = {SIMD_OP_MAP(SIMD_NEAR)}, .far = { SIMD_OP_MAP(SIMD_FAR) } \
    }

#endif
