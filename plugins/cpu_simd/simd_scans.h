/*
 * simd_scans.h - the scans of every operator and kind for one set of instructions, as a table
 */
#ifndef SIMD_SCANS_H
#define SIMD_SCANS_H

#include "simd_columns.h"
#include "simd_scan.h"

#define SIMD_FUNCTIONS_OF(op, name, kind)                            \
    SIMD_TARGET static void near_##name##_##op(const simd_part *one) \
    {                                                                \
        scan_near(SIMD_##op, kind, one);                             \
    }                                                                \
    SIMD_TARGET static void far_##name##_##op(const simd_part *one)  \
    {                                                                \
        scan_far(SIMD_##op, kind, one);                              \
    }
#define SIMD_FUNCTIONS(op, ...)                           \
    SIMD_FUNCTIONS_OF(op, exclusive, SCAN_KIND_EXCLUSIVE) \
    SIMD_FUNCTIONS_OF(op, inclusive, SCAN_KIND_INCLUSIVE)
SIMD_OPS_HERE(SIMD_FUNCTIONS)

#define SIMD_ROW_FUNCTIONS_OF(op, name, kind)                        \
    SIMD_TARGET static void rows_##name##_##op(const simd_part *all) \
    {                                                                \
        scan_clipped(SIMD_##op, kind, all);                          \
    }                                                                \
    SIMD_TARGET static void slab_##name##_##op(const simd_slab *all) \
    {                                                                \
        scan_slab(SIMD_##op, kind, all);                             \
    }
#define SIMD_ROW_FUNCTIONS(op, ...)                           \
    SIMD_ROW_FUNCTIONS_OF(op, exclusive, SCAN_KIND_EXCLUSIVE) \
    SIMD_ROW_FUNCTIONS_OF(op, inclusive, SCAN_KIND_INCLUSIVE)
SIMD_OPS_IN_ROWS(SIMD_ROW_FUNCTIONS)

#define SIMD_NEAR(op, ...) [SIMD_##op] = {near_exclusive_##op, near_inclusive_##op},
#define SIMD_FAR(op, ...) [SIMD_##op] = {far_exclusive_##op, far_inclusive_##op},
#define SIMD_ROWS(op, ...) [SIMD_##op] = {rows_exclusive_##op, rows_inclusive_##op},
#define SIMD_SLABS(op, ...) [SIMD_##op] = {slab_exclusive_##op, slab_inclusive_##op},
#define SIMD_TABLE                                                                                 \
    {                                                                                              \
        .bytes = SIMD_BYTES, .near = {SIMD_OPS_HERE(SIMD_NEAR)}, .far = {SIMD_OPS_HERE(SIMD_FAR)}, \
        .rows = {SIMD_OPS_IN_ROWS(SIMD_ROWS)}, .slabs = {SIMD_OPS_IN_ROWS(SIMD_SLABS)},            \
    }

#endif
