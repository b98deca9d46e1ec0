/*
 * simd_scan.h - the scan of one thread, a vector at a time, by sliding windows
 *
 * With L elements in a vector, each output is the one L places before it and the L elements in
 * between:
 *
 *     y[i] = y[i - L] (+) W_L[i],   W_L[i] = x[i - L + 1] (+) ... (+) x[i]
 *
 * and windows double: W_2[i] = x[i - 1] (+) x[i], W_4[i] = W_2[i - 2] (+) W_2[i], and so on. W_2
 * comes from two loads that overlap; a wider window takes one shuffle and one operation, because a
 * vector and the one before it lie side by side in registers. What waits for the vector before is a
 * single operation, so latency is hidden, and no inverse or exchange of operands is needed: any
 * associative operator will do. log2(L) + 1 operations per element in steps of L; each element is
 * read and written once. Before element 0 there are identities, and y[i - L] is the carry.
 *
 * An exclusive scan is the inclusive one of e[0] = identity, e[i] = x[i - 1].
 *
 * Every vector is loaded before the vector in front of it is stored, so input and output may be one
 * buffer. The order of operations depends on i and L alone, not on addresses: the bits of float
 * sums do not either.
 */
#ifndef SIMD_SCAN_H
#define SIMD_SCAN_H

#include "simd_part.h"
#include "simd_vector.h"

enum { LINE_BYTES = SIMD_LINE_BYTES, LINE_VECTORS = LINE_BYTES / SIMD_BYTES };

/* A scan on its way. `before` and `sum` belong to the vector before element `i`. */
typedef struct running {
    const unsigned char *e; /* e[i] of the vector that is loaded next */
    unsigned char *y;       /* where the next vector is stored */
    size_t left;            /* elements from there to the end */
    words pairs;            /* W_2 of the next vector */
    words before[3];        /* W_2, W_4 and W_8 */
    words sum;
} running;

SIMD_INLINE words simd_identity(const simd_op op)
{
    return simd_all(op, simd_identities[op]);
}

/* A window of twice the length: `distance` is that of `window` in words. */
SIMD_INLINE words widen(const simd_op op, words *before, words window, const unsigned distance)
{
    const words earlier = simd_back(*before, window, distance);
    *before = window;
    return simd_combine(op, earlier, window);
}

/* Outputs from the windows of two elements. */
SIMD_INLINE words step(const simd_op op, running *r, words window)
{
    const unsigned pair = 2 * simd_words(op);
    if (pair < VECTOR_WORDS)
        window = widen(op, &r->before[0], window, pair);
    if (2 * pair < VECTOR_WORDS)
        window = widen(op, &r->before[1], window, 2 * pair);
    if (4 * pair < VECTOR_WORDS)
        window = widen(op, &r->before[2], window, 4 * pair);
    r->sum = simd_combine(op, r->sum, window);
    return r->sum;
}

/* The next outputs; loads for those after them, which must be L or more. */
SIMD_INLINE words advance(const simd_op op, running *r)
{
    const words pairs = simd_combine(op, simd_load(r->e - simd_bytes(op)), simd_load(r->e));
    const words y = step(op, r, r->pairs);
    r->pairs = pairs;
    r->e += SIMD_BYTES;
    return y;
}

SIMD_INLINE void stored(const simd_op op, running *r, size_t count)
{
    r->y += count * simd_bytes(op);
    r->left -= count;
}

/* Scans the first `count` elements, 1 to L of them, and loads for those after them. They are the
 * last of a vector that begins with identities. */
SIMD_INLINE running begin(const simd_op op, const scan_kind kind, const simd_part *part,
                          size_t count)
{
    const unsigned char *x = part->in;
    const size_t exclusive = kind == SCAN_KIND_EXCLUSIVE ? 1 : 0;
    const size_t lanes = simd_lanes(op);
    const words identity = simd_identity(op);
    running r = {.y = part->out,
                 .left = part->n,
                 .before = {identity, identity, identity},
                 .sum = simd_all(op, part->carry)};
    words e = count < lanes ? simd_load_last(op, x, count, identity) : simd_load(x);
    if (exclusive)
        e = simd_back(identity, e, simd_words(op));
    r.pairs = simd_combine(op, simd_back(identity, e, simd_words(op)), e);

    r.e = x + (count - exclusive) * simd_bytes(op);
    const size_t after = part->n - count;
    const words next = after < lanes ? simd_load_first(op, r.e, after, identity) : simd_load(r.e);
    r.e += SIMD_BYTES;
    const words pairs = simd_combine(op, simd_back(e, next, simd_words(op)), next);

    const words y = step(op, &r, r.pairs);
    if (count < lanes)
        simd_store_last(op, r.y, count, y);
    else
        simd_store(r.y, y);
    r.pairs = pairs;
    stored(op, &r, count);
    return r;
}

/* Scans `count` vectors; at least another one follows. */
SIMD_INLINE void some(const simd_op op, running *r, size_t count)
{
    for (; count > 0; count--) {
        simd_store(r->y, advance(op, r));
        stored(op, r, simd_lanes(op));
    }
}

/* Scans all that is left. */
SIMD_INLINE void finish(const simd_op op, running *r)
{
    const size_t lanes = simd_lanes(op);
    if (r->left >= 2 * lanes)
        some(op, r, r->left / lanes - 1);
    if (r->left >= lanes) {
        const size_t rest = r->left - lanes;
        const words identity = simd_identity(op);
        const words pairs =
            simd_combine(op, simd_load_first(op, r->e - simd_bytes(op), rest, identity),
                         simd_load_first(op, r->e, rest, identity));
        simd_store(r->y, step(op, r, r->pairs));
        r->pairs = pairs;
        stored(op, r, lanes);
    }
    if (r->left > 0)
        simd_store_first(op, r->y, r->left, step(op, r, r->pairs));
}

/* Through the caches, with no more instructions than it needs. */
SIMD_INLINE void scan_near(const simd_op op, const scan_kind kind, const simd_part *part)
{
    const size_t lanes = simd_lanes(op);
    if (part->n == 0)
        return;
    running r = begin(op, kind, part, part->n < lanes ? part->n : lanes);
    finish(op, &r);
}

/* ---- from memory to memory -------------------------------------------------- */

/* Scans up to where the output begins a line, or about so if no element does. There are several
 * lines. */
SIMD_INLINE running begin_line(const simd_op op, const scan_kind kind, const simd_part *part)
{
    const size_t lanes = simd_lanes(op), line = LINE_BYTES / simd_bytes(op);
    const size_t before = (LINE_BYTES - (uintptr_t)part->out % LINE_BYTES) / simd_bytes(op);
    const size_t count = before > 0 ? before : line;
    const size_t first = count % lanes > 0 ? count % lanes : lanes;
    running r = begin(op, kind, part, first);
    some(op, &r, (count - first) / lanes);
    return r;
}

/* Whole lines are stored at once, or the write buffers send them in pieces. */
SIMD_INLINE void line_around(const simd_op op, running *r)
{
    for (int i = 0; i < LINE_VECTORS; i++)
        simd_store_around(r->y + (size_t)i * SIMD_BYTES, advance(op, r));
    stored(op, r, LINE_BYTES / simd_bytes(op));
}

SIMD_INLINE void prefetch_row(const simd_path *path, const unsigned char *at)
{
    for (size_t i = 0; i < SIMD_ROW_LINES; i++)
        __builtin_prefetch(at + i * path->line_step);
}

/* Stores around the caches: the lines of the output are not read first, a third less traffic. The
 * address of the output is a multiple of an element's bytes. */
SIMD_INLINE void scan_far(const simd_op op, const scan_kind kind, const simd_part *part)
{
    const simd_path path = *part->path;
    const size_t block = SIMD_BLOCK_BYTES / simd_bytes(op);
    running r = begin_line(op, kind, part);
    while (r.left >= 2 * block) {
        const unsigned char *ahead = r.e + path.first;
        for (int row = 0; row < SIMD_BLOCK_ROWS; row++, ahead += path.row_step) {
            prefetch_row(&path, ahead);
            for (int i = 0; i < SIMD_ROW_LINES; i++)
                line_around(op, &r);
        }
    }
    finish(op, &r);
    simd_fence();
}

#endif
