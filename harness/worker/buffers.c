#include "worker/buffers.h"

#include "problem/names.h"
#include "system/parallel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- where an element lies -------------------------------------------------- */

part_span buffers_span(const buffers *b, size_t offset, size_t most)
{
    const size_t tile = offset / b->tile_bytes, inside = offset % b->tile_bytes;
    const size_t left = b->tile_bytes - inside;
    return (part_span){.part = (uint32_t)(tile % b->part_count),
                       .offset = tile / b->part_count * b->tile_bytes + inside,
                       .bytes = left < most ? left : most};
}

size_t buffers_before(const buffers *b, uint32_t part, size_t end)
{
    const size_t tiles = end / b->tile_bytes, whole = tiles / b->part_count;
    const size_t last = tiles % b->part_count; /* the part whose tile `end` cuts */
    return whole * b->tile_bytes + (part < last    ? b->tile_bytes
                                    : part == last ? end % b->tile_bytes
                                                   : 0);
}

/* The part that holds the byte at *offset_p, which becomes its offset there. */
static part_buffers *find(const buffers *b, size_t *offset_p)
{
    const part_span s = buffers_span(b, *offset_p, 1);
    *offset_p = s.offset;
    return &b->parts[s.part];
}

local_buffers *buffers_undivided(const buffers *b)
{
    return &b->parts[0].local;
}

unsigned char *buffers_kept_input(const buffers *b, size_t offset)
{
    const part_buffers *part = find(b, &offset);
    return local_buffers_kept_input(&part->local, offset);
}

unsigned char *buffers_host_output(const buffers *b, size_t offset)
{
    const part_buffers *part = find(b, &offset);
    return local_buffers_host_output(&part->local, offset);
}

unsigned char *buffers_run_output(const buffers *b, size_t offset)
{
    const part_buffers *part = find(b, &offset);
    return (unsigned char *)scan_host_pointer(local_buffers_out(&part->local)) + offset;
}

/* ---- making them ------------------------------------------------------------ */

static void collect_handles(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++) {
        b->in[i] = part_buffers_in(&b->parts[i]);
        b->out[i] = part_buffers_out(&b->parts[i]);
    }
}

static scan_status make_room(buffers *b, uint32_t parts, fault *fault_p)
{
    b->parts = calloc(parts, sizeof *b->parts);
    b->in = calloc(parts, 2 * sizeof *b->in);
    if (b->parts && b->in) {
        b->out = b->in + parts;
        return SCAN_OK;
    }
    *fault_p = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
    fault_p->bytes = parts * (sizeof *b->parts + 2 * sizeof *b->in);
    return SCAN_NO_MEMORY;
}

/* Part `i` of two or more. */
static scan_status create_part(buffers *b, const buffers_spec *spec, uint32_t i, fault *fault_p)
{
    const buffers_layout *layout = &spec->layout;
    const rank_place place = {layout->ranks, layout->exported, i};
    part_spec one = spec->whole;
    one.shared = NULL;
    one.bytes = (size_t)scan_parts_length(one.bytes, layout->tile_bytes, layout->parts, i);
    one.allocate = layout->allocate;
    one.part = i;
    return part_buffers_create(&b->parts[i], &one, layout->ranks && i > 0 ? &place : NULL, fault_p);
}

scan_status buffers_create(buffers *b_p, const buffers_spec *spec, fault *fault_p)
{
    const bool divided = spec->layout.parts > 1;
    const uint32_t parts = divided ? spec->layout.parts : 1;
    buffers b = {.plugin = spec->whole.plugin,
                 .host = spec->whole.host,
                 .bytes = spec->whole.bytes,
                 .in_place = spec->whole.in_place,
                 .tile_bytes = divided ? spec->layout.tile_bytes : SIZE_MAX};
    scan_status status = make_room(&b, parts, fault_p);
    for (uint32_t i = 0; i < parts && status == SCAN_OK; i++) {
        status = divided ? create_part(&b, spec, i, fault_p)
                         : part_buffers_create(&b.parts[0], &spec->whole, NULL, fault_p);
        b.part_count += status == SCAN_OK;
    }
    if (status == SCAN_OK) {
        collect_handles(&b);
        *b_p = b;
    } else {
        buffers_destroy(&b);
    }
    return status;
}

void buffers_destroy(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++)
        part_buffers_destroy(&b->parts[i]);
    free(b->parts);
    free(b->in);
    *b = (buffers){.bytes = 0};
}

void buffers_exchange_outputs(buffers *one, buffers *other)
{
    for (uint32_t i = 0; i < one->part_count; i++)
        part_buffers_exchange_outputs(&one->parts[i], &other->parts[i]);
    collect_handles(one);
    collect_handles(other);
}

void buffers_turn(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++)
        part_buffers_turn(&b->parts[i]);
    collect_handles(b);
}

static scan_buffer argument(const buffers *b, const scan_buffer *handles)
{
    return b->part_count > 1 ? (scan_buffer)(uintptr_t)handles : handles[0];
}

scan_buffer buffers_in(const buffers *b)
{
    return argument(b, b->in);
}

scan_buffer buffers_out(const buffers *b)
{
    return argument(b, b->out);
}

/* ---- writing the input ------------------------------------------------------ */

/* An input that several threads write on the host, each some bytes of the whole array. */
typedef struct writing {
    const buffers *b;
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
        s = buffers_span(w->b, at, end - at);
        input_fill(w->spec, at / width, s.bytes / width,
                   (unsigned char *)w->b->parts[s.part].local.host_in.data + s.offset);
    }
}

/* All parts lie here: first all of them on the host, as tiles may be short, then on the devices. */
static scan_status write_across(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    writing w = {b, spec, offset, bytes, parallel_parts(b->host->machine, bytes)};
    parallel_run(b->host->machine, w.threads, write_spans, &w);
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++) {
        const size_t before = buffers_before(b, i, offset);
        const size_t end = buffers_before(b, i, offset + bytes);
        if (end > before)
            status = local_buffers_send_input(&b->parts[i].local, before, end - before);
    }
    return status;
}

static scan_status write_one_by_one(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    const size_t width = dtype_bytes(spec->dtype), end = offset + bytes;
    scan_status status;
    do {
        const part_span s = buffers_span(b, offset, end - offset);
        status = part_buffers_write(&b->parts[s.part], spec, offset / width, s.offset, s.bytes);
        offset += s.bytes;
    } while (offset < end && status == SCAN_OK);
    return status;
}

scan_status buffers_write_piece(buffers *b, const input_spec *spec, size_t *done_p)
{
    const size_t at = *done_p, left = b->bytes - at;
    const size_t piece = left < BUFFERS_PIECE_BYTES ? left : BUFFERS_PIECE_BYTES;
    const bool several_here = b->part_count > 1 && !b->parts[b->part_count - 1].remote;
    *done_p += piece;
    return several_here ? write_across(b, spec, at, piece) : write_one_by_one(b, spec, at, piece);
}

scan_status buffers_write_input(buffers *b, const input_spec *spec)
{
    scan_status status = SCAN_OK;
    for (size_t done = 0; status == SCAN_OK && done < b->bytes;)
        status = buffers_write_piece(b, spec, &done);
    return status;
}

/* ---- what is done with each part -------------------------------------------- */

/* Until one fails. */
static scan_status each_part(buffers *b, scan_status (*act)(part_buffers *part))
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++)
        status = act(&b->parts[i]);
    return status;
}

/* On devices, which are never those of ranks. */
static scan_status each_local(buffers *b, scan_status (*act)(local_buffers *part))
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++)
        status = act(&b->parts[i].local);
    return status;
}

scan_status buffers_restore(buffers *b)
{
    return each_part(b, part_buffers_restore);
}

scan_status buffers_poison(buffers *b, const input_spec *spec)
{
    return b->in_place ? buffers_write_input(b, spec) : each_part(b, part_buffers_poison);
}

scan_status buffers_touch(buffers *b)
{
    return each_part(b, part_buffers_touch);
}

scan_status buffers_copy_in(buffers *b)
{
    return each_local(b, local_buffers_copy_in);
}

scan_status buffers_copy_out(buffers *b)
{
    return each_local(b, local_buffers_copy_out);
}

void buffers_touch_host(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++)
        local_buffers_touch_host(&b->parts[i].local);
}

bool buffers_are_local(const buffers *b, cpu_topology *machine)
{
    for (uint32_t i = 0; i < b->part_count; i++)
        if (!part_buffers_are_local(&b->parts[i], machine))
            return false;
    return true;
}

/* ---- single elements -------------------------------------------------------- */

scan_status buffers_put_input(buffers *b, size_t offset, const void *from, size_t bytes)
{
    part_buffers *part = find(b, &offset);
    return part_buffers_put_input(part, offset, from, bytes);
}

scan_status buffers_put_output(buffers *b, size_t offset, const void *from, size_t bytes)
{
    part_buffers *part = find(b, &offset);
    return b->in_place ? SCAN_OK : part_buffers_put_output(part, offset, from, bytes);
}

scan_status buffers_get_output(const buffers *b, size_t offset, void *to, size_t bytes)
{
    const part_buffers *part = find(b, &offset);
    return part_buffers_get_output(part, offset, to, bytes);
}

scan_status buffers_get_input(const buffers *b, size_t offset, void *to, size_t bytes)
{
    const part_buffers *part = find(b, &offset);
    return local_buffers_get_input(&part->local, offset, to, bytes);
}
