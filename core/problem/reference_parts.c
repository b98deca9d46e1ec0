/* reference_parts.c - compares parts of an output at the same time, and joins what they found */
#include "problem/reference_private.h"

#include <math.h>
#include <string.h>

/* Beyond these elements of a f32 sums in f64, whose terms are multiples of 2^-24 below 1, round. */
#define EXACT_SUMS (UINT64_C(1) << 30)

bool reference_has_parts(const reference *check)
{
    const bool narrow = dtype_get(check->spec.dtype)->bits <= 32;
    const bool one = input_scan_n(&check->spec) >= check->spec.n;
    if (check->spec.pattern == INPUT_NAN || input_inner(&check->spec) > 1 ||
        (check->mode == MODE_BOUNDED && check->spec.pattern == INPUT_FACTORS))
        return false;
    return check->mode != MODE_BOUNDED || (one && narrow && check->spec.n <= EXACT_SUMS);
}

bool reference_needs_sums(const reference *check)
{
    return check->mode == MODE_BOUNDED;
}

reference_sum reference_part_sum(const reference *check, uint64_t first, uint64_t count)
{
    reference sums = {.spec = check->spec,
                      .dtype = check->dtype,
                      .mode = check->mode,
                      .checked = first,
                      .sum.sign = 1};
    for (uint64_t done = 0; done < count; done += PIECE) {
        const size_t part = count - done < PIECE ? (size_t)(count - done) : PIECE;
        piece given;
        input_fill(&check->spec, first + done, part, &given);
        reference_pass(&sums, &given, part);
    }
    return sums.sum;
}

void reference_part_skip(reference *part, const reference_sum *skipped)
{
    reference_sum_append(&part->sum, skipped);
    part->begun = reference_here(part);
}

void reference_part_at(reference *part_p, const reference *check, uint64_t first,
                       const void *output)
{
    const size_t width = dtype_bytes(check->dtype);
    const unsigned char *from = output;
    reference part = {.spec = check->spec,
                      .dtype = check->dtype,
                      .mode = check->mode,
                      .most_ulps = check->most_ulps,
                      .scan = check->scan,
                      .sum = check->sum,
                      .points = check->points,
                      .stride = check->stride,
                      .checked = first,
                      .begin = first};
    if (check->mode == MODE_EXACT && first > check->checked)
        memcpy(&part.scan.carry, check->scan.inclusive ? from - width : from, width);
    if (input_place_of(&check->spec, first).at == 0 && first > check->checked)
        reference_begin_scan(&part);
    part.begun = reference_here(&part);
    *part_p = part;
}

static bool same_point(uint32_t dtype, const reference_point *a, const reference_point *b)
{
    return memcmp(&a->carry, &b->carry, dtype_bytes(dtype)) == 0 && a->sum.sum == b->sum.sum &&
           a->sum.residue == b->sum.residue && a->sum.sign == b->sum.sign &&
           a->sum.total == b->sum.total;
}

bool reference_join(reference *check, const reference *part)
{
    const reference_point here = reference_here(check);
    if (part->begin != check->checked || part->wrong > 0 || part->input_changed > 0 ||
        !same_point(check->dtype, &part->begun, &here))
        return false;
    check->checked = part->checked;
    check->scan.carry = part->scan.carry;
    check->sum = part->sum;
    check->max_rel_error = fmax(check->max_rel_error, part->max_rel_error);
    check->max_ulps = fmax(check->max_ulps, part->max_ulps);
    return true;
}
