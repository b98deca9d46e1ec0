#include "worker/part_buffers.h"

#include "system/parallel.h"
#include "worker/rank_buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- where an element lies -------------------------------------------------- */

part_span part_buffers_span(const part_buffers *p, size_t offset, size_t most)
{
    const size_t tile = offset / p->tile_bytes, inside = offset % p->tile_bytes;
    const size_t left = p->tile_bytes - inside;
    return (part_span){.part = (uint32_t)(tile % p->count),
                       .offset = tile / p->count * p->tile_bytes + inside,
                       .bytes = left < most ? left : most};
}

size_t part_buffers_before(const part_buffers *p, uint32_t part, size_t end)
{
    const size_t tiles = end / p->tile_bytes, whole = tiles / p->count;
    const size_t last = tiles % p->count; /* the part whose tile `end` cuts */
    return whole * p->tile_bytes + (part < last    ? p->tile_bytes
                                    : part == last ? end % p->tile_bytes
                                                   : 0);
}

const buffers *part_buffers_find(const buffers *b, size_t *offset_p)
{
    if (!b->parts)
        return b;
    const part_span s = part_buffers_span(b->parts, *offset_p, 1);
    *offset_p = s.offset;
    return &b->parts->of[s.part];
}

/* ---- making them ------------------------------------------------------------ */

static void collect(part_buffers *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        p->in[i] = buffers_in(&p->of[i]);
        p->out[i] = buffers_out(&p->of[i]);
    }
}

scan_status part_buffers_create(buffers *b, const buffers_spec *spec, fault *fault_p)
{
    const buffers_layout *layout = &spec->layout;
    part_buffers *p = calloc(1, sizeof *p);
    if (!p) {
        *fault_p = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
        fault_p->bytes = sizeof *p;
        return SCAN_NO_MEMORY;
    }
    b->parts = p;
    p->tile_bytes = layout->tile_bytes;
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < layout->parts && status == SCAN_OK; i++) {
        buffers_spec one = *spec;
        one.shared = NULL;
        one.bytes = (size_t)scan_parts_length(spec->bytes, p->tile_bytes, layout->parts, i);
        one.layout = (buffers_layout){.allocate = layout->allocate, .part = i};
        const rank_place place = {layout->ranks, layout->exported, i};
        status = layout->ranks && i > 0 ? rank_buffers_create(&p->of[i], &one, &place, fault_p)
                                        : buffers_create(&p->of[i], &one, fault_p);
        p->count += status == SCAN_OK;
    }
    if (status == SCAN_OK)
        collect(p);
    return status;
}

void part_buffers_destroy(buffers *b)
{
    for (uint32_t i = 0; b->parts && i < b->parts->count; i++)
        buffers_destroy(&b->parts->of[i]);
    free(b->parts);
    b->parts = NULL;
}

void part_buffers_exchange_outputs(part_buffers *one, part_buffers *other)
{
    for (uint32_t i = 0; i < one->count; i++)
        buffers_exchange_outputs(&one->of[i], &other->of[i]);
    collect(one);
    collect(other);
}

void part_buffers_turn(part_buffers *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        buffers_turn(&p->of[i]);
    collect(p);
}

static scan_buffer address_of(const scan_buffer *array)
{
    return (scan_buffer)(uintptr_t)array;
}

scan_buffer part_buffers_in(const part_buffers *p)
{
    return address_of(p->in);
}

scan_buffer part_buffers_out(const part_buffers *p)
{
    return address_of(p->out);
}

/* ---- what is done with each ------------------------------------------------- */

scan_status part_buffers_each(part_buffers *p, scan_status (*act)(buffers *b))
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < p->count && status == SCAN_OK; i++)
        status = act(&p->of[i]);
    return status;
}

scan_status part_buffers_poison(part_buffers *p, const input_spec *spec)
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < p->count && status == SCAN_OK; i++)
        status = buffers_poison(&p->of[i], spec);
    return status;
}

bool part_buffers_are_local(const part_buffers *p, cpu_topology *machine)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (!buffers_are_local(&p->of[i], machine))
            return false;
    return true;
}

/* An input that several threads write on the host, each some bytes of the whole array. */
typedef struct writing {
    part_buffers *p;
    const input_spec *spec;
    size_t offset, bytes;
    unsigned threads;
} writing;

static void write_spans(void *context, unsigned thread)
{
    const writing *w = context;
    const size_t width = dtype_bytes(w->spec->dtype);
    const size_t most = (w->bytes / width / w->threads + 1) * width, all = w->offset + w->bytes;
    const size_t begin = w->offset + thread * most, end = begin + most < all ? begin + most : all;
    part_span s;
    for (size_t at = begin; at < end; at += s.bytes) {
        s = part_buffers_span(w->p, at, end - at);
        input_fill(w->spec, at / width, s.bytes / width,
                   (unsigned char *)w->p->of[s.part].host_in.data + s.offset);
    }
}

static scan_status write_ranks(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    const size_t width = dtype_bytes(spec->dtype);
    scan_status status = SCAN_OK;
    for (size_t done = 0; done < bytes && status == SCAN_OK;) {
        const part_span s = part_buffers_span(b->parts, offset + done, bytes - done);
        status = buffers_write_at(&b->parts->of[s.part], spec, (offset + done) / width, s.offset,
                                  s.bytes);
        done += s.bytes;
    }
    return status;
}

scan_status part_buffers_write(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    part_buffers *p = b->parts;
    if (p->of[p->count - 1].place)
        return write_ranks(b, spec, offset, bytes);
    writing w = {p, spec, offset, bytes, parallel_parts(b->host->machine, bytes)};
    parallel_run(b->host->machine, w.threads, write_spans, &w);
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < p->count && status == SCAN_OK; i++) {
        const size_t before = part_buffers_before(p, i, offset);
        const size_t end = part_buffers_before(p, i, offset + bytes);
        if (end > before)
            status = buffers_send_input(&p->of[i], before, end - before);
    }
    return status;
}

/* ---- guards ------------------------------------------------------------------ */

/* The same fault, of a part. */
static fault fault_in_part(fault f, uint32_t part, uint32_t parts)
{
    f.code = f.code == FAULT_WROTE_PAST ? FAULT_WROTE_PAST_PART : FAULT_WROTE_BEFORE_PART;
    f.count = part;
    f.total = parts;
    return f;
}

scan_status part_buffers_guards(part_buffers *p, fault *fault_p)
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < p->count && status == SCAN_OK; i++) {
        fault found = {.code = FAULT_NONE};
        status = buffers_guards(&p->of[i], &found);
        if (status != SCAN_OK || found.code == FAULT_NONE)
            continue;
        *fault_p = fault_in_part(found, i, p->count);
        return SCAN_OK;
    }
    return status;
}
