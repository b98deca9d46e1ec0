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
 *
 * Sums of bf16 in a single row are scanned as the words they lie in, of two elements each: windows
 * are those of the words' own sums. With S the sum up to a word, P the one up to the word before
 * and a its first element, the outputs of the word are P and P + a, or P + a and S. So as many
 * windows serve twice the elements, and nothing is widened, narrowed or moved by one element. Words
 * begin at even i, wherever they lie in memory.
 *
 * Many rows are one array to these loops, whose windows are clipped where a row begins: an element
 * takes what lies d places before it only if that is in its row (simd_rows in simd_part.h). So a
 * row costs nothing to begin, whatever its length, and its order of operations is that of a row
 * alone, but for sums of bf16: a word may hold the end of a row and the begin of the next one.
 */
#ifndef SIMD_SCAN_H
#define SIMD_SCAN_H

#include "simd_part.h"
#include "simd_vector.h"

enum { LINE_BYTES = SIMD_LINE_BYTES };

/* Vectors whose results are a line in memory, and lines of results of a line of the input. */
SIMD_INLINE size_t line_vectors(const simd_op op)
{
    return LINE_BYTES / simd_out_step(op);
}

SIMD_INLINE size_t lines_of_line(const simd_op op)
{
    return simd_out_bytes(op) / simd_in_bytes(op);
}

/* From one mask of a place to the next one (simd_rows). */
#if defined(SIMD_NARROW)
enum { MASK_BYTES = SIMD_NARROW_MASK_BYTES };
#else
enum { MASK_BYTES = SIMD_BYTES };
#endif

/* A scan on its way. `before` and `sum` belong to the vector before element `i`; of pairs of bf16
 * so does `last`, their sums. */
typedef struct running {
    const unsigned char *e; /* e[i] of the vector that is loaded next */
    unsigned char *y;       /* where the next vector is stored */
    size_t left;            /* elements from there to the end */
    words pairs;            /* W_2 of the next vector */
    words last;             /* e of the next vector, where that is converted */
    words before[5];        /* W_2, W_4, ... W_32 */
    words sum;
    bool exclusive;             /* a constant of the loop */
    const simd_rows *rows;      /* if windows are clipped, and the next two */
    const unsigned char *masks; /* of the next vector */
    size_t whole;               /* vectors behind it that have the same masks */
} running;

SIMD_INLINE words simd_identity(const simd_op op)
{
    return simd_all(op, simd_identities[op]);
}

/* earlier (+) later, or `later` alone where `earlier` is of another row. */
SIMD_INLINE words join_in_row(const simd_op op, const running *r, const bool clipped,
                              const simd_mask which, words earlier, words later)
{
    if (!clipped)
        return simd_combine(op, earlier, later);
    const words mask = simd_load(r->masks + (size_t)which * MASK_BYTES);
    if (simd_is_sum(op))
        return simd_combine(op, earlier & mask, later);
    return simd_choose(mask, simd_combine(op, earlier, later), later);
}

/* A window of twice the length: `distance` is that of `window` in bytes. */
SIMD_INLINE words widen(const simd_op op, running *r, const bool clipped, const simd_mask which,
                        words window, const unsigned distance)
{
    words *before = &r->before[which - SIMD_MASK_TWO];
    const words earlier = simd_back(*before, window, distance);
    *before = window;
    return join_in_row(op, r, clipped, which, earlier, window);
}

/* Outputs from the windows of two elements. */
SIMD_INLINE words step(const simd_op op, running *r, const bool clipped, words window)
{
    const unsigned pair = 2 * simd_bytes(op);
    if (pair < SIMD_BYTES)
        window = widen(op, r, clipped, SIMD_MASK_TWO, window, pair);
    if (2 * pair < SIMD_BYTES)
        window = widen(op, r, clipped, SIMD_MASK_FOUR, window, 2 * pair);
    if (4 * pair < SIMD_BYTES)
        window = widen(op, r, clipped, SIMD_MASK_EIGHT, window, 4 * pair);
#if SIMD_BYTES > 16 * SIMD_LEAST_BYTES
    if (8 * pair < SIMD_BYTES)
        window = widen(op, r, clipped, SIMD_MASK_SIXTEEN, window, 8 * pair);
#endif
#if SIMD_BYTES > 32 * SIMD_LEAST_BYTES
    if (16 * pair < SIMD_BYTES)
        window = widen(op, r, clipped, SIMD_MASK_THIRTY_TWO, window, 16 * pair);
#endif
    r->sum = join_in_row(op, r, clipped, SIMD_MASK_SUM, r->sum, window);
    return r->sum;
}

/* W_2 of the next vector, of its e and the elements in front of each of them. */
SIMD_INLINE words pairs_of(const simd_op op, const running *r, const bool clipped, words earlier,
                           words e)
{
    if (clipped && r->exclusive)
        e = simd_choose(simd_load(r->masks + (size_t)SIMD_MASK_FIRST * MASK_BYTES), e,
                        simd_identity(op));
    return join_in_row(op, r, clipped, SIMD_MASK_PAIR, earlier, e);
}

/* On to the masks of the vector behind the next one. */
SIMD_INLINE void move_on(running *r)
{
    const simd_rows *rows = r->rows;
    if (r->whole > 0) {
        r->whole--;
        return;
    }
    size_t place = (size_t)(r->masks - rows->masks) + rows->step;
    place = place < rows->bytes ? place : place - rows->bytes;
    r->masks = rows->masks + place;
    if (place - rows->begin_whole < rows->bytes_whole)
        r->whole = rows->whole;
}

/* The next outputs, after which the vector behind them is the next one. */
SIMD_INLINE words step_to(const simd_op op, running *r, const bool clipped, words earlier, words e)
{
    const words y = step(op, r, clipped, r->pairs);
    if (clipped)
        move_on(r);
    r->pairs = pairs_of(op, r, clipped, earlier, e);
    return y;
}

/* Outputs of a vector of pairs. */
SIMD_INLINE words step_pairs(const simd_op op, running *r, words x)
{
    const words sums = simd_sums_of_pairs(x), earlier = r->sum;
    const words window = simd_combine(op, simd_back(r->last, sums, WORD_BYTES), sums);
    const words behind = step(op, r, false, window);
    const words before = simd_back(earlier, behind, WORD_BYTES);
    const words between = simd_combine(op, before, simd_first_of_pairs(x));
    r->last = sums;
    return r->exclusive ? simd_to_pairs(before, between) : simd_to_pairs(between, behind);
}

/* The next outputs; loads for those after them, which must be L or more, but of pairs for these. */
SIMD_INLINE words advance(const simd_op op, running *r, const bool clipped)
{
    const words e = simd_load_elements(op, r->e);
    if (simd_in_pairs(op)) {
        r->e += simd_in_step(op);
        return step_pairs(op, r, e);
    }
    const words earlier = simd_is_half(op) ? simd_back(r->last, e, simd_bytes(op))
                                           : simd_load_elements(op, r->e - simd_in_bytes(op));
    r->last = e;
    r->e += simd_in_step(op);
    return step_to(op, r, clipped, earlier, e);
}

SIMD_INLINE void stored(const simd_op op, running *r, size_t count)
{
    r->y += count * simd_out_bytes(op);
    r->left -= count;
}

/* As begin, but it leaves an odd last element, and loads for none after them. */
SIMD_INLINE running begin_pairs(const simd_op op, const scan_kind kind, const simd_part *part,
                                size_t count)
{
    const size_t lanes = simd_lanes(op), first = count - count % simd_group(op);
    const words zeros = simd_identity(op);
    running r = {.e = part->in,
                 .y = part->out,
                 .left = part->n,
                 .last = zeros,
                 .before = {zeros, zeros, zeros, zeros, zeros},
                 .sum = simd_all(op, part->carry),
                 .exclusive = kind == SCAN_KIND_EXCLUSIVE};
    if (first == 0)
        return r;
    const ptrdiff_t from = (ptrdiff_t)first - (ptrdiff_t)lanes;
    const words x = simd_load_within(op, part->in, from, part->n, zeros);
    simd_store_last(op, r.y, first, step_pairs(op, &r, x));
    r.e += first * simd_in_bytes(op);
    stored(op, &r, first);
    return r;
}

/* Scans the first `count` elements, 1 to L of them, and loads for those after them. They are the
 * last of a vector that begins with identities. */
SIMD_INLINE running begin(const simd_op op, const scan_kind kind, const simd_part *part,
                          size_t count, const bool clipped)
{
    if (simd_in_pairs(op))
        return begin_pairs(op, kind, part, count);
    const unsigned char *x = part->in;
    const bool exclusive = kind == SCAN_KIND_EXCLUSIVE;
    const size_t lanes = simd_lanes(op), distance = clipped ? part->rows->inner : 1;
    const ptrdiff_t back = exclusive ? (ptrdiff_t)distance : 0;
    const ptrdiff_t first = (ptrdiff_t)(count - lanes) - back;
    const words identity = simd_identity(op);
    running r = {.y = part->out,
                 .left = part->n,
                 .before = {identity, identity, identity, identity, identity},
                 .sum = simd_all(op, part->carry),
                 .exclusive = exclusive,
                 .rows = part->rows};
    if (clipped) {
        const size_t place = (lanes - count) * r.rows->place_bytes % r.rows->bytes;
        r.masks = r.rows->masks + (place > 0 ? r.rows->bytes - place : 0);
    }
    words e;
    if (clipped || count < lanes)
        e = simd_load_within(op, x, first, part->n, identity);
    else
        e = exclusive ? simd_back(identity, simd_load_elements(op, x), simd_bytes(op))
                      : simd_load_elements(op, x);
    r.pairs = pairs_of(op, &r, clipped, simd_back(identity, e, simd_bytes(op)), e);

    const size_t after = part->n - count;
    words next;
    if (clipped)
        next = simd_load_within(op, x, (ptrdiff_t)count - back, part->n, identity);
    else
        next = simd_load_first(op, x + (count - (size_t)back) * simd_in_bytes(op),
                               after < lanes ? after : lanes, identity);
    const words y = step_to(op, &r, clipped, simd_back(e, next, simd_bytes(op)), next);
    r.last = next;
    r.e = x + ((ptrdiff_t)(count + lanes) - back) * (ptrdiff_t)simd_in_bytes(op);
    if (count < lanes)
        simd_store_last(op, r.y, count, y);
    else
        simd_store_elements(op, r.y, y);
    stored(op, &r, count);
    return r;
}

/* Scans `count` vectors; at least another one follows. */
SIMD_INLINE void some(const simd_op op, running *r, size_t count, const bool clipped)
{
    for (; count > 0; count--) {
        simd_store_elements(op, r->y, advance(op, r, clipped));
        stored(op, r, simd_lanes(op));
    }
}

/* Vectors that need no masks, and neither does the one behind them. */
SIMD_INLINE size_t whole_vectors(const running *r)
{
    return r->rows->inner == 1 ? r->whole : 0;
}

/* The same as some, clipped only where a row begins. */
SIMD_INLINE void some_of_rows(const simd_op op, running *r, size_t count)
{
    while (count > 0) {
        const size_t whole = whole_vectors(r), now = whole < count ? whole : count;
        some(op, r, now, false);
        r->whole -= now;
        count -= now;
        if (count > 0) {
            some(op, r, 1, true);
            count--;
        }
    }
}

/* Scans all that is left of pairs, the last of which may be half of one. */
SIMD_INLINE void finish_pairs(const simd_op op, running *r)
{
    some(op, r, r->left / simd_lanes(op), false);
    if (r->left > 0) {
        const words x = simd_load_first(op, r->e, r->left, simd_identity(op));
        simd_store_first(op, r->y, r->left, step_pairs(op, r, x));
    }
}

/* Scans all that is left. */
SIMD_INLINE void finish(const simd_op op, running *r, const bool clipped)
{
    if (simd_in_pairs(op)) {
        finish_pairs(op, r);
        return;
    }
    const size_t lanes = simd_lanes(op);
    if (r->left >= 2 * lanes && clipped)
        some_of_rows(op, r, r->left / lanes - 1);
    else if (r->left >= 2 * lanes)
        some(op, r, r->left / lanes - 1, false);
    if (r->left >= lanes) {
        const size_t rest = r->left - lanes;
        const words identity = simd_identity(op);
        const words earlier = simd_load_first(op, r->e - simd_in_bytes(op), rest, identity);
        const words e = simd_load_first(op, r->e, rest, identity);
        simd_store_elements(op, r->y, step_to(op, r, clipped, earlier, e));
        stored(op, r, lanes);
    }
    if (r->left > 0)
        simd_store_first(op, r->y, r->left, step(op, r, clipped, r->pairs));
}

/* Through the caches, with no more instructions than it needs. */
SIMD_INLINE void scan_near(const simd_op op, const scan_kind kind, const simd_part *part)
{
    const size_t lanes = simd_lanes(op);
    if (part->n == 0)
        return;
    running r = begin(op, kind, part, part->n < lanes ? part->n : lanes, false);
    finish(op, &r, false);
}

/* ---- from memory to memory -------------------------------------------------- */

/* Scans up to where the output begins a line, or about so if no element does, but one vector if
 * there are less than four lines. */
SIMD_INLINE running begin_line(const simd_op op, const scan_kind kind, const simd_part *part,
                               const bool clipped)
{
    const size_t lanes = simd_lanes(op), line = LINE_BYTES / simd_out_bytes(op);
    const size_t before = (LINE_BYTES - (uintptr_t)part->out % LINE_BYTES) / simd_out_bytes(op);
    const size_t count = part->n < 4 * line ? (part->n < lanes ? part->n : lanes)
                         : before > 0       ? before
                                            : line;
    const size_t first = count % lanes > 0 ? count % lanes : lanes;
    running r = begin(op, kind, part, first, clipped);
    some(op, &r, (count - first) / lanes, clipped);
    return r;
}

/* Whole lines are stored at once, or the write buffers send them in pieces. */
SIMD_INLINE void line_around(const simd_op op, running *r, const bool clipped)
{
    for (size_t i = 0; i < line_vectors(op); i++)
        simd_store_elements_around(op, r->y + i * simd_out_step(op), advance(op, r, clipped));
    stored(op, r, LINE_BYTES / simd_out_bytes(op));
}

/* The same, clipped only where a row begins. */
SIMD_INLINE void line_of_rows_around(const simd_op op, running *r)
{
    if (whole_vectors(r) < line_vectors(op)) {
        line_around(op, r, true);
    } else {
        line_around(op, r, false);
        r->whole -= line_vectors(op);
    }
}

SIMD_INLINE void prefetch_row(const simd_path *path, const unsigned char *at)
{
    for (size_t i = 0; i < SIMD_ROW_LINES; i++)
        __builtin_prefetch(at + i * path->line_step);
}

/* Scans blocks of lines of the input, and leaves one or two of them. */
SIMD_INLINE void blocks_around(const simd_op op, running *r, const simd_path *from)
{
    const simd_path path = *from;
    const size_t block = SIMD_BLOCK_BYTES / simd_in_bytes(op);
    while (r->left >= 2 * block) {
        const unsigned char *ahead = r->e + path.first;
        for (int row = 0; row < SIMD_BLOCK_ROWS; row++, ahead += path.row_step) {
            prefetch_row(&path, ahead);
            for (size_t i = 0; i < SIMD_ROW_LINES * lines_of_line(op); i++)
                line_around(op, r, false);
        }
    }
}

/* The same of many rows: twice the code for a line, so it is written once. */
SIMD_INLINE void blocks_of_rows_around(const simd_op op, running *r, const simd_path *from)
{
    const simd_path path = *from;
    const size_t block = SIMD_BLOCK_BYTES / simd_in_bytes(op);
    while (r->left >= 2 * block) {
        const unsigned char *ahead = r->e + path.first;
        for (size_t line = 0; line < (size_t)SIMD_BLOCK_ROWS * SIMD_ROW_LINES; line++) {
            __builtin_prefetch(ahead + line / SIMD_ROW_LINES * path.row_step +
                               line % SIMD_ROW_LINES * path.line_step);
            for (size_t i = 0; i < lines_of_line(op); i++)
                line_of_rows_around(op, r);
        }
    }
}

/* Stores around the caches: the lines of the output are not read first, a third less traffic. The
 * address of the output is a multiple of an element's bytes. */
SIMD_INLINE void scan_far(const simd_op op, const scan_kind kind, const simd_part *part)
{
    running r = begin_line(op, kind, part, false);
    blocks_around(op, &r, part->path);
    finish(op, &r, false);
    simd_fence();
}

/* Many rows, either way: `part` is all of them, from the first element of one on. */
SIMD_INLINE void scan_clipped(const simd_op op, const scan_kind kind, const simd_part *part)
{
    if (part->n == 0)
        return;
    running r = begin_line(op, kind, part, true);
    if (part->around)
        blocks_of_rows_around(op, &r, part->path);
    finish(op, &r, true);
    if (part->around)
        simd_fence();
}

#endif
