/*
 * part.c - a part in this process, on the host or on a device
 */
#include "worker/buffers.h"

#include "problem/names.h"
#include "system/memory.h"
#include "worker/large.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* What the guards of a device's buffers are made of. */
enum { GUARD_KEY_IN = 1, GUARD_KEY_OUT = 2 };

/* ---- making it ---------------------------------------------------------------- */

/* Where a buffer's pages come from. */
typedef struct placement {
    cpu_topology *machine;
    const char *shared; /* or NULL: they are its own */
    uint64_t offset;
    bool huge; /* in a proof, which times nothing: fewer faults make large arrays ready sooner */
    python_process *python; /* which maps them, or NULL */
    bool failed;
} placement;

enum { HUGE_LEAST = 4 << 20 };

static void place_pages(void *context, void *address, size_t bytes)
{
    placement *p = context;
    p->failed = p->python   ? !python_share(p->python, address, bytes)
                : p->shared ? !shared_memory_map(p->shared, p->offset, address, bytes)
                            : false;
    if (!p->failed)
        topology_place_memory(p->machine, address, bytes);
    if (p->huge && bytes >= HUGE_LEAST)
        madvise(address, bytes, MADV_HUGEPAGE);
}

/* The harness, not the plugin, is out of memory. */
static scan_status no_host_memory(fault *fault_p, size_t bytes)
{
    *fault_p = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
    fault_p->bytes = bytes;
    return SCAN_NO_MEMORY;
}

static scan_status create_host(guarded_buffer *buffer_p, const part_spec *spec, bool is_output,
                               fault *fault_p)
{
    const size_t misalign = is_output ? spec->misalign_out : spec->misalign_in;
    const size_t bytes = is_output ? spec->out_bytes : spec->bytes;
    const size_t shift = spec->fence == FENCE_BEHIND ? guarded_end_misalign(bytes) : misalign;
    /* Does the plugin leave its input as it is, and its output in the host's memory? */
    const bool shares = spec->shared && *spec->shared && !spec->plugin->memory && !spec->in_place;
    placement where = {.machine = spec->host->machine,
                       .shared = shares ? spec->shared : NULL,
                       .huge = spec->host->scratch.poison,
                       .offset = is_output ? spec->shared_bytes : 0,
                       .python = spec->plugin->memory ? NULL : spec->host->python};
    guarded_pool *pool = spec->keeps && !where.python && !shares ? &spec->host->pages : NULL;
    const scan_status status = guarded_create(buffer_p, bytes, shift, place_pages, &where, pool);
    if (status != SCAN_OK || where.failed)
        return no_host_memory(fault_p, bytes);
    if (spec->fence == FENCE_NONE || guarded_fence(buffer_p, spec->fence == FENCE_FRONT))
        return SCAN_OK;
    *fault_p = (fault){.code = FAULT_CANNOT_PROTECT};
    return SCAN_ERROR;
}

static scan_status create_beside(part *p, const part_spec *spec, fault *fault_p)
{
    part_spec both = *spec;
    both.bytes = spec->bytes + spec->gap + spec->out_bytes;
    const scan_status status = create_host(&p->host_in, &both, false, fault_p);
    if (status == SCAN_OK)
        guarded_split(&p->host_in, spec->bytes, spec->out_bytes, &p->host_out);
    return status;
}

/* Arms the two guards of a device buffer, whose data has that many bytes. */
static scan_status arm(part *p, scan_buffer whole, uint64_t bytes, uint64_t key)
{
    const scan_memory *memory = p->plugin->memory;
    guard_arm(p->staging, GUARD_BYTES, key);
    scan_status status = memory->copy_in(p->context, whole, 0, p->staging, GUARD_BYTES);
    if (status == SCAN_OK)
        status = memory->copy_in(p->context, whole, GUARD_BYTES + bytes, p->staging, GUARD_BYTES);
    return status;
}

static scan_status create_device(part *p, const part_spec *spec, scan_buffer *whole_p,
                                 scan_buffer *view_p, uint64_t key)
{
    const scan_memory *memory = p->plugin->memory;
    const uint64_t data = key == GUARD_KEY_OUT ? p->out_bytes : p->bytes;
    const uint64_t bytes = data + 2 * GUARD_BYTES;
    scan_status status = spec->allocate ? spec->allocate(p->context, spec->part, bytes, whole_p)
                                        : memory->allocate(p->context, bytes, whole_p);
    if (status != SCAN_OK)
        return status;
    /* OpenCL has no empty views: for n = 0 the view is one byte of the guard. */
    status = memory->view(p->context, *whole_p, GUARD_BYTES, data ? data : 1, view_p);
    return status == SCAN_OK ? arm(p, *whole_p, data, key) : status;
}

/* The output lies below the input, as where the system maps one after the other. BEHAVE_BUFFERS
 * finds a plugin that relies on that. */
static scan_status create_both(part *p, const part_spec *spec, bool has_output, fault *fault_p)
{
    scan_status status = create_host(&p->host_in, spec, false, fault_p);
    if (status == SCAN_OK && has_output)
        status = create_host(&p->host_out, spec, true, fault_p);
    if (status != SCAN_OK || !spec->keeps || p->host_out.mapping < p->host_in.mapping)
        return status;
    part_spec anew = *spec;
    anew.keeps = false;
    p->host_in.pool = p->host_out.pool = NULL;
    guarded_destroy(&p->host_out);
    guarded_destroy(&p->host_in);
    return create_both(p, &anew, has_output, fault_p);
}

static scan_status create_all(part *p, const part_spec *spec, fault *fault_p)
{
    const size_t most = p->bytes > p->out_bytes ? p->bytes : p->out_bytes;
    const size_t staged = most < STAGING_WINDOW ? most : STAGING_WINDOW;
    const bool device = p->plugin->memory != NULL;
    const bool restored = p->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    if (spec->beside)
        return create_beside(p, spec, fault_p);
    scan_status status = create_both(p, spec, !p->in_place || device || restored, fault_p);
    if (status != SCAN_OK || !device)
        return status;
    p->staging = worker_host_staging(p->host);
    if (!p->staging)
        return no_host_memory(fault_p, STAGING_BYTES);
    /* What other buffers have left there must not be taken for an output. */
    for (size_t window = 0; window < 3; window++)
        poison_fill(p->staging + window * STAGING_WINDOW, staged);
    status = create_device(p, spec, &p->in_whole, &p->in, GUARD_KEY_IN);
    if (status == SCAN_OK && !p->in_place)
        status = create_device(p, spec, &p->out_whole, &p->out, GUARD_KEY_OUT);
    return status;
}

/* What run takes, on the host; on a device these are views. */
static void set_handles(part *p)
{
    if (!p->plugin->memory) {
        p->in = (scan_buffer)(uintptr_t)p->host_in.data;
        p->out = (scan_buffer)(uintptr_t)p->host_out.data;
    }
    if (p->in_place)
        p->out = p->in;
}

static scan_status destroy(part *p)
{
    const scan_memory *memory = p->plugin->memory;
    const scan_buffer handles[] = {p->in_place ? 0 : p->out, p->out_whole, p->in, p->in_whole};
    for (size_t i = 0; memory && i < sizeof handles / sizeof *handles; i++)
        if (handles[i])
            memory->release(p->context, handles[i]);
    python_unshare(p->host->python, p->host_out.data);
    guarded_destroy(&p->host_out);
    python_unshare(p->host->python, p->host_in.data);
    guarded_destroy(&p->host_in);
    return SCAN_OK;
}

static scan_status exchange_outputs(part *one, part *other)
{
    const part was = *one;
    if (!other)
        return SCAN_ERROR;
    one->host_out = other->host_out;
    one->out_whole = other->out_whole;
    one->out = other->out;
    other->host_out = was.host_out;
    other->out_whole = was.out_whole;
    other->out = was.out;
    return SCAN_OK;
}

static void turn(part *p)
{
    const guarded_buffer was_in = p->host_in;
    p->host_in = p->host_out;
    p->host_out = was_in;
    set_handles(p);
}

/* ---- its input ----------------------------------------------------------------- */

/* Below this a copy takes microseconds. */
enum { STAGED_LEAST = 1 << 20 };

/* Writes to the input on a device what the host has at `offset`, untimed. The first copy by way of
 * the staging memory lets the plugin pin it; unless it does, the detour only costs time. */
static scan_status upload(part *p, size_t offset, size_t bytes)
{
    const unsigned char *from = p->host_in.data;
    const size_t end = offset + bytes;
    scan_status status;
    do {
        const bool staged =
            end - offset >= STAGED_LEAST && (offset == 0 || p->host->staging.pinned);
        const size_t piece = staged && end - offset > STAGING_BYTES ? STAGING_BYTES : end - offset;
        if (staged)
            large_do(p->host->machine,
                     (large_write){.to = p->staging, .bytes = piece, .from = from + offset});
        status = p->plugin->memory->copy_in(p->context, p->in, offset,
                                            staged ? p->staging : from + offset, piece);
        offset += piece;
    } while (status == SCAN_OK && offset < end);
    return status;
}

scan_status part_send_input(part *p, size_t offset, size_t bytes)
{
    if (p->plugin->memory)
        return upload(p, offset, bytes);
    if (p->in_place && p->host_out.data)
        large_do(p->host->machine,
                 (large_write){.to = (unsigned char *)p->host_out.data + offset,
                               .bytes = bytes,
                               .from = (const unsigned char *)p->host_in.data + offset});
    return SCAN_OK;
}

static scan_status write_input(part *p, const input_spec *spec, uint64_t first, size_t offset,
                               size_t bytes)
{
    large_do(p->host->machine, (large_write){.to = (unsigned char *)p->host_in.data + offset,
                                             .bytes = bytes,
                                             .spec = spec,
                                             .first = first});
    return part_send_input(p, offset, bytes);
}

static scan_status restore(part *p)
{
    if (p->plugin->memory)
        return upload(p, 0, p->bytes);
    memcpy(p->host_in.data, p->host_out.data, p->bytes);
    return SCAN_OK;
}

/* ---- copies and single elements ------------------------------------------------ */

scan_status part_touch_host(part *p)
{
    large_do(p->host->machine, (large_write){.to = p->host_out.data, .bytes = p->out_bytes});
    return SCAN_OK;
}

static scan_status poison(part *p)
{
    return p->plugin->memory
               ? p->plugin->memory->fill(p->context, p->out, 0, p->out_bytes, POISON_BYTE)
               : part_touch_host(p);
}

scan_status part_copy_in(part *p)
{
    return p->plugin->memory->copy_in(p->context, p->in, 0, p->host_in.data, p->bytes);
}

scan_status part_copy_out(part *p)
{
    return p->plugin->memory->copy_out(p->context, p->host_out.data, p->out, 0, p->out_bytes);
}

unsigned char *part_kept_input(const part *p, size_t offset)
{
    const bool apart = p->in_place && !p->plugin->memory && p->host_out.data;
    return (unsigned char *)(apart ? p->host_out.data : p->host_in.data) + offset;
}

static scan_status put_input(part *p, size_t offset, const void *from, size_t bytes)
{
    memcpy(part_kept_input(p, offset), from, bytes);
    return p->plugin->memory ? p->plugin->memory->copy_in(p->context, p->in, offset, from, bytes)
                             : SCAN_OK;
}

static scan_status put_output(part *p, size_t offset, const void *from, size_t bytes)
{
    if (p->plugin->memory)
        return p->plugin->memory->copy_in(p->context, p->out, offset, from, bytes);
    memcpy((unsigned char *)p->host_out.data + offset, from, bytes);
    return SCAN_OK;
}

static scan_status get_output(part *p, size_t offset, void *to, size_t bytes)
{
    if (p->plugin->memory)
        return p->plugin->memory->copy_out(p->context, to, p->out, offset, bytes);
    memcpy(to, (const unsigned char *)scan_host_pointer(p->out) + offset, bytes);
    return SCAN_OK;
}

/* Reads a few bytes that no run touches. */
static scan_status touch(part *p)
{
    uint64_t word;
    return p->plugin->memory
               ? p->plugin->memory->copy_out(p->context, &word, p->in_whole, 0, sizeof word)
               : SCAN_OK;
}

/* ---- what a run has left -------------------------------------------------------- */

/* On the host. */
static scan_status compare(part *p, reference *check, size_t offset, size_t bytes)
{
    const unsigned char *in = p->host_in.data, *out = scan_host_pointer(p->out);
    const size_t width = dtype_bytes(check->spec.dtype);
    large_check(p->host->machine, check,
                &(large_output){.input = p->in_place ? NULL : in + offset,
                                .output = out + offset / width * dtype_bytes(check->dtype),
                                .count = bytes / width});
    return SCAN_OK;
}

/* The fault of a write at `offset` bytes from the start of a buffer's data, which is `bytes`
 * long. */
static fault outside(fault_buffer which, ptrdiff_t offset, size_t bytes)
{
    if (offset < 0)
        return (fault){
            .code = FAULT_WROTE_BEFORE, .buffer = which, .bytes = (uint64_t) - (int64_t)offset};
    return (fault){.code = FAULT_WROTE_PAST, .buffer = which, .bytes = (uint64_t)offset - bytes};
}

/* Checks the two guards of a device buffer; leaves *fault_p alone if they are intact. */
static scan_status check_guards(part *p, scan_buffer whole, uint64_t key, fault_buffer which,
                                fault *fault_p)
{
    const size_t bytes = key == GUARD_KEY_OUT ? p->out_bytes : p->bytes;
    const uint64_t offsets[] = {0, GUARD_BYTES + bytes};
    for (int side = 0; side < 2; side++) {
        size_t changed;
        scan_status status =
            p->plugin->memory->copy_out(p->context, p->staging, whole, offsets[side], GUARD_BYTES);
        if (status != SCAN_OK)
            return status;
        if (guard_intact(p->staging, GUARD_BYTES, key, &changed))
            continue;
        ptrdiff_t offset =
            side == 0 ? (ptrdiff_t)changed - (ptrdiff_t)GUARD_BYTES : (ptrdiff_t)(bytes + changed);
        *fault_p = outside(which, offset, bytes);
    }
    return SCAN_OK;
}

static scan_status guards(part *p, fault *fault_p)
{
    ptrdiff_t offset;
    /* What runs write outside of is their output, also where that is the input's buffer. */
    const fault_buffer first = p->in_place ? FAULT_OUTPUT : FAULT_INPUT;
    if (!p->plugin->memory) {
        if (!guarded_intact(&p->host_in, &offset))
            *fault_p = outside(first, offset, p->bytes);
        if (!p->in_place && !guarded_intact(&p->host_out, &offset))
            *fault_p = outside(FAULT_OUTPUT, offset, p->out_bytes);
        return SCAN_OK;
    }
    scan_status status = check_guards(p, p->in_whole, GUARD_KEY_IN, first, fault_p);
    if (status == SCAN_OK && !p->in_place)
        status = check_guards(p, p->out_whole, GUARD_KEY_OUT, FAULT_OUTPUT, fault_p);
    return status;
}

scan_status part_create_here(part *p_p, const part_spec *spec, fault *fault_p)
{
    part p = {.plugin = spec->plugin,
              .context = spec->context,
              .host = spec->host,
              .bytes = spec->bytes,
              .out_bytes = spec->out_bytes,
              .in_place = spec->in_place};
    const scan_status status = create_all(&p, spec, fault_p);
    if (status != SCAN_OK) {
        destroy(&p);
        return status;
    }
    set_handles(&p);
    *p_p = p;
    return SCAN_OK;
}

scan_status part_answer_here(part *p, const part_question *q, part *other, part_answer *a)
{
    const size_t offset = (size_t)q->offset, bytes = (size_t)q->bytes;
    switch (q->verb) {
    case PART_DESTROY:
        return destroy(p);
    case PART_EXCHANGE_OUTPUTS:
        return exchange_outputs(p, other);
    case PART_TURN:
        turn(p);
        return SCAN_OK;
    case PART_WRITE:
        return write_input(p, &q->input, q->first, offset, bytes);
    case PART_RESTORE:
        return restore(p);
    case PART_POISON:
        return poison(p);
    case PART_TOUCH:
        return touch(p);
    case PART_IS_NEAR:
        a->yes = topology_memory_is_local(p->host->machine, p->host_in.data, p->bytes);
        return SCAN_OK;
    case PART_PUT_INPUT:
        return put_input(p, offset, &q->element, bytes);
    case PART_PUT_OUTPUT:
        return put_output(p, offset, &q->element, bytes);
    case PART_GET_OUTPUT:
        return get_output(p, offset, &a->element, bytes);
    case PART_COMPARE:
        a->check = q->check;
        return compare(p, &a->check, offset, bytes);
    case PART_GUARDS:
        return guards(p, &a->found);
    default:
        return SCAN_ERROR;
    }
}
