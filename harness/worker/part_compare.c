/*
 * part_compare.c - compares the parts with the reference, in the order of the elements
 *
 * The reference goes from part to part as the carry does. Where tiles are dealt out in turn on a
 * device, a window of the whole array is read from each part at once and put in order here: a copy
 * for each tile would take longer than all else.
 */
#include "problem/names.h"
#include "worker/large.h"
#include "worker/part_buffers.h"

#include <string.h>

/* The staging memory: a window of the output, one of the input, and one as it lies in the parts. */
enum { WINDOW_BYTES = STAGING_BYTES / 4 };

typedef struct window {
    const part_buffers *p;
    size_t begin, bytes;            /* in the whole array */
    size_t behind[SCAN_PARTS_MOST]; /* where a part's bytes begin in `parts` */
    const unsigned char *parts;
    unsigned char *ordered;
    unsigned threads;
} window;

static void put_in_order(void *context, unsigned thread)
{
    const window *w = context;
    const size_t most = w->bytes / w->threads + 1, all = w->begin + w->bytes;
    const size_t begin = w->begin + thread * most, end = begin + most < all ? begin + most : all;
    part_span s;
    for (size_t at = begin; at < end; at += s.bytes) {
        s = part_buffers_span(w->p, at, end - at);
        const size_t inside = s.offset - part_buffers_before(w->p, s.part, w->begin);
        memcpy(w->ordered + (at - w->begin), w->parts + w->behind[s.part] + inside, s.bytes);
    }
}

/* Reads the window of the outputs, or of the inputs, into w->ordered. */
static scan_status read_window(const buffers *b, window *w, bool output, unsigned char *parts)
{
    const part_buffers *p = w->p;
    size_t done = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const buffers *part = &p->of[i];
        const size_t from = part_buffers_before(p, i, w->begin);
        const size_t bytes = part_buffers_before(p, i, w->begin + w->bytes) - from;
        w->behind[i] = done;
        const scan_status status =
            bytes == 0 ? SCAN_OK
                       : b->plugin->memory->copy_out(b->context, parts + done,
                                                     output ? buffers_out(part) : part->in_view,
                                                     from, bytes);
        if (status != SCAN_OK)
            return status;
        done += bytes;
    }
    w->parts = parts;
    parallel_run(b->host->machine, w->threads, put_in_order, w);
    return SCAN_OK;
}

static scan_status compare_windows(const buffers *b, reference *check)
{
    unsigned char *memory = b->parts->of[0].staging;
    const size_t width = dtype_bytes(check->spec.dtype);
    for (size_t done = 0; done < b->bytes;) {
        const size_t left = b->bytes - done;
        window w = {.p = b->parts,
                    .begin = done,
                    .bytes = left < WINDOW_BYTES ? left : WINDOW_BYTES,
                    .ordered = memory};
        w.threads = parallel_parts(b->host->machine, w.bytes);
        scan_status status = read_window(b, &w, true, memory + 2 * (size_t)WINDOW_BYTES);
        w.ordered = memory + WINDOW_BYTES;
        if (status == SCAN_OK && !b->in_place)
            status = read_window(b, &w, false, memory + 2 * (size_t)WINDOW_BYTES);
        if (status != SCAN_OK)
            return status;
        large_check(b->host->machine, check,
                    &(large_output){.input = b->in_place ? NULL : w.ordered,
                                    .output = memory,
                                    .count = w.bytes / width});
        done += w.bytes;
    }
    return SCAN_OK;
}

scan_status part_buffers_compare(buffers *b, reference *check)
{
    const part_buffers *p = b->parts;
    if (b->plugin->memory && p->tile_bytes < WINDOW_BYTES)
        return compare_windows(b, check);
    scan_status status = SCAN_OK;
    for (size_t done = 0; done < b->bytes && status == SCAN_OK;) {
        const part_span s = part_buffers_span(p, done, b->bytes - done);
        status = buffers_compare_at(&b->parts->of[s.part], check, s.offset, s.bytes);
        done += s.bytes;
    }
    return status;
}
