#include "worker/buffers.h"

#include "problem/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_IN = 1, KEY_OUT = 2 };

static void place(void *context, void *address, size_t bytes)
{
    topology_place_memory(context, address, bytes);
}

static scan_status create_host(guarded_buffer *buffer_p, worker_host *host, size_t bytes,
                               size_t misalign)
{
    scan_status status = guarded_create(buffer_p, bytes, misalign, place, host->machine);
    if (status != SCAN_OK)
        host->host.fail(&host->host, status, "cannot allocate %zu bytes of host memory: %s", bytes,
                        strerror(errno));
    return status;
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

static scan_status create_device(buffers *b, scan_buffer *whole_p, scan_buffer *view_p,
                                 uint64_t key)
{
    const scan_memory *memory = b->plugin->memory;
    scan_status status = memory->allocate(b->context, b->bytes + 2 * GUARD_BYTES, whole_p);
    if (status != SCAN_OK)
        return status;
    /* A view of nothing is no buffer in OpenCL: n = 0 gets one byte of guard. */
    status = memory->view(b->context, *whole_p, GUARD_BYTES, b->bytes ? b->bytes : 1, view_p);
    if (status != SCAN_OK)
        return status;
    return arm(b, *whole_p, key);
}

scan_status buffers_create(buffers *b_p, const scan_plugin *plugin, void *context,
                           worker_host *host, size_t bytes, const size_t misalign[2], bool in_place)
{
    buffers b = {
        .plugin = plugin, .context = context, .host = host, .bytes = bytes, .in_place = in_place};
    scan_status status = create_host(&b.host_in, host, bytes, misalign[0]);
    const bool restored = plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    if (status == SCAN_OK && (!in_place || plugin->memory || restored))
        status = create_host(&b.host_out, host, bytes, misalign[1]);
    if (status == SCAN_OK && plugin->memory) {
        b.staging = malloc(STAGING_BYTES);
        if (!b.staging)
            status = host->host.fail(&host->host, SCAN_NO_MEMORY, "no memory for a staging buffer");
    }
    if (status == SCAN_OK && plugin->memory)
        status = create_device(&b, &b.in_whole, &b.in_view, KEY_IN);
    if (status == SCAN_OK && plugin->memory && !in_place)
        status = create_device(&b, &b.out_whole, &b.out_view, KEY_OUT);
    if (status == SCAN_OK)
        *b_p = b;
    else
        buffers_destroy(&b);
    return status;
}

void buffers_destroy(buffers *b)
{
    const scan_memory *memory = b->plugin ? b->plugin->memory : NULL;
    if (memory) {
        const scan_buffer handles[] = {b->out_view, b->out_whole, b->in_view, b->in_whole};
        for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
            if (handles[i])
                memory->release(b->context, handles[i]);
    }
    free(b->staging);
    guarded_destroy(&b->host_out);
    guarded_destroy(&b->host_in);
    *b = (buffers){0};
}

scan_buffer buffers_in(const buffers *b)
{
    return b->plugin->memory ? b->in_view : (scan_buffer)(uintptr_t)b->host_in.data;
}

scan_buffer buffers_out(const buffers *b)
{
    if (b->in_place)
        return buffers_in(b);
    return b->plugin->memory ? b->out_view : (scan_buffer)(uintptr_t)b->host_out.data;
}

scan_status buffers_write_input(buffers *b, const input_spec *spec)
{
    input_fill(spec, 0, spec->n, b->host_in.data);
    if (b->plugin->memory)
        return buffers_copy_in(b);
    if (b->in_place && b->host_out.data)
        memcpy(b->host_out.data, b->host_in.data, b->bytes);
    return SCAN_OK;
}

scan_status buffers_restore(buffers *b)
{
    if (b->plugin->memory)
        return buffers_copy_in(b);
    memcpy(b->host_in.data, b->host_out.data, b->bytes);
    return SCAN_OK;
}

scan_status buffers_poison(buffers *b, const input_spec *spec)
{
    if (b->in_place)
        return buffers_write_input(b, spec);
    if (b->plugin->memory)
        return b->plugin->memory->fill(b->context, b->out_view, 0, b->bytes, POISON_BYTE);
    poison_fill(b->host_out.data, b->bytes);
    return SCAN_OK;
}

scan_status buffers_copy_in(buffers *b)
{
    return b->plugin->memory->copy_in(b->context, b->in_view, 0, b->host_in.data, b->bytes);
}

scan_status buffers_copy_out(buffers *b)
{
    return b->plugin->memory->copy_out(b->context, b->host_out.data,
                                       b->in_place ? b->in_view : b->out_view, 0, b->bytes);
}

/* The output of a device, piece by piece, beside its input. */
static scan_status compare_device(buffers *b, reference *check)
{
    const scan_memory *memory = b->plugin->memory;
    size_t element = dtype_bytes(check->spec.dtype);
    size_t half = STAGING_BYTES / 2;
    for (size_t done = 0; done < b->bytes;) {
        size_t piece = b->bytes - done < half ? b->bytes - done : half;
        scan_status status = memory->copy_out(b->context, b->staging, buffers_out(b), done, piece);
        if (status == SCAN_OK && !b->in_place)
            status = memory->copy_out(b->context, b->staging + half, b->in_view, done, piece);
        if (status != SCAN_OK)
            return status;
        reference_check(check, b->in_place ? NULL : b->staging + half, b->staging, piece / element);
        done += piece;
    }
    return SCAN_OK;
}

static void describe_guard(const char *which, ptrdiff_t offset, size_t bytes, char *why,
                           size_t size)
{
    if (offset < 0)
        snprintf(why, size, "wrote %td bytes before the start of the %s", -offset, which);
    else
        snprintf(why, size, "wrote past the end of the %s, %td bytes behind its last element",
                 which, offset - (ptrdiff_t)bytes);
}

/* Looks at the two guards of a device buffer; `why` stays "" if they are whole. */
static scan_status check_guards(buffers *b, scan_buffer whole, uint64_t key, const char *which,
                                char *why, size_t size)
{
    const uint64_t offsets[] = {0, GUARD_BYTES + b->bytes};
    for (int side = 0; side < 2; side++) {
        size_t changed;
        scan_status status =
            b->plugin->memory->copy_out(b->context, b->staging, whole, offsets[side], GUARD_BYTES);
        if (status != SCAN_OK)
            return status;
        if (guard_intact(b->staging, GUARD_BYTES, key, &changed))
            continue;
        ptrdiff_t offset = side == 0 ? (ptrdiff_t)changed - (ptrdiff_t)GUARD_BYTES
                                     : (ptrdiff_t)(b->bytes + changed);
        describe_guard(which, offset, b->bytes, why, size);
    }
    return SCAN_OK;
}

static scan_status compare_guards(buffers *b, char *why, size_t size)
{
    ptrdiff_t offset;
    if (!b->plugin->memory) {
        if (!guarded_intact(&b->host_in, &offset))
            describe_guard("input", offset, b->bytes, why, size);
        if (!b->in_place && !guarded_intact(&b->host_out, &offset))
            describe_guard("output", offset, b->bytes, why, size);
        return SCAN_OK;
    }
    scan_status status = check_guards(b, b->in_whole, KEY_IN, "input", why, size);
    if (status == SCAN_OK && !b->in_place)
        status = check_guards(b, b->out_whole, KEY_OUT, "output", why, size);
    return status;
}

scan_status buffers_compare(buffers *b, const input_spec *spec, scan_kind kind, bool copy,
                            reference *check_p, char *why, size_t why_bytes)
{
    reference check;
    reference_begin(&check, spec, kind, copy);
    scan_status status = SCAN_OK;
    if (b->plugin->memory)
        status = compare_device(b, &check);
    else
        reference_check(&check, b->in_place ? NULL : b->host_in.data,
                        scan_host_pointer(buffers_out(b)), spec->n);
    *why = '\0';
    if (status == SCAN_OK)
        status = compare_guards(b, why, why_bytes);
    if (status != SCAN_OK)
        return status;
    if (!*why && check.input_changed)
        snprintf(why, why_bytes, "the input was changed, first at index %" PRIu64,
                 check.first_changed);
    if (!*why && check.wrong)
        snprintf(why, why_bytes,
                 "%" PRIu64 " of %" PRIu64 " elements are wrong, first at index %" PRIu64
                 "%s: got %s, expected %s",
                 check.wrong, spec->n, check.first_bad,
                 check.unwritten ? ", which nobody wrote" : "", check.got, check.expected);
    *check_p = check;
    return SCAN_OK;
}
