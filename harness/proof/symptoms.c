/*
 * symptoms.c - recognises mistakes by the position and the value of the first wrong element
 */
#include "proof/symptoms.h"

#include "problem/guard.h"
#include "problem/names.h"
#include "problem/op_scan.h"
#include "proof/claim.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_signed(const proof_evidence *e)
{
    return dtype_is_integer(e->job->dtype) && dtype_get(e->job->dtype)->is_signed;
}

/* If n is cut to 16 or 32 bits, the remaining elements are right. A byte index that is cut, or is
 * signed, fails at a multiple of 2^28 elements (of up to 16 bytes). */
bool proof_looks_narrow(const proof_evidence *e)
{
    const uint64_t n = e->job->n, wrap = UINT64_C(1) << 28;
    return e->bad && ((n > UINT16_MAX && e->first_bad == (n & UINT16_MAX)) ||
                      (n > wrap && e->first_bad == (n & UINT32_MAX)) ||
                      (e->first_bad >= wrap && e->first_bad % wrap == 0));
}

static bool got_is(const proof_evidence *e, const any_element *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, dtype_bytes(e->fault->dtype));
    return e->bad && e->fault->got == bits;
}

static bool is_wide(const proof_evidence *e)
{
    return dtype_is_integer(e->job->dtype) && dtype_bytes(e->job->dtype) == 8;
}

/* Is a signed integer below 0? */
static bool is_negative(const proof_evidence *e, uint64_t bits)
{
    return bits >> (8 * dtype_bytes(e->job->dtype) - 1) & 1;
}

/* A scalar float's value. */
static double float_of(const proof_evidence *e, uint64_t bits)
{
    const uint32_t half = (uint32_t)bits;
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &half, sizeof narrow);
    return dtype_bytes(e->job->dtype) == sizeof wide ? wide : (double)narrow;
}

static bool is_scalar_float(const proof_evidence *e)
{
    return dtype_is_float(e->job->dtype) && dtype_get(e->job->dtype)->components == 1;
}

/* Writes element `index` of the scan of inputs `from` ... n in a kind; 0 where there is none. */
static any_element scan_at(const proof_evidence *e, uint64_t from, uint64_t index, bool inclusive)
{
    enum { PIECE = 256 };
    const input_spec spec = job_input(e->job, e->job->pattern);
    const size_t width = dtype_bytes(spec.dtype);
    any_element in[PIECE], out[PIECE], element;
    op_scan scan = {.op = spec.op,
                    .dtype = spec.dtype,
                    .inclusive = inclusive,
                    .carry = op_identity(spec.op, spec.dtype)};
    memset(&element, 0, sizeof element);
    for (uint64_t at = from; at <= index; at += PIECE) {
        const uint64_t left = index + 1 - at;
        const size_t count = left < PIECE ? (size_t)left : PIECE;
        input_fill(&spec, at, count, in);
        op_scan_next(&scan, in, out, count);
        memcpy(&element, (const unsigned char *)out + (count - 1) * width, width);
    }
    return element;
}

/* Is the last wrong element what a scan of the other kind has there? Random floats have no exact
 * answer to compare with. */
static bool last_is(const proof_evidence *e, bool inclusive)
{
    const input_spec spec = job_input(e->job, e->job->pattern);
    if (!input_is_exact(&spec))
        return e->fault->count > 1;
    const any_element value = scan_at(e, 0, e->fault->last, inclusive);
    return element_same(e->job->dtype, &e->fault->last_got, &value);
}

/* y[0] is the identity but should be x[0], and the last wrong element is that of the other kind. */
bool proof_looks_exclusive(const proof_evidence *e)
{
    const any_element nothing = op_identity(e->job->op, e->job->dtype);
    return e->first_bad == 0 && e->job->kind == SCAN_KIND_INCLUSIVE && got_is(e, &nothing) &&
           last_is(e, false);
}

/* y[0] is x[0] but should be the identity, and the last wrong element is that of the other kind. */
bool proof_looks_inclusive(const proof_evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->pattern);
    any_element first = element_of(e->job->dtype, 0, 0);
    input_fill(&spec, 0, 1, &first);
    return e->first_bad == 0 && e->job->kind == SCAN_KIND_EXCLUSIVE && got_is(e, &first) &&
           e->fault->last + 1 == e->job->n && last_is(e, true);
}

bool proof_looks_identity(const proof_evidence *e)
{
    const any_element nothing = op_identity(e->job->op, e->job->dtype);
    const bool at_zero = e->first_bad == 0 && e->job->kind == SCAN_KIND_EXCLUSIVE;
    return e->bad && op_selects(e->job->op) &&
           (at_zero || (e->fault->got == 0 && !got_is(e, &nothing)));
}

bool proof_looks_unsigned_order(const proof_evidence *e)
{
    return e->bad && op_selects(e->job->op) && is_signed(e) &&
           is_negative(e, e->fault->got) != is_negative(e, e->fault->expected);
}

/* One half of a wide integer was written, the other still holds the poison. */
bool proof_looks_half_written(const proof_evidence *e)
{
    const uint64_t poison = POISON_BYTE * UINT64_C(0x01010101);
    const uint64_t got = e->fault->got;
    return e->bad && is_wide(e) && (got >> 32 == poison) != ((got & UINT32_MAX) == poison);
}

/* A half of a pair of floats is not a number, which no operator makes of numbers. */
bool proof_looks_divided(const proof_evidence *e)
{
    float halves[2];
    memcpy(halves, &e->fault->got, sizeof halves);
    return e->bad && e->fault->dtype == SCAN_DTYPE_F32X2 && (isnan(halves[0]) || isnan(halves[1]));
}

/* Wrong where a carry is combined, but not at the first element of a tile, which is the carry
 * itself. */
bool proof_looks_swapped(const proof_evidence *e)
{
    const any_element nothing = op_identity(e->job->op, e->job->dtype);
    return e->bad && !op_commutes(e->job->op) && e->first_bad > 0 && !got_is(e, &nothing) &&
           (e->first_bad % e->tile != 0 || e->job->kind == SCAN_KIND_INCLUSIVE);
}

/* These inputs come last, after others in which no result is a mark, and none lie close together.
 */
bool proof_looks_marked(const proof_evidence *e)
{
    return e->bad && e->job->pattern == INPUT_MARKS;
}

bool proof_looks_coarse_order(const proof_evidence *e)
{
    return e->bad && e->job->pattern == INPUT_CLOSE;
}

bool proof_looks_flushed(const proof_evidence *e)
{
    return e->bad && e->job->pattern == INPUT_SUBNORMALS;
}

bool proof_looks_saturated(const proof_evidence *e)
{
    const any_element least = element_end(e->job->dtype, false);
    const any_element greatest = element_end(e->job->dtype, true);
    return e->bad && is_signed(e) && op_gives(e->job->op) == OP_ADDS &&
           (got_is(e, &least) || got_is(e, &greatest));
}

bool proof_looks_finite(const proof_evidence *e)
{
    const bool is_double = dtype_bytes(e->job->dtype) == sizeof(double);
    const double greatest = is_double ? DBL_MAX : (double)FLT_MAX;
    return e->bad && is_scalar_float(e) && op_selects(e->job->op) &&
           isinf(float_of(e, e->fault->expected)) && fabs(float_of(e, e->fault->got)) == greatest;
}

bool proof_looks_in_place(const proof_evidence *e)
{
    return e->bad && e->job->in_place;
}

bool proof_looks_repeated(const proof_evidence *e)
{
    return e->bad && e->job->repeat > 1;
}

bool proof_looks_no_power_of_two(const proof_evidence *e)
{
    return e->bad && (e->block & (e->block - 1)) != 0;
}

static uint64_t default_vt(const proof_evidence *e)
{
    int vt = tunable_info_index(e->p->session->plugin, "vt");
    return vt < 0 ? e->vt : (uint64_t)e->p->session->plugin->tunables[vt].default_value;
}

/* Wrong with a setting that is not the default, although the default is right. */
bool proof_looks_baked(const proof_evidence *e)
{
    const plugin_info *plugin = e->p->session->plugin;
    bool changed = false;
    for (uint32_t i = 0; i < e->job->tunable_count; i++)
        changed |= e->job->tunables[i] != plugin->tunables[i].default_value;
    const bool block_alone = e->vt == default_vt(e);
    return e->bad && changed && (!block_alone || e->p->claim->test == proof_test_tunables);
}

/* The first and the last wrong element are sums of two inputs side by side. */
bool proof_looks_neighbours(const proof_evidence *e)
{
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t least = inclusive ? 2 : 3, left = inclusive ? 1 : 2;
    if (!e->bad || e->first_bad != least)
        return false;
    const any_element first = scan_at(e, least - left, least, inclusive);
    const any_element last = scan_at(e, e->fault->last - left, e->fault->last, inclusive);
    return got_is(e, &first) && element_same(e->job->dtype, &e->fault->last_got, &last);
}

bool proof_looks_repeated_unwritten(const proof_evidence *e)
{
    return e->bad && e->job->repeat > 1 && e->unwritten;
}

bool proof_looks_whole(const proof_evidence *e)
{
    return e->bad && e->unwritten && e->job->n % e->tile == 0 &&
           e->first_bad + e->tile == e->job->n;
}

bool proof_looks_tail(const proof_evidence *e)
{
    return e->bad && e->unwritten && e->first_bad == e->job->n - e->job->n % e->tile;
}

bool proof_looks_nothing_written(const proof_evidence *e)
{
    return e->bad && e->unwritten && e->first_bad == 0 && e->job->n < e->tile;
}

bool proof_looks_unwritten(const proof_evidence *e)
{
    return e->bad && e->unwritten;
}

/* Wrong from some element after the first, in a plugin that works in place only. */
bool proof_looks_overwritten(const proof_evidence *e)
{
    return e->bad && e->first_bad > 0 && e->p->session->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

bool proof_looks_empty_tail(const proof_evidence *e)
{
    return e->bad && e->tile > 1 && e->job->n % e->tile == 0 && e->first_bad + 1 == e->job->n;
}

/* Nothing but the last element, at a larger n too: no carry does that. */
bool proof_looks_last_alone(const proof_evidence *e)
{
    return e->bad && e->lone && e->first_bad + 1 == e->job->n;
}

/* A lost carry spoils many elements. */
static bool looks_like_carry(const proof_evidence *e)
{
    return e->bad && e->tile > 1 && !e->lone;
}

bool proof_looks_spine(const proof_evidence *e)
{
    return looks_like_carry(e) && e->first_bad >= e->tile * e->tile;
}

bool proof_looks_carry_of_first(const proof_evidence *e)
{
    return looks_like_carry(e) && e->first_bad == e->tile;
}

bool proof_looks_carry_of_later(const proof_evidence *e)
{
    return looks_like_carry(e) && e->first_bad > 0 && e->first_bad % e->tile == 0;
}

bool proof_looks_behind_tile(const proof_evidence *e)
{
    return looks_like_carry(e) && e->first_bad > e->tile;
}

/* Close to the expected value. */
bool proof_looks_rounded(const proof_evidence *e)
{
    if (!e->bad || !is_scalar_float(e))
        return false;
    const double expected = float_of(e, e->fault->expected);
    return fabs(float_of(e, e->fault->got) - expected) < 1e-3 * fabs(expected);
}

/* The value with which the host fills scratch. */
bool proof_looks_fresh_scratch(const proof_evidence *e)
{
    any_element filled;
    memset(&filled, (int)SCRATCH_BYTE, sizeof filled);
    return got_is(e, &filled);
}
