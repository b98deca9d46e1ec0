#include "worker/local_compare.h"

#include "problem/names.h"
#include "worker/large.h"

/* Compares the output on a device, piece by piece, together with its input. */
static scan_status compare_device(local_buffers *b, reference *check, size_t offset, size_t bytes)
{
    const scan_memory *memory = b->plugin->memory;
    size_t element = dtype_bytes(check->spec.dtype);
    size_t half = STAGING_BYTES / 2;
    for (size_t done = 0; done < bytes;) {
        size_t piece = bytes - done < half ? bytes - done : half;
        const size_t at = offset + done;
        scan_status status =
            memory->copy_out(b->context, b->staging, local_buffers_out(b), at, piece);
        if (status == SCAN_OK && !b->in_place)
            status = memory->copy_out(b->context, b->staging + half, b->in_view, at, piece);
        if (status != SCAN_OK)
            return status;
        large_check(b->host->machine, check,
                    &(large_output){.input = b->in_place ? NULL : b->staging + half,
                                    .output = b->staging,
                                    .count = piece / element});
        done += piece;
    }
    return SCAN_OK;
}

scan_status local_buffers_compare(local_buffers *b, reference *check, size_t offset, size_t bytes)
{
    if (b->plugin->memory)
        return compare_device(b, check, offset, bytes);
    const unsigned char *in = b->host_in.data, *out = scan_host_pointer(local_buffers_out(b));
    large_check(b->host->machine, check,
                &(large_output){.input = b->in_place ? NULL : in + offset,
                                .output = out + offset,
                                .count = bytes / dtype_bytes(check->spec.dtype)});
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
static scan_status check_guards(local_buffers *b, scan_buffer whole, uint64_t key,
                                fault_buffer which, fault *fault_p)
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
        *fault_p = outside(which, offset, b->bytes);
    }
    return SCAN_OK;
}

scan_status local_buffers_guards(local_buffers *b, fault *fault_p)
{
    ptrdiff_t offset;
    /* What runs write outside of is their output, also where that is the input's buffer. */
    const fault_buffer first = b->in_place ? FAULT_OUTPUT : FAULT_INPUT;
    if (!b->plugin->memory) {
        if (!guarded_intact(&b->host_in, &offset))
            *fault_p = outside(first, offset, b->bytes);
        if (!b->in_place && !guarded_intact(&b->host_out, &offset))
            *fault_p = outside(FAULT_OUTPUT, offset, b->bytes);
        return SCAN_OK;
    }
    scan_status status = check_guards(b, b->in_whole, GUARD_KEY_IN, first, fault_p);
    if (status == SCAN_OK && !b->in_place)
        status = check_guards(b, b->out_whole, GUARD_KEY_OUT, FAULT_OUTPUT, fault_p);
    return status;
}
