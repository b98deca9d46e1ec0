#include "worker/window_compare.h"

#include "problem/names.h"
#include "worker/large.h"

#include <string.h>

/* The staging memory: a window of the output, one of the input, and one as it lies in the parts. */
enum { WINDOW_BYTES = STAGING_BYTES / 4 };

typedef struct window {
    const buffers *b;
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
        s = buffers_span(w->b, at, end - at);
        const size_t inside = s.offset - buffers_before(w->b, s.part, w->begin);
        memcpy(w->ordered + (at - w->begin), w->parts + w->behind[s.part] + inside, s.bytes);
    }
}

/* Reads the window of the outputs, or of the inputs, into w->ordered. */
static scan_status read_window(window *w, bool output, unsigned char *parts)
{
    const buffers *b = w->b;
    size_t done = 0;
    for (uint32_t i = 0; i < b->part_count; i++) {
        const local_buffers *part = &b->parts[i].local;
        const size_t from = buffers_before(b, i, w->begin);
        const size_t bytes = buffers_before(b, i, w->begin + w->bytes) - from;
        const scan_buffer whole = output ? local_buffers_out(part) : part->in_view;
        w->behind[i] = done;
        const scan_status status =
            bytes == 0
                ? SCAN_OK
                : b->plugin->memory->copy_out(part->context, parts + done, whole, from, bytes);
        if (status != SCAN_OK)
            return status;
        done += bytes;
    }
    w->parts = parts;
    parallel_run(b->host->machine, w->threads, put_in_order, w);
    return SCAN_OK;
}

bool window_compare_suits(const buffers *b)
{
    return b->plugin->memory && b->part_count > 1 && b->tile_bytes < WINDOW_BYTES;
}

scan_status window_compare(const buffers *b, reference *check)
{
    unsigned char *memory = b->parts[0].local.staging;
    const size_t width = dtype_bytes(check->spec.dtype);
    for (size_t done = 0; done < b->bytes;) {
        const size_t left = b->bytes - done;
        window w = {.b = b,
                    .begin = done,
                    .bytes = left < WINDOW_BYTES ? left : WINDOW_BYTES,
                    .ordered = memory};
        w.threads = parallel_parts(b->host->machine, w.bytes);
        scan_status status = read_window(&w, true, memory + 2 * (size_t)WINDOW_BYTES);
        w.ordered = memory + WINDOW_BYTES;
        if (status == SCAN_OK && !b->in_place)
            status = read_window(&w, false, memory + 2 * (size_t)WINDOW_BYTES);
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
