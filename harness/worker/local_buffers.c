#include "worker/local_buffers.h"

#include "problem/names.h"
#include "system/memory.h"
#include "worker/large.h"

#include <errno.h>
#include <string.h>

/* Where a buffer's pages come from. */
typedef struct placement {
    cpu_topology *machine;
    const char *shared; /* or NULL: they are its own */
    uint64_t offset;
    bool failed;
} placement;

static void place_pages(void *context, void *address, size_t bytes)
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
static bool may_share(const part_spec *spec)
{
    return spec->shared && *spec->shared && !spec->plugin->memory && !spec->in_place;
}

static scan_status create_host(guarded_buffer *buffer_p, const part_spec *spec, bool is_output,
                               fault *fault_p)
{
    const size_t misalign = is_output ? spec->misalign_out : spec->misalign_in;
    const size_t shift = spec->fence == FENCE_BEHIND ? guarded_end_misalign(spec->bytes) : misalign;
    placement where = {.machine = spec->host->machine,
                       .shared = may_share(spec) ? spec->shared : NULL,
                       .offset = is_output ? spec->shared_bytes : 0};
    const scan_status status = guarded_create(buffer_p, spec->bytes, shift, place_pages, &where);
    if (status != SCAN_OK || where.failed)
        return no_host_memory(fault_p, spec->bytes);
    if (spec->fence == FENCE_NONE || guarded_fence(buffer_p, spec->fence == FENCE_FRONT))
        return SCAN_OK;
    *fault_p = (fault){.code = FAULT_CANNOT_PROTECT};
    return SCAN_ERROR;
}

/* Arms the two guards of a device buffer. */
static scan_status arm(local_buffers *b, scan_buffer whole, uint64_t key)
{
    const scan_memory *memory = b->plugin->memory;
    guard_arm(b->staging, GUARD_BYTES, key);
    scan_status status = memory->copy_in(b->context, whole, 0, b->staging, GUARD_BYTES);
    if (status == SCAN_OK)
        status =
            memory->copy_in(b->context, whole, GUARD_BYTES + b->bytes, b->staging, GUARD_BYTES);
    return status;
}

static scan_status create_device(local_buffers *b, const part_spec *spec, scan_buffer *whole_p,
                                 scan_buffer *view_p, uint64_t key)
{
    const scan_memory *memory = b->plugin->memory;
    const uint64_t bytes = b->bytes + 2 * GUARD_BYTES;
    scan_status status = spec->allocate ? spec->allocate(b->context, spec->part, bytes, whole_p)
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
static void forget_staged(local_buffers *b)
{
    const size_t half = STAGING_BYTES / 2, used = b->bytes < half ? b->bytes : half;
    poison_fill(b->staging, used);
    poison_fill(b->staging + half, used);
}

static scan_status create_all(local_buffers *b, const part_spec *spec, fault *fault_p)
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
    status = create_device(b, spec, &b->in_whole, &b->in_view, GUARD_KEY_IN);
    if (status == SCAN_OK && !b->in_place)
        status = create_device(b, spec, &b->out_whole, &b->out_view, GUARD_KEY_OUT);
    return status;
}

scan_status local_buffers_create(local_buffers *b_p, const part_spec *spec, fault *fault_p)
{
    local_buffers b = {.plugin = spec->plugin,
                       .context = spec->context,
                       .host = spec->host,
                       .bytes = spec->bytes,
                       .in_place = spec->in_place};
    const scan_status status = create_all(&b, spec, fault_p);
    if (status == SCAN_OK)
        *b_p = b;
    else
        local_buffers_destroy(&b);
    return status;
}

void local_buffers_destroy(local_buffers *b)
{
    const scan_memory *memory = b->plugin ? b->plugin->memory : NULL;
    if (memory) {
        const scan_buffer handles[] = {b->out_view, b->out_whole, b->in_view, b->in_whole};
        for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
            if (handles[i])
                memory->release(b->context, handles[i]);
    }
    guarded_destroy(&b->host_out);
    guarded_destroy(&b->host_in);
    *b = (local_buffers){0};
}

void local_buffers_exchange_outputs(local_buffers *one, local_buffers *other)
{
    const local_buffers was = *one;
    one->host_out = other->host_out;
    one->out_whole = other->out_whole;
    one->out_view = other->out_view;
    other->host_out = was.host_out;
    other->out_whole = was.out_whole;
    other->out_view = was.out_view;
}

void local_buffers_turn(local_buffers *b)
{
    const guarded_buffer was_in = b->host_in;
    b->host_in = b->host_out;
    b->host_out = was_in;
}

scan_buffer local_buffers_in(const local_buffers *b)
{
    return b->plugin->memory ? b->in_view : (scan_buffer)(uintptr_t)b->host_in.data;
}

scan_buffer local_buffers_out(const local_buffers *b)
{
    if (b->in_place)
        return local_buffers_in(b);
    return b->plugin->memory ? b->out_view : (scan_buffer)(uintptr_t)b->host_out.data;
}

/* Below this a copy takes microseconds. */
enum { STAGED_LEAST = 1 << 20 };

/* Writes to the input on a device what the host has at `offset`, untimed. The first copy by way of
 * the staging memory lets the plugin pin it; unless it does, the detour only costs time. */
static scan_status upload(local_buffers *b, size_t offset, size_t bytes)
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

scan_status local_buffers_send_input(local_buffers *b, size_t offset, size_t bytes)
{
    if (b->plugin->memory)
        return upload(b, offset, bytes);
    if (b->in_place && b->host_out.data)
        large_copy(b->host->machine, (unsigned char *)b->host_out.data + offset,
                   (const unsigned char *)b->host_in.data + offset, bytes);
    return SCAN_OK;
}

scan_status local_buffers_write(local_buffers *b, const input_spec *spec, uint64_t first,
                                size_t offset, size_t bytes)
{
    large_fill(b->host->machine, spec, first, bytes / dtype_bytes(spec->dtype),
               (unsigned char *)b->host_in.data + offset);
    return local_buffers_send_input(b, offset, bytes);
}

scan_status local_buffers_restore(local_buffers *b)
{
    if (b->plugin->memory)
        return upload(b, 0, b->bytes);
    memcpy(b->host_in.data, b->host_out.data, b->bytes);
    return SCAN_OK;
}

scan_status local_buffers_poison(local_buffers *b)
{
    if (b->plugin->memory)
        return b->plugin->memory->fill(b->context, b->out_view, 0, b->bytes, POISON_BYTE);
    local_buffers_touch_host(b);
    return SCAN_OK;
}

scan_status local_buffers_copy_in(local_buffers *b)
{
    return b->plugin->memory->copy_in(b->context, b->in_view, 0, b->host_in.data, b->bytes);
}

scan_status local_buffers_copy_out(local_buffers *b)
{
    return b->plugin->memory->copy_out(b->context, b->host_out.data, local_buffers_out(b), 0,
                                       b->bytes);
}

void local_buffers_touch_host(local_buffers *b)
{
    large_poison(b->host->machine, b->host_out.data, b->bytes);
}

bool local_buffers_are_local(const local_buffers *b, cpu_topology *machine)
{
    return topology_memory_is_local(machine, b->host_in.data, b->bytes);
}

unsigned char *local_buffers_kept_input(const local_buffers *b, size_t offset)
{
    const bool apart = b->in_place && !b->plugin->memory && b->host_out.data;
    return (unsigned char *)(apart ? b->host_out.data : b->host_in.data) + offset;
}

unsigned char *local_buffers_host_output(const local_buffers *b, size_t offset)
{
    return (unsigned char *)b->host_out.data + offset;
}

scan_status local_buffers_put_input(local_buffers *b, size_t offset, const void *from, size_t bytes)
{
    memcpy(local_buffers_kept_input(b, offset), from, bytes);
    if (!b->plugin->memory)
        return SCAN_OK;
    return b->plugin->memory->copy_in(b->context, b->in_view, offset, from, bytes);
}

scan_status local_buffers_put_output(local_buffers *b, size_t offset, const void *from,
                                     size_t bytes)
{
    if (b->plugin->memory)
        return b->plugin->memory->copy_in(b->context, b->out_view, offset, from, bytes);
    memcpy(local_buffers_host_output(b, offset), from, bytes);
    return SCAN_OK;
}

scan_status local_buffers_get_output(const local_buffers *b, size_t offset, void *to, size_t bytes)
{
    const scan_buffer out = local_buffers_out(b);
    if (b->plugin->memory)
        return b->plugin->memory->copy_out(b->context, to, out, offset, bytes);
    memcpy(to, (const unsigned char *)scan_host_pointer(out) + offset, bytes);
    return SCAN_OK;
}

scan_status local_buffers_get_input(const local_buffers *b, size_t offset, void *to, size_t bytes)
{
    return b->plugin->memory->copy_out(b->context, to, b->in_view, offset, bytes);
}

scan_status local_buffers_touch(const local_buffers *b)
{
    uint64_t word;
    if (!b->plugin->memory)
        return SCAN_OK;
    return b->plugin->memory->copy_out(b->context, &word, b->in_whole, 0, sizeof word);
}
