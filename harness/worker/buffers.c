#include "worker/buffers.h"

#include "problem/names.h"
#include "system/shared_memory.h"
#include "worker/large.h"
#include "worker/part_buffers.h"
#include "worker/rank_buffers.h"

#include <errno.h>
#include <string.h>

/* Where a buffer's pages come from. */
typedef struct placement {
    cpu_topology *machine;
    const char *shared; /* or NULL: they are its own */
    uint64_t offset;
    bool failed;
} placement;

static void place(void *context, void *address, size_t bytes)
{
    placement *p = context;
    p->failed = p->shared && !shared_memory_map(p->shared, p->offset, address, bytes);
    if (!p->failed)
        topology_place_memory(p->machine, address, bytes);
}

/* The harness, not the plugin, is out of memory. */
static scan_status no_host_memory(fault *fault_p, size_t bytes)
{
    *fault_p = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
    fault_p->bytes = bytes;
    return SCAN_NO_MEMORY;
}

/* Does the plugin leave its input as it is, and its output in the host's memory? */
static bool may_share(const buffers_spec *spec)
{
    return spec->shared && *spec->shared && !spec->plugin->memory && !spec->in_place;
}

static scan_status create_host(guarded_buffer *buffer_p, const buffers_spec *spec, bool is_output,
                               fault *fault_p)
{
    const size_t misalign = is_output ? spec->misalign_out : spec->misalign_in;
    const size_t shift = spec->fence == FENCE_BEHIND ? guarded_end_misalign(spec->bytes) : misalign;
    placement where = {.machine = spec->host->machine,
                       .shared = may_share(spec) ? spec->shared : NULL,
                       .offset = is_output ? spec->shared_bytes : 0};
    const scan_status status = guarded_create(buffer_p, spec->bytes, shift, place, &where);
    if (status != SCAN_OK || where.failed)
        return no_host_memory(fault_p, spec->bytes);
    if (spec->fence == FENCE_NONE || guarded_fence(buffer_p, spec->fence == FENCE_FRONT))
        return SCAN_OK;
    *fault_p = (fault){.code = FAULT_CANNOT_PROTECT};
    return SCAN_ERROR;
}

/* Arms the two guards of a device buffer. */
static scan_status arm(buffers *b, scan_buffer whole, uint64_t key)
{
    const scan_memory *memory = b->plugin->memory;
    guard_arm(b->staging, GUARD_BYTES, key);
    scan_status status = memory->copy_in(b->context, whole, 0, b->staging, GUARD_BYTES);
    if (status == SCAN_OK)
        status =
            memory->copy_in(b->context, whole, GUARD_BYTES + b->bytes, b->staging, GUARD_BYTES);
    return status;
}

static scan_status create_device(buffers *b, const buffers_layout *layout, scan_buffer *whole_p,
                                 scan_buffer *view_p, uint64_t key)
{
    const scan_memory *memory = b->plugin->memory;
    const uint64_t bytes = b->bytes + 2 * GUARD_BYTES;
    scan_status status = layout->allocate
                             ? layout->allocate(b->context, layout->part, bytes, whole_p)
                             : memory->allocate(b->context, bytes, whole_p);
    if (status != SCAN_OK)
        return status;
    /* OpenCL has no empty views: for n = 0 the view is one byte of the guard. */
    status = memory->view(b->context, *whole_p, GUARD_BYTES, b->bytes ? b->bytes : 1, view_p);
    if (status != SCAN_OK)
        return status;
    return arm(b, *whole_p, key);
}

/* What other buffers have left there must not be taken for an output. */
static void forget_staged(buffers *b)
{
    const size_t half = STAGING_BYTES / 2, used = b->bytes < half ? b->bytes : half;
    poison_fill(b->staging, used);
    poison_fill(b->staging + half, used);
}

static scan_status create_all(buffers *b, const buffers_spec *spec, fault *fault_p)
{
    const bool device = b->plugin->memory != NULL;
    const bool restored = b->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    scan_status status = create_host(&b->host_in, spec, false, fault_p);
    if (status == SCAN_OK && (!b->in_place || device || restored))
        status = create_host(&b->host_out, spec, true, fault_p);
    if (status != SCAN_OK || !device)
        return status;
    if (!staging_need(&b->host->staging, b->host->machine))
        return no_host_memory(fault_p, STAGING_BYTES);
    b->staging = b->host->staging.offer.memory;
    forget_staged(b);
    status = create_device(b, &spec->layout, &b->in_whole, &b->in_view, BUFFERS_KEY_IN);
    if (status == SCAN_OK && !b->in_place)
        status = create_device(b, &spec->layout, &b->out_whole, &b->out_view, BUFFERS_KEY_OUT);
    return status;
}

scan_status buffers_create(buffers *b_p, const buffers_spec *spec, fault *fault_p)
{
    buffers b = {.plugin = spec->plugin,
                 .context = spec->context,
                 .host = spec->host,
                 .bytes = spec->bytes,
                 .in_place = spec->in_place};
    const scan_status status = spec->layout.parts > 1 ? part_buffers_create(&b, spec, fault_p)
                                                      : create_all(&b, spec, fault_p);
    if (status == SCAN_OK)
        *b_p = b;
    else
        buffers_destroy(&b);
    return status;
}

void buffers_destroy(buffers *b)
{
    if (b->place) {
        rank_buffers_destroy(b);
        return;
    }
    part_buffers_destroy(b);
    const scan_memory *memory = b->plugin ? b->plugin->memory : NULL;
    if (memory) {
        const scan_buffer handles[] = {b->out_view, b->out_whole, b->in_view, b->in_whole};
        for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
            if (handles[i])
                memory->release(b->context, handles[i]);
    }
    guarded_destroy(&b->host_out);
    guarded_destroy(&b->host_in);
    *b = (buffers){0};
}

void buffers_exchange_outputs(buffers *one, buffers *other)
{
    if (one->place) {
        rank_buffers_exchange_outputs(one, other);
        return;
    }
    const buffers was = *one;
    if (one->parts) {
        part_buffers_exchange_outputs(one->parts, other->parts);
        return;
    }
    one->host_out = other->host_out;
    one->out_whole = other->out_whole;
    one->out_view = other->out_view;
    other->host_out = was.host_out;
    other->out_whole = was.out_whole;
    other->out_view = was.out_view;
}

void buffers_turn(buffers *b)
{
    if (b->place) {
        rank_buffers_turn(b);
        return;
    }
    const guarded_buffer was_in = b->host_in;
    if (b->parts) {
        part_buffers_turn(b->parts);
        return;
    }
    b->host_in = b->host_out;
    b->host_out = was_in;
}

scan_buffer buffers_in(const buffers *b)
{
    if (b->parts)
        return part_buffers_in(b->parts);
    return b->plugin->memory || b->place ? b->in_view : (scan_buffer)(uintptr_t)b->host_in.data;
}

scan_buffer buffers_out(const buffers *b)
{
    if (b->in_place)
        return buffers_in(b);
    if (b->parts)
        return part_buffers_out(b->parts);
    return b->plugin->memory || b->place ? b->out_view : (scan_buffer)(uintptr_t)b->host_out.data;
}

/* The next piece of bytes that follow `done` of `all`. */
static size_t piece_of(size_t all, size_t done)
{
    return all - done < BUFFERS_PIECE_BYTES ? all - done : BUFFERS_PIECE_BYTES;
}

/* Below this a copy takes microseconds. */
enum { STAGED_LEAST = 1 << 20 };

/* Writes to the input on a device what the host has at `offset`, untimed. The first copy by way of
 * the staging memory lets the plugin pin it; unless it does, the detour only costs time. */
static scan_status upload(buffers *b, size_t offset, size_t bytes)
{
    const unsigned char *from = b->host_in.data;
    const size_t end = offset + bytes;
    scan_status status;
    do {
        const bool staged =
            end - offset >= STAGED_LEAST && (offset == 0 || b->host->staging.pinned);
        const size_t piece = staged && end - offset > STAGING_BYTES ? STAGING_BYTES : end - offset;
        if (staged)
            large_copy(b->host->machine, b->staging, from + offset, piece);
        status = b->plugin->memory->copy_in(b->context, b->in_view, offset,
                                            staged ? b->staging : from + offset, piece);
        offset += piece;
    } while (status == SCAN_OK && offset < end);
    return status;
}

scan_status buffers_send_input(buffers *b, size_t offset, size_t bytes)
{
    if (b->plugin->memory)
        return upload(b, offset, bytes);
    if (b->in_place && b->host_out.data)
        large_copy(b->host->machine, (unsigned char *)b->host_out.data + offset,
                   (const unsigned char *)b->host_in.data + offset, bytes);
    return SCAN_OK;
}

scan_status buffers_write_at(buffers *b, const input_spec *spec, uint64_t first, size_t offset,
                             size_t bytes)
{
    if (b->place)
        return rank_buffers_do(b, (rank_question){.verb = RANK_WRITE,
                                                  .input = *spec,
                                                  .first = first,
                                                  .offset = offset,
                                                  .bytes = bytes});
    large_fill(b->host->machine, spec, first, bytes / dtype_bytes(spec->dtype),
               (unsigned char *)b->host_in.data + offset);
    return buffers_send_input(b, offset, bytes);
}

scan_status buffers_write_piece(buffers *b, const input_spec *spec, size_t *done_p)
{
    const size_t piece = piece_of(b->bytes, *done_p), at = *done_p;
    *done_p += piece;
    return b->parts ? part_buffers_write(b, spec, at, piece)
                    : buffers_write_at(b, spec, at / dtype_bytes(spec->dtype), at, piece);
}

scan_status buffers_write_input(buffers *b, const input_spec *spec)
{
    scan_status status = SCAN_OK;
    for (size_t done = 0; status == SCAN_OK && done < b->bytes;)
        status = buffers_write_piece(b, spec, &done);
    return status;
}

scan_status buffers_restore(buffers *b)
{
    if (b->place)
        return rank_buffers_do(b, (rank_question){.verb = RANK_RESTORE});
    if (b->parts)
        return part_buffers_each(b->parts, buffers_restore);
    if (b->plugin->memory)
        return upload(b, 0, b->bytes);
    memcpy(b->host_in.data, b->host_out.data, b->bytes);
    return SCAN_OK;
}

scan_status buffers_poison(buffers *b, const input_spec *spec)
{
    if (b->in_place)
        return buffers_write_input(b, spec);
    if (b->parts)
        return part_buffers_poison(b->parts, spec);
    if (b->place)
        return rank_buffers_do(b, (rank_question){.verb = RANK_POISON, .input = *spec});
    if (b->plugin->memory)
        return b->plugin->memory->fill(b->context, b->out_view, 0, b->bytes, POISON_BYTE);
    buffers_touch_host(b);
    return SCAN_OK;
}

scan_status buffers_copy_in(buffers *b)
{
    if (b->parts)
        return part_buffers_each(b->parts, buffers_copy_in);
    return b->plugin->memory->copy_in(b->context, b->in_view, 0, b->host_in.data, b->bytes);
}

scan_status buffers_copy_out(buffers *b)
{
    if (b->parts)
        return part_buffers_each(b->parts, buffers_copy_out);
    return b->plugin->memory->copy_out(b->context, b->host_out.data,
                                       b->in_place ? b->in_view : b->out_view, 0, b->bytes);
}

unsigned char *buffers_kept_input(const buffers *b, size_t offset)
{
    b = part_buffers_find(b, &offset);
    const bool apart = b->in_place && !b->plugin->memory && b->host_out.data;
    return (unsigned char *)(apart ? b->host_out.data : b->host_in.data) + offset;
}

unsigned char *buffers_host_output(const buffers *b, size_t offset)
{
    b = part_buffers_find(b, &offset);
    return (unsigned char *)b->host_out.data + offset;
}

static scan_status touch_host(buffers *b)
{
    large_poison(b->host->machine, b->host_out.data, b->bytes);
    return SCAN_OK;
}

void buffers_touch_host(buffers *b)
{
    if (b->parts)
        part_buffers_each(b->parts, touch_host);
    else
        touch_host(b);
}

bool buffers_are_local(const buffers *b, cpu_topology *machine)
{
    if (b->place)
        return rank_buffers_are_local(b);
    if (b->parts)
        return part_buffers_are_local(b->parts, machine);
    return topology_memory_is_local(machine, b->host_in.data, b->bytes);
}

scan_status buffers_put_input(buffers *b, size_t offset, const void *from, size_t bytes)
{
    const buffers *part = part_buffers_find(b, &offset);
    if (part->place)
        return rank_buffers_put(part, RANK_PUT_INPUT, offset, from, bytes);
    memcpy(buffers_kept_input(part, offset), from, bytes);
    if (!b->plugin->memory)
        return SCAN_OK;
    return b->plugin->memory->copy_in(b->context, part->in_view, offset, from, bytes);
}

scan_status buffers_put_output(buffers *b, size_t offset, const void *from, size_t bytes)
{
    if (b->in_place)
        return SCAN_OK;
    const buffers *part = part_buffers_find(b, &offset);
    if (part->place)
        return rank_buffers_put(part, RANK_PUT_OUTPUT, offset, from, bytes);
    if (b->plugin->memory)
        return b->plugin->memory->copy_in(b->context, part->out_view, offset, from, bytes);
    memcpy((unsigned char *)part->host_out.data + offset, from, bytes);
    return SCAN_OK;
}

scan_status buffers_get_output(const buffers *b, size_t offset, void *to, size_t bytes)
{
    const buffers *part = part_buffers_find(b, &offset);
    if (part->place)
        return rank_buffers_get(part, offset, to, bytes);
    const scan_buffer out = buffers_out(part);
    if (b->plugin->memory)
        return b->plugin->memory->copy_out(b->context, to, out, offset, bytes);
    memcpy(to, (const unsigned char *)scan_host_pointer(out) + offset, bytes);
    return SCAN_OK;
}

scan_status buffers_get_input(const buffers *b, size_t offset, void *to, size_t bytes)
{
    const buffers *part = part_buffers_find(b, &offset);
    return b->plugin->memory->copy_out(b->context, to, part->in_view, offset, bytes);
}

scan_status buffers_touch(buffers *b)
{
    uint64_t word;
    if (b->parts)
        return part_buffers_each(b->parts, buffers_touch);
    if (b->place)
        return rank_buffers_do(b, (rank_question){.verb = RANK_TOUCH});
    if (!b->plugin->memory)
        return SCAN_OK;
    return b->plugin->memory->copy_out(b->context, &word, b->in_whole, 0, sizeof word);
}
