/* diagnosis_values.c - facts about the value that the first wrong element has */
#include "proof/diagnosis_facts.h"

#include "problem/component.h"
#include "problem/guard.h"
#include "problem/op_scan.h"
#include "problem/reference.h"

#include <math.h>
#include <string.h>

static bool got_is(const evidence *e, const any_element *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, dtype_bytes(e->fault->dtype));
    return e->fault->got == bits;
}

/* A scalar float's value. */
static double float_of(const evidence *e, uint64_t bits)
{
    any_element element = {0};
    memcpy(&element, &bits, sizeof bits);
    return component_real(*dtype_get(job_result_type(e->job)), &element, 0);
}

/* A scan up to there takes no time that anybody notices. */
enum { MOST_SCANNED = 1 << 22 };

/* Returns element `index` of the scan of inputs `from` ... n in a kind, where the operator takes
 * results for elements of another type of as many bytes; 0 where there is none. Where results are
 * wider, inputs are taken for elements of type `given` and converted first. */
static any_element scan_of(const evidence *e, uint32_t given, uint32_t dtype, uint64_t from,
                           uint64_t index, bool inclusive)
{
    enum { PIECE = 256 };
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    const size_t width = dtype_bytes(dtype);
    any_element in[PIECE], wide[PIECE], out[PIECE], element;
    op_scan scan = {.op = spec.op,
                    .dtype = dtype,
                    .inclusive = inclusive,
                    .carry = op_identity(spec.op, input_result(&spec))};
    memset(&element, 0, sizeof element);
    for (uint64_t at = from; at <= index; at += PIECE) {
        const uint64_t left = index + 1 - at;
        const size_t count = left < PIECE ? (size_t)left : PIECE;
        input_fill(&spec, at, count, in);
        if (spec.result)
            dtype_widen(given, in, given == spec.dtype ? input_result(&spec) : dtype, wide, count);
        op_scan_next(&scan, spec.result ? wide : in, out, count);
        memcpy(&element, (const unsigned char *)out + (count - 1) * width, width);
    }
    return element;
}

static any_element scan_as(const evidence *e, uint32_t dtype, uint64_t from, uint64_t index,
                           bool inclusive)
{
    return scan_of(e, e->job->dtype, dtype, from, index, inclusive);
}

/* Is an output a sum that is held in a wider type and rounded once? */
static bool rounds_once(const evidence *e)
{
    return dtype_is_half(job_result_type(e->job)) && op_rounds(e->job->op, e->job->dtype);
}

/* The same of such sums. */
static any_element sum_at(const evidence *e, uint64_t from, uint64_t index, bool inclusive)
{
    enum { PIECE = 256 };
    input_spec spec = job_input(e->job, e->job->run.pattern);
    any_element in[PIECE], element = element_of(spec.dtype, 0, 0);
    const any_element output = element;
    reference sums;
    spec.scan_n = spec.inner = 0;
    reference_begin(&sums, &spec, inclusive ? SCAN_KIND_INCLUSIVE : SCAN_KIND_EXCLUSIVE,
                    REFERENCE_SCAN);
    spec = job_input(e->job, e->job->run.pattern);
    for (uint64_t at = from; at < index; at += PIECE) {
        const size_t count = index - at < PIECE ? (size_t)(index - at) : PIECE;
        input_fill(&spec, at, count, in);
        reference_pass(&sums, in, count);
    }
    input_fill(&spec, index, 1, &element);
    return reference_check_one(&sums, &element, &output);
}

static any_element scan_at(const evidence *e, uint64_t from, uint64_t index, bool inclusive)
{
    if (rounds_once(e))
        return sum_at(e, from, index, inclusive);
    return scan_as(e, job_result_type(e->job), from, index, inclusive);
}

bool diagnosis_got_scan_from(const evidence *e, uint64_t from)
{
    const uint64_t first = e->fault->index;
    if (first > MOST_SCANNED)
        return false;
    const any_element value = scan_at(e, from, first, e->job->kind == SCAN_KIND_INCLUSIVE);
    return got_is(e, &value);
}

/* Is the last wrong element what an inclusive scan has there? Random floats have no exact answer to
 * compare with. */
static bool last_is_inclusive(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    if (!input_is_exact(&spec))
        return e->fault->count > 1;
    const any_element value = scan_at(e, 0, e->fault->last, true);
    return element_same(e->job->dtype, &e->fault->last_got, &value);
}

/* Are all elements those of an inclusive scan, from the first, which is the input's, to the last?
 */
static bool is_inclusive(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    any_element first = element_of(e->job->dtype, 0, 0);
    input_fill(&spec, 0, 1, &first);
    return e->job->kind == SCAN_KIND_EXCLUSIVE && e->fault->index == 0 && got_is(e, &first) &&
           e->fault->last + 1 == e->n && last_is_inclusive(e);
}

/* Are the first and the last wrong element sums of two inputs side by side? */
static bool are_neighbours(const evidence *e)
{
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t least = inclusive ? 2 : 3, left = inclusive ? 1 : 2;
    if (e->fault->index != least)
        return false;
    const any_element first = scan_at(e, least - left, least, inclusive);
    const any_element last = scan_at(e, e->fault->last - left, e->fault->last, inclusive);
    return got_is(e, &first) && element_same(e->job->dtype, &e->fault->last_got, &last);
}

/* The type of as many bits that has a sign, or does not, of an integer. */
static uint32_t other_sign(uint32_t dtype)
{
    const dtype_info *type = dtype_get(dtype);
    uint32_t other = 0;
    while (!dtype_is_integer(other) || dtype_get(other)->bits != type->bits ||
           dtype_get(other)->is_signed == type->is_signed)
        other++;
    return other;
}

/* Is the first wrong element what a scan has there that compares as that type, from the right
 * identity on? */
static bool is_compared_as(const evidence *e, uint32_t dtype)
{
    const uint64_t first = e->fault->index;
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    if (first > MOST_SCANNED)
        return false;
    const any_element value = scan_as(e, dtype, 0, first, inclusive);
    return got_is(e, &value);
}

/* Is the first wrong element what remains of the right one in fewer bits? */
static bool is_cut(const evidence *e, size_t bits, bool is_signed)
{
    enum { MOST = 64 };
    for (size_t fewer = 8; fewer < bits && bits <= MOST; fewer *= 2) {
        const uint64_t low = e->fault->expected & ((UINT64_C(1) << fewer) - 1);
        const uint64_t sign = is_signed ? UINT64_C(1) << (fewer - 1) : 0;
        if (((low ^ sign) - sign) << (64 - bits) >> (64 - bits) == e->fault->got)
            return true;
    }
    return false;
}

static uint64_t facts_of_integer(const evidence *e)
{
    enum { SOON = 256 };
    const any_element least = element_end(e->job->dtype, false);
    const any_element greatest = element_end(e->job->dtype, true);
    const bool is_signed = dtype_get(e->job->dtype)->is_signed;
    const size_t bytes = dtype_bytes(e->job->dtype), bits = 8 * bytes;
    const bool adds = op_gives(e->job->op) == OP_ADDS, selects = op_selects(e->job->op);
    const bool sign_differs = (e->fault->got ^ e->fault->expected) >> (bits - 1) & 1;
    const bool at_end = got_is(e, &greatest) || (is_signed && got_is(e, &least));
    const bool one_more = (e->fault->got - e->fault->expected) << (64 - bits) >> (64 - bits) == 1;
    return fact(adds && at_end, SATURATED) | fact(selects && is_signed && sign_differs, UNSIGNED) |
           fact(selects && !is_signed && sign_differs &&
                    is_compared_as(e, other_sign(e->job->dtype)),
                SIGNED) |
           fact(adds && bytes < WORD_BYTES && one_more && !at_end && e->fault->index < SOON,
                CARRIED) |
           fact(adds && !at_end && is_cut(e, bits, is_signed), NARROWER);
}

/* A half that is not a number, which no operator makes of numbers; or both nearly right, as of
 * factors with fewer bits. */
static uint64_t facts_of_halves(const evidence *e)
{
    float got[2], expected[2];
    bool near = true, nan = false;
    memcpy(got, &e->fault->got, sizeof got);
    memcpy(expected, &e->fault->expected, sizeof expected);
    for (size_t i = 0; i < 2; i++) {
        near &= fabsf(got[i] - expected[i]) < 1e-2F * fabsf(expected[i]) || got[i] == expected[i];
        nan |= isnan(got[i]);
    }
    return fact(near, ROUNDED) | fact(nan, NOT_A_NUMBER);
}

static uint64_t facts_of_half_sum(const evidence *e, double got, double expected)
{
    const dtype_info *type = dtype_get(e->job->dtype);
    const bool near = fabs(got - expected) <= 2 * component_ulp(*type, power_below(expected));
    return fact(near, BESIDE) | fact(!isfinite(got) && isfinite(expected), OVERFLOWED);
}

static uint64_t facts_of_float(const evidence *e)
{
    const double got = float_of(e, e->fault->got), expected = float_of(e, e->fault->expected);
    const dtype_info *type = dtype_get(e->job->dtype);
    const double greatest = ldexp(1 - ldexp(1, -(int)type->digits), max_exponent(*type));
    if (type->components > 1)
        return e->job->dtype == SCAN_DTYPE_F32X2 ? facts_of_halves(e) : 0;
    if (rounds_once(e))
        return facts_of_half_sum(e, got, expected);
    return fact(fabs(got - expected) < 1e-3 * fabs(expected), ROUNDED) |
           fact(op_selects(e->job->op) && isinf(expected) && fabs(got) == greatest, FINITE);
}

/* Is the first wrong element what a scan has there that takes signed elements for unsigned ones? */
static bool is_unextended(const evidence *e)
{
    const uint64_t first = e->fault->index;
    if (!dtype_get(e->job->dtype)->is_signed || first > MOST_SCANNED)
        return false;
    const any_element value =
        scan_of(e, other_sign(e->job->dtype), other_sign(job_result_type(e->job)), 0, first,
                e->job->kind == SCAN_KIND_INCLUSIVE);
    return got_is(e, &value);
}

uint64_t diagnosis_facts_of_result(const evidence *e)
{
    const dtype_info *type = dtype_get(job_result_type(e->job));
    const bool adds = op_gives(e->job->op) == OP_ADDS;
    if (type->digits > 0) {
        const double got = float_of(e, e->fault->got), want = float_of(e, e->fault->expected);
        return fact(fabs(got - want) < 1e-3 * fabs(want), ROUNDED);
    }
    return fact(is_unextended(e), UNEXTENDED) |
           fact(adds && is_cut(e, type->bits, type->is_signed), NARROWER);
}

uint64_t diagnosis_facts_of_value(const evidence *e)
{
    const any_element nothing = op_identity(e->job->op, e->job->dtype);
    const uint64_t first = e->fault->index;
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE, is_nothing = got_is(e, &nothing);
    /* The first element of a tile is the carry itself: no operands were combined. */
    const bool is_combined = first > 0 && (first % e->tile.elements != 0 || inclusive);
    any_element filled;
    memset(&filled, (int)SCRATCH_BYTE, sizeof filled);
    return (dtype_is_integer(e->job->dtype) ? facts_of_integer(e) : facts_of_float(e)) |
           fact(is_inclusive(e), INCLUSIVE) | fact(got_is(e, &filled), FROM_SCRATCH) |
           fact(op_selects(e->job->op) &&
                    ((first == 0 && !inclusive) || (e->fault->got == 0 && !is_nothing)),
                IDENTITY) |
           fact(!op_commutes(e->job->op) && !is_nothing && is_combined, SWAPPED) |
           fact(are_neighbours(e), NEIGHBOURS);
}
