/*
 * chained_fused.h - the scan of one part while another one is reduced
 *
 * Both move through the caches at once: the part that is scanned was reduced before and is in the
 * second-level cache, the other one comes from memory. So a core reads and writes memory all the
 * time, which is what a copy does; one after the other would leave it waiting for either.
 */
#ifndef CHAINED_FUSED_H
#define CHAINED_FUSED_H

#include "chained_part.h"
#include "simd_scan.h"

/* Vectors whose elements are a row in memory; at most, where they are wider in registers. */
enum { MOST_ROW_VECTORS = 4 * SIMD_ROW_BYTES / SIMD_BYTES };
SIMD_INLINE size_t row_vectors(const simd_op op)
{
    return SIMD_ROW_BYTES / simd_in_step(op);
}

/* A reduction on its way. */
typedef struct reducing {
    const unsigned char *x;
    size_t left;
    words sum; /* in each lane, or in the last one, as below */
} reducing;

/* May elements change places? Then lane j adds elements j, j + L, ... Otherwise neighbours are
 * added, into the last lane. For a sum of floats the order is only a matter of rounding, but sums
 * of neighbours cancel better than sums of distant elements; in a wider type it hardly rounds. */
SIMD_INLINE bool any_order(const simd_op op)
{
    return op != SIMD_AFFINE_U32 && op != SIMD_AFFINE_F32 && op != SIMD_SUM_F32 &&
           op != SIMD_SUM_F64;
}

/* A vector as it is combined with others: of pairs their sums. */
SIMD_INLINE words terms(const simd_op op, words x)
{
    return simd_in_pairs(op) ? simd_sums_of_pairs(x) : x;
}

/* The last element is that of all elements in order, as a balanced tree. */
SIMD_INLINE words fold(const simd_op op, words x)
{
    const unsigned element = simd_bytes(op);
    x = simd_combine(op, simd_back(x, x, element), x);
    if (2 * element < SIMD_BYTES)
        x = simd_combine(op, simd_back(x, x, 2 * element), x);
    if (4 * element < SIMD_BYTES)
        x = simd_combine(op, simd_back(x, x, 4 * element), x);
    if (8 * element < SIMD_BYTES)
        x = simd_combine(op, simd_back(x, x, 8 * element), x);
#if SIMD_BYTES > 16 * SIMD_LEAST_BYTES
    if (16 * element < SIMD_BYTES)
        x = simd_combine(op, simd_back(x, x, 16 * element), x);
#endif
#if SIMD_BYTES > 32 * SIMD_LEAST_BYTES
    if (32 * element < SIMD_BYTES)
        x = simd_combine(op, simd_back(x, x, 32 * element), x);
#endif
    return x;
}

/* The lower levels of the tree for a whole row: each combines neighbours and halves the vectors. */
SIMD_INLINE words fold_row(const simd_op op, const unsigned char *x)
{
    words row[MOST_ROW_VECTORS];
    for (size_t i = 0; i < row_vectors(op); i++)
        row[i] = simd_load_elements(op, x + i * simd_in_step(op));
    for (size_t count = row_vectors(op) / 2; count > 0; count /= 2)
        for (size_t i = 0; i < count; i++) {
            const words left = row[2 * i], right = row[2 * i + 1];
            row[i] = simd_combine(op, simd_every_second(op, left, right, 0),
                                  simd_every_second(op, left, right, 1));
        }
    return fold(op, row[0]);
}

SIMD_INLINE void reduce_row(const simd_op op, reducing *d)
{
    if (any_order(op))
        for (size_t i = 0; i < row_vectors(op); i++) {
            const words x = simd_load_elements(op, d->x + i * simd_in_step(op));
            d->sum = simd_combine(op, d->sum, terms(op, x));
        }
    else
        d->sum = simd_combine(op, d->sum, fold_row(op, d->x));
    d->x += SIMD_ROW_BYTES;
    d->left -= SIMD_ROW_BYTES / simd_in_bytes(op);
}

SIMD_INLINE void reduce_vector(const simd_op op, reducing *d, words x, size_t elements)
{
    d->sum = simd_combine(op, d->sum, any_order(op) ? terms(op, x) : fold(op, x));
    d->x += simd_in_step(op);
    d->left -= elements;
}

SIMD_INLINE simd_value reduce_rest(const simd_op op, reducing *d)
{
    const size_t lanes = simd_lanes(op);
    while (d->left >= SIMD_ROW_BYTES / simd_in_bytes(op))
        reduce_row(op, d);
    while (d->left >= lanes)
        reduce_vector(op, d, simd_load_elements(op, d->x), lanes);
    if (d->left > 0)
        reduce_vector(op, d, simd_load_first(op, d->x, d->left, simd_identity(op)), d->left);
    return simd_last(op, any_order(op) ? fold(op, d->sum) : d->sum);
}

SIMD_INLINE void scan_row(const simd_op op, running *r, const bool around)
{
    for (size_t i = 0; i < SIMD_ROW_LINES * lines_of_line(op); i++)
        if (around)
            line_around(op, r, false);
        else
            some(op, r, line_vectors(op), false);
}

/* As many rows as both have, but for the last ones. */
SIMD_INLINE void fuse_rows(const simd_op op, running *r, reducing *d, const simd_path *path,
                           const bool around)
{
    const size_t row_elements = SIMD_ROW_BYTES / simd_in_bytes(op);
    const simd_path steps = *path;
    while (r->left >= 2 * row_elements && d->left >= row_elements) {
        const unsigned char *ahead = d->x + steps.first;
        for (int row = 0; row < SIMD_BLOCK_ROWS; row++, ahead += steps.row_step) {
            if (r->left < 2 * row_elements || d->left < row_elements)
                return;
            prefetch_row(&steps, ahead);
            reduce_row(op, d);
            scan_row(op, r, around);
        }
    }
}

/* Scans `part`, which may be empty, and returns what the `n` elements at `next` combine to. */
SIMD_INLINE simd_value fused(const simd_op op, const scan_kind kind, const simd_part *part,
                             const unsigned char *next, size_t n)
{
    const size_t row_elements = SIMD_ROW_BYTES / simd_in_bytes(op);
    reducing d = {.x = next, .left = n, .sum = simd_identity(op)};
    if (part->n < 4 * row_elements) {
        scan_near(op, kind, part);
        return reduce_rest(op, &d);
    }
    running r = begin_line(op, kind, part, false);
    if (part->around) {
        fuse_rows(op, &r, &d, part->path, true);
        while (r.left >= 2 * row_elements)
            scan_row(op, &r, true);
        finish(op, &r, false);
        simd_fence();
    } else {
        fuse_rows(op, &r, &d, part->path, false);
        finish(op, &r, false);
    }
    return reduce_rest(op, &d);
}

SIMD_INLINE simd_value join(const simd_op op, simd_value left, simd_value right)
{
    return simd_last(op, simd_combine(op, simd_all(op, left), simd_all(op, right)));
}

/* ---- for every operator and kind ------------------------------------------------ */

#define CHAINED_FUNCTIONS(op, ...)                                                                 \
    SIMD_TARGET static simd_value exclusive_##op(const simd_part *part, const unsigned char *next, \
                                                 size_t n)                                         \
    {                                                                                              \
        return fused(SIMD_##op, SCAN_KIND_EXCLUSIVE, part, next, n);                               \
    }                                                                                              \
    SIMD_TARGET static simd_value inclusive_##op(const simd_part *part, const unsigned char *next, \
                                                 size_t n)                                         \
    {                                                                                              \
        return fused(SIMD_##op, SCAN_KIND_INCLUSIVE, part, next, n);                               \
    }                                                                                              \
    SIMD_TARGET static simd_value join_##op(simd_value left, simd_value right)                     \
    {                                                                                              \
        return join(SIMD_##op, left, right);                                                       \
    }
SIMD_OPS_HERE(CHAINED_FUNCTIONS)

#define CHAINED_FUSED(op, ...) [SIMD_##op] = {exclusive_##op, inclusive_##op},
#define CHAINED_JOIN(op, ...) [SIMD_##op] = join_##op,
#define CHAINED_TABLE                                                                    \
    {                                                                                    \
        .fused = {SIMD_OPS_HERE(CHAINED_FUSED)}, .join = { SIMD_OPS_HERE(CHAINED_JOIN) } \
    }

#endif
