/* buffers_compare.c - what a run has left in its buffers: the output against the reference, the
 * input against what was written, and the guards */
#include "problem/names.h"
#include "worker/buffers.h"
#include "worker/large.h"
#include "worker/part_buffers.h"
#include "worker/rank_buffers.h"

/* Compares the output on a device, piece by piece, together with its input. */
static scan_status compare_device(buffers *b, reference *check, size_t offset, size_t bytes)
{
    const scan_memory *memory = b->plugin->memory;
    size_t element = dtype_bytes(check->spec.dtype);
    size_t half = STAGING_BYTES / 2;
    for (size_t done = 0; done < bytes;) {
        size_t piece = bytes - done < half ? bytes - done : half;
        const size_t at = offset + done;
        scan_status status = memory->copy_out(b->context, b->staging, buffers_out(b), at, piece);
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

scan_status buffers_compare_at(buffers *b, reference *check, size_t offset, size_t bytes)
{
    if (b->place)
        return rank_buffers_compare(b, check, offset, bytes);
    if (b->plugin->memory)
        return compare_device(b, check, offset, bytes);
    const unsigned char *in = b->host_in.data, *out = scan_host_pointer(buffers_out(b));
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
static scan_status check_guards(buffers *b, scan_buffer whole, uint64_t key, fault_buffer which,
                                fault *fault_p)
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

scan_status buffers_guards(buffers *b, fault *fault_p)
{
    ptrdiff_t offset;
    if (b->parts)
        return part_buffers_guards(b->parts, fault_p);
    if (b->place)
        return rank_buffers_guards(b, fault_p);
    if (!b->plugin->memory) {
        if (!guarded_intact(&b->host_in, &offset))
            *fault_p = outside(FAULT_INPUT, offset, b->bytes);
        if (!b->in_place && !guarded_intact(&b->host_out, &offset))
            *fault_p = outside(FAULT_OUTPUT, offset, b->bytes);
        return SCAN_OK;
    }
    scan_status status = check_guards(b, b->in_whole, BUFFERS_KEY_IN, FAULT_INPUT, fault_p);
    if (status == SCAN_OK && !b->in_place)
        status = check_guards(b, b->out_whole, BUFFERS_KEY_OUT, FAULT_OUTPUT, fault_p);
    return status;
}

/* The fault that the comparison found, if the guards are intact. */
static fault of_elements(const reference *check)
{
    if (check->input_changed)
        return (fault){.code = FAULT_INPUT_CHANGED, .index = check->first_changed};
    if (!check->wrong)
        return (fault){.code = FAULT_NONE};
    return (fault){.code = check->unwritten ? FAULT_UNWRITTEN_ELEMENTS : FAULT_WRONG_ELEMENTS,
                   .count = check->wrong,
                   .total = check->spec.n,
                   .index = check->first_bad,
                   .dtype = check->spec.dtype,
                   .got = check->got_bits,
                   .expected = check->expected_bits,
                   .last = check->last_bad,
                   .last_got = check->last_bits};
}

scan_status buffers_compare(buffers *b, const buffers_question *question, reference *check_p,
                            fault *fault_p)
{
    const input_spec *spec = question->spec;
    fault found = {.code = FAULT_NONE};
    reference check;
    reference_begin(&check, spec, question->kind, question->copy);
    if (question->points)
        reference_keep(&check, question->points, question->stride);
    scan_status status =
        b->parts ? part_buffers_compare(b, &check) : buffers_compare_at(b, &check, 0, b->bytes);
    if (status == SCAN_OK)
        status = buffers_guards(b, &found);
    if (status != SCAN_OK)
        return status;
    if (found.code == FAULT_NONE)
        found = of_elements(&check);
    found.pattern = spec->pattern;
    *check_p = check;
    *fault_p = found;
    return SCAN_OK;
}
