/*
 * simd_columns.h - scans that lie side by side, element by element: a vector holds neighbours of
 * different scans
 *
 * No element of a vector waits for another one of it, so there are no windows: one operation for
 * each vector. What comes before the next elements, the carries of a slab of scans, stays in the
 * first-level cache, and so do some steps' outputs, until they are copied out: then they can be
 * stored around the caches, line by line, wherever their steps begin, and the last vector of a step
 * may be more than its scans. The order of operations is that of the serial loop.
 */
#ifndef SIMD_COLUMNS_H
#define SIMD_COLUMNS_H

#include "simd_part.h"
#include "simd_vector.h"

/* Steps whose outputs are copied out together. */
typedef struct steps {
    const unsigned char *x;
    size_t stride; /* bytes from one element of a scan to the next one */
    size_t width;  /* scans */
    size_t count;
} steps;

/* One vector of a step; `carry` is what comes before it and then behind it. */
SIMD_INLINE words outputs_of(const simd_op op, const scan_kind kind, words *carry, words x)
{
    const words before = *carry;
    *carry = simd_combine(op, before, x);
    return kind == SCAN_KIND_EXCLUSIVE ? before : *carry;
}

/* The steps' outputs, one behind the other and a part of a vector more. */
SIMD_INLINE void take_steps(const simd_op op, const scan_kind kind, const steps *s,
                            unsigned char *carries, unsigned char *y)
{
    const size_t bytes = s->width * simd_out_bytes(op), in_step = simd_in_step(op);
    const unsigned char *x = s->x;
    for (size_t i = 0; i < s->count; i++, x += s->stride, y += bytes) {
        unsigned char *before = carries;
        for (size_t k = 0; k * simd_out_step(op) < bytes; k++, before += SIMD_BYTES) {
            words carry = simd_load(before);
            const words e = simd_load_elements(op, x + k * in_step);
            simd_store_elements(op, y + k * simd_out_step(op), outputs_of(op, kind, &carry, e));
            simd_store(before, carry);
        }
    }
}

/* The same of fewer scans than a vector has elements: their carries stay in a register. */
SIMD_INLINE void take_narrow_steps(const simd_op op, const scan_kind kind, const steps *s,
                                   unsigned char *carries, unsigned char *y)
{
    const size_t bytes = s->width * simd_out_bytes(op);
    const unsigned char *x = s->x;
    words carry = simd_load(carries);
    for (size_t i = 0; i < s->count; i++, x += s->stride, y += bytes) {
        simd_store_elements(op, y, outputs_of(op, kind, &carry, simd_load_elements(op, x)));
    }
    simd_store(carries, carry);
}

/* Copies outputs; `from` lies in its line as `to` does. Around the caches with a prefetch of the
 * inputs at `next` for every line, so that memory is read and written all the time. */
SIMD_INLINE void copy_out(unsigned char *to, const unsigned char *from, size_t bytes, bool around,
                          const unsigned char *next)
{
    const size_t before = (SIMD_LINE_BYTES - (uintptr_t)to % SIMD_LINE_BYTES) % SIMD_LINE_BYTES;
    if (!around || bytes < before + SIMD_LINE_BYTES) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, before);
    size_t at = before;
    for (; at + SIMD_LINE_BYTES <= bytes; at += SIMD_LINE_BYTES) {
        __builtin_prefetch(next + at);
        for (size_t i = 0; i < SIMD_LINE_BYTES; i += SIMD_BYTES)
            simd_store_around(to + at + i, simd_load(from + at + i));
    }
    memcpy(to + at, from + at, bytes - at);
}

/* Steps whose last vector holds nothing but elements of the slab's own scans. */
SIMD_INLINE size_t whole_steps(const simd_op op, const simd_slab *slab, size_t all, size_t stride)
{
    const size_t bytes = slab->width * simd_in_bytes(op), step = simd_in_step(op);
    const size_t read = (bytes + step - 1) / step * step;
    if (read == bytes)
        return all;
    const bool alone = slab->width == slab->inner;
    return alone && all * stride >= read ? (all * stride - read) / stride + 1 : 0;
}

/* Takes the steps; behind the last whole one it is a single one, whose inputs are copied first: so
 * that they end where the outputs do, which overtake them only there. */
SIMD_INLINE void take(const simd_op op, const scan_kind kind, steps s, bool whole,
                      unsigned char *carries, unsigned char *y)
{
    const size_t bytes = s.width * simd_out_bytes(op), in_bytes = s.width * simd_in_bytes(op);
    if (!whole) {
        memcpy(y + bytes - in_bytes, s.x, in_bytes);
        s.x = y + bytes - in_bytes;
    }
    if (bytes < simd_out_step(op))
        take_narrow_steps(op, kind, &s, carries, y);
    else
        take_steps(op, kind, &s, carries, y);
}

SIMD_INLINE void scan_slab(const simd_op op, const scan_kind kind, const simd_slab *slab)
{
    _Alignas(SIMD_LINE_BYTES) unsigned char carries[SIMD_SLAB_BYTES + SIMD_BYTES];
    _Alignas(SIMD_LINE_BYTES) unsigned char outputs[SIMD_SLAB_BYTES + 2 * SIMD_LINE_BYTES];
    const size_t stride = slab->inner * simd_in_bytes(op), bytes = slab->width * simd_out_bytes(op);
    const size_t all = slab->rows * slab->n, whole = whole_steps(op, slab, all, stride);
    const size_t space = slab->width == slab->inner ? SIMD_SLAB_BYTES / bytes : 1;
    unsigned char *y = slab->out;
    size_t kept = 0; /* steps whose outputs are not copied out yet */
    steps s = {.stride = stride, .width = slab->width};
    for (size_t i = 0, in_row = 0; i < all; i += s.count, in_row += s.count) {
        in_row = in_row < slab->n ? in_row : 0;
        for (size_t at = 0; in_row == 0 && at < slab->width * simd_bytes(op); at += SIMD_BYTES)
            simd_store(carries + at, simd_all(op, simd_identities[op]));
        s.x = slab->in + i * stride;
        s.count = space - kept < slab->n - in_row ? space - kept : slab->n - in_row;
        s.count = i >= whole ? 1 : s.count < whole - i ? s.count : whole - i;
        unsigned char *first = outputs + (uintptr_t)y % SIMD_LINE_BYTES;
        take(op, kind, s, i < whole, carries, first + kept * bytes);
        kept += s.count;
        if (kept == space || i + s.count == all) {
            copy_out(y, first, kept * bytes, slab->around, s.x + s.count * stride);
            y += kept * slab->inner * simd_out_bytes(op);
            kept = 0;
        }
    }
    if (slab->around)
        simd_fence();
}

#endif
