#include "worker/buffers_compare.h"

#include "worker/window_compare.h"

/* ---- guards ------------------------------------------------------------------ */

/* The same fault, of a part. */
static fault fault_in_part(fault f, uint32_t part, uint32_t parts)
{
    f.code = f.code == FAULT_WROTE_PAST ? FAULT_WROTE_PAST_PART : FAULT_WROTE_BEFORE_PART;
    f.count = part;
    f.total = parts;
    return f;
}

scan_status buffers_guards(buffers *b, fault *fault_p)
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++) {
        fault found = {.code = FAULT_NONE};
        status = part_buffers_guards(&b->parts[i], &found);
        if (status != SCAN_OK || found.code == FAULT_NONE)
            continue;
        *fault_p = b->part_count > 1 ? fault_in_part(found, i, b->part_count) : found;
        return SCAN_OK;
    }
    return status;
}

/* ---- elements ---------------------------------------------------------------- */

/* The reference goes from part to part as the carry does. */
static scan_status compare_spans(buffers *b, reference *check)
{
    scan_status status = SCAN_OK;
    for (size_t done = 0; done < b->bytes && status == SCAN_OK;) {
        const part_span s = buffers_span(b, done, b->bytes - done);
        status = part_buffers_compare(&b->parts[s.part], check, s.offset, s.bytes);
        done += s.bytes;
    }
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
    reference_begin(&check, spec, question->kind, question->rule);
    if (question->points)
        reference_keep(&check, question->points, question->stride);
    scan_status status =
        window_compare_suits(b) ? window_compare(b, &check) : compare_spans(b, &check);
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
