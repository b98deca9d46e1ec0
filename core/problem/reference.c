/*
 * reference.c - makes the input again, scans it serially and compares the result with an output
 *
 * The exact comparison combines elements as op_table.h says and compares whole pieces of memory;
 * only a piece that differs is compared element by element. reference_bounded.c compares within a
 * bound, and reference_parts.c several parts of an output at the same time.
 */
#include "problem/reference_private.h"

#include "problem/component.h"
#include "problem/guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_note_wrong(reference *check, uint64_t index, const void *got, const void *expected)
{
    check->last_bad = index;
    memcpy(&check->last_bits, got, dtype_bytes(check->dtype));
    if (check->wrong++ > 0)
        return;
    check->first_bad = index;
    check->unwritten = is_poisoned(got, dtype_bytes(check->dtype));
    element_text(check->dtype, got, check->got, sizeof check->got);
    element_text(check->dtype, expected, check->expected, sizeof check->expected);
    memcpy(&check->got_bits, got, dtype_bytes(check->dtype));
    memcpy(&check->expected_bits, expected, dtype_bytes(check->dtype));
}

const void *reference_widened(const reference *check, const void *in, size_t count, piece *room_p)
{
    if (check->dtype == check->spec.dtype)
        return in;
    dtype_widen(check->spec.dtype, in, check->dtype, room_p, count);
    return room_p;
}

/* ---- exact --------------------------------------------------------------- */

static inline double real_at(const dtype_info *type, const void *element, size_t i)
{
    any_element aligned;
    memcpy(&aligned, element, type->bytes);
    return component_real(*type, &aligned, i);
}

/* Is it what the contract allows behind a NaN? An output that nobody wrote is none. */
static bool is_behind_nan(const reference *check, uint64_t index, const void *got, const void *want)
{
    const dtype_info *type = dtype_get(check->dtype);
    const size_t last = type->components - 1;
    const double value = real_at(type, got, last), expected = real_at(type, want, last);
    const input_place here = input_place_of(&check->spec, index);
    const input_place nan = input_place_of(&check->spec, check->spec.position);
    if (here.row != nan.row || here.column != nan.column ||
        here.at + (check->scan.inclusive ? 1 : 0) <= nan.at || is_poisoned(got, type->bytes))
        return false;
    if (op_gives(check->spec.op) == OP_ADDS)
        return isnan(value) && (last == 0 || real_at(type, got, 0) == real_at(type, want, 0));
    return isnan(value) ||
           (op_gives(check->spec.op) == OP_GREATEST ? value <= expected : value >= expected);
}

/* Is the element right, where not every bit of it is told? */
static bool admits(const reference *check, uint64_t index, const void *got, const void *want)
{
    if (check->mode == MODE_INVERTED)
        return memcmp(got, want, dtype_bytes(check->dtype)) == 0;
    return element_same(check->dtype, got, want) ||
           (check->mode == MODE_NAN && is_behind_nan(check, index, got, want));
}

static void compare_exact(reference *check, const void *expected, const void *output, size_t count)
{
    const size_t width = dtype_bytes(check->dtype);
    const unsigned char *want = expected, *got = output;
    if (memcmp(want, got, count * width) == 0)
        return;
    for (size_t i = 0; i < count; i++, want += width, got += width)
        if (!admits(check, check->checked + i, got, want))
            reference_note_wrong(check, check->checked + i, got, want);
}

/* Inverts every bit. */
static void invert(void *bytes, size_t count)
{
    unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        at[i] = (unsigned char)~at[i];
}

/* ---- begin and end ---------------------------------------------------------------- */

static bool has_nan(const input_spec *spec)
{
    return spec->pattern == INPUT_NAN && dtype_is_float(spec->dtype) && spec->position < spec->n;
}

/* Is an output the rounding of a sum that is held in a wider type? */
static bool rounds_once(const input_spec *spec)
{
    return dtype_is_half(input_result(spec)) && op_rounds(spec->op, spec->dtype);
}

void reference_begin_scan(reference *check)
{
    check->scan.carry = op_identity(check->spec.op, check->dtype);
    check->sum = (reference_sum){.sign = 1};
}

/* Is what it expects a scan of the input? */
static bool is_scan(const reference *check)
{
    return check->mode != MODE_COPY && check->mode != MODE_INVERTED;
}

void reference_begin(reference *check, const input_spec *spec, scan_kind kind, reference_rule rule)
{
    const bool known = op_takes_dtype(spec->op, spec->dtype);
    memset(check, 0, sizeof *check);
    check->spec = *spec;
    check->dtype = input_result(spec);
    check->mode = rule == REFERENCE_INVERTED         ? MODE_INVERTED
                  : rule == REFERENCE_COPY || !known ? MODE_COPY
                  : rounds_once(spec)                ? MODE_BOUNDED
                  : has_nan(spec)                    ? MODE_NAN
                  : input_is_exact(spec)             ? MODE_EXACT
                                                     : MODE_BOUNDED;
    check->most_ulps = rule == REFERENCE_ACCURATE && spec->op == SCAN_OP_SUM ? 1 : INFINITY;
    check->scan =
        (op_scan){.op = spec->op, .dtype = check->dtype, .inclusive = kind == SCAN_KIND_INCLUSIVE};
    reference_begin_scan(check);
}

scan_status reference_begin_columns(reference *check)
{
    const uint64_t inner = input_inner(&check->spec);
    if (inner == 1 || !is_scan(check))
        return SCAN_OK;
    if (check->mode == MODE_BOUNDED)
        check->column_sums = calloc(inner, sizeof *check->column_sums);
    else
        check->column_carries = calloc(inner, sizeof *check->column_carries);
    return check->column_sums || check->column_carries ? SCAN_OK : SCAN_NO_MEMORY;
}

void reference_end_columns(reference *check)
{
    free(check->column_sums);
    free(check->column_carries);
    check->column_sums = NULL;
    check->column_carries = NULL;
}

static void compare_input(reference *check, const void *expected, const void *input, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *want = expected, *got = input;
    if (memcmp(want, got, count * width) == 0)
        return;
    for (size_t i = 0; i < count; i++, want += width, got += width)
        if (memcmp(want, got, width) != 0 && check->input_changed++ == 0)
            check->first_changed = check->checked + i;
}

/* ---- scans, one behind the other or side by side ---------------------------- */

/* Elements that are combined in one go: of one scan, or one of each of some that lie side by
 * side. The output is NULL if they are passed over. */
typedef struct stretch {
    input_place place; /* of the first */
    size_t count;
    const void *in, *out;
} stretch;

/* How many of `most` elements from there on are one stretch. */
static size_t stretch_count(const reference *check, const input_place *place, size_t most)
{
    const uint64_t inner = input_inner(&check->spec);
    uint64_t count = inner - place->column;
    if (inner == 1) {
        count = input_scan_n(&check->spec) - place->at;
        if (check->points && count > check->stride - place->at % check->stride)
            count = check->stride - place->at % check->stride;
        if (check->mode == MODE_BOUNDED && count > PIECE - place->at % PIECE)
            count = PIECE - place->at % PIECE;
    }
    return count < most ? (size_t)count : most;
}

/* The place `count` elements on, which is at most the next row. */
static void move_on(const reference *check, input_place *place_p, size_t count)
{
    const uint64_t inner = input_inner(&check->spec);
    place_p->column += inner == 1 ? 0 : count;
    place_p->at += inner == 1 ? count : place_p->column / inner;
    place_p->column %= inner;
    if (place_p->at == input_scan_n(&check->spec)) {
        place_p->at = 0;
        place_p->row++;
    }
}

static void keep_points(reference *check, const stretch *s)
{
    if (!check->points || s->place.at == 0 || s->place.at % check->stride != 0)
        return;
    reference_point *to = check->points + reference_point_of(&check->spec, check->stride, s->place);
    if (input_inner(&check->spec) == 1) {
        *to = reference_here(check);
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        const uint64_t column = s->place.column + i;
        to[i] = (reference_point){.sum.sign = 1};
        if (check->column_sums)
            to[i].sum = check->column_sums[column];
        if (check->column_carries)
            to[i].carry = check->column_carries[column];
    }
}

static void compare_in_line(reference *check, const stretch *s, void *expected)
{
    if (check->mode == MODE_BOUNDED) {
        reference_compare_bounded(check, s->place.at, s->in, s->out, s->count);
        return;
    }
    op_scan_next(&check->scan, s->in, expected, s->count);
    if (s->out)
        compare_exact(check, expected, s->out, s->count);
}

static void compare_across(reference *check, const stretch *s, void *expected)
{
    const size_t width = dtype_bytes(check->dtype);
    const unsigned char *in = s->in, *out = s->out;
    if (check->mode != MODE_BOUNDED) {
        any_element *carries = check->column_carries + s->place.column;
        const any_element identity = op_identity(check->spec.op, check->dtype);
        for (size_t i = 0; s->place.at == 0 && i < s->count; i++)
            carries[i] = identity;
        op_scan_across(&check->scan, carries, in, expected, s->count);
        if (out)
            compare_exact(check, expected, out, s->count);
        return;
    }
    const uint64_t first = check->checked;
    for (size_t i = 0; i < s->count; i++) {
        reference_sum *sum = &check->column_sums[s->place.column + i];
        check->sum = *sum;
        if (s->place.at == 0)
            check->sum = (reference_sum){.sign = 1};
        check->checked = first + i;
        reference_compare_bounded(check, s->place.at, in + i * width, out ? out + i * width : NULL,
                                  1);
        *sum = check->sum;
    }
    check->checked = first;
}

/* Compares or passes over the next elements of scans, at most PIECE of them, which are given in the
 * type of the output. Its piece is not to lie beside its callers'. */
__attribute__((noinline)) static void combine(reference *check, const void *given,
                                              const void *output, size_t count)
{
    const size_t width = dtype_bytes(check->dtype);
    const unsigned char *in = given, *out = output;
    input_place place = input_place_of(&check->spec, check->checked);
    piece expected;
    for (size_t done = 0; done < count;) {
        const stretch s = {.place = place,
                           .count = stretch_count(check, &place, count - done),
                           .in = in + done * width,
                           .out = out ? out + done * width : NULL};
        keep_points(check, &s);
        if (input_inner(&check->spec) == 1)
            compare_in_line(check, &s, &expected);
        else
            compare_across(check, &s, &expected);
        move_on(check, &place, s.count);
        if (place.at == 0)
            reference_begin_scan(check);
        check->checked += s.count;
        done += s.count;
    }
}

/* ---- pieces ------------------------------------------------------------------ */

/* The next elements of the input, made in *made_p unless they have been made before. What is to be
 * inverted is a copy. */
static const void *given_elements(const reference *check, size_t count, piece *made_p)
{
    const unsigned char *made = check->spec.made;
    if (made && check->mode != MODE_INVERTED)
        return made + check->checked * dtype_bytes(check->spec.dtype);
    input_fill(&check->spec, check->checked, count, made_p);
    return made_p;
}

void reference_check(reference *check, const void *input, const void *output, uint64_t count)
{
    const size_t width = dtype_bytes(check->dtype);
    const unsigned char *in = input, *out = output;
    for (uint64_t done = 0; done < count;) {
        const size_t most = PIECE - (size_t)(check->checked % PIECE); /* up to a whole piece */
        const size_t part = count - done < most ? (size_t)(count - done) : most;
        piece made, room;
        const void *given = given_elements(check, part, &made);
        if (input)
            compare_input(check, given, in + done * dtype_bytes(check->spec.dtype), part);
        if (check->mode == MODE_INVERTED)
            invert(&made, part * width);
        const void *wide = reference_widened(check, given, part, &room);
        if (is_scan(check))
            combine(check, wide, out + done * width, part);
        else {
            compare_exact(check, wide, out + done * width, part);
            check->checked += part;
        }
        done += part;
    }
}

reference_point reference_here(const reference *check)
{
    return (reference_point){.carry = check->scan.carry, .sum = check->sum};
}

void reference_keep(reference *check, reference_point *points, uint64_t stride)
{
    check->points = points;
    check->stride = stride;
}

/* Points of each scan. */
static uint64_t points_each(const input_spec *spec, uint64_t stride)
{
    return (input_scan_n(spec) - 1) / stride;
}

uint64_t reference_points(const input_spec *spec, uint64_t stride)
{
    return spec->n / input_scan_n(spec) * points_each(spec, stride);
}

uint64_t reference_point_of(const input_spec *spec, uint64_t stride, input_place place)
{
    const uint64_t behind = place.row * points_each(spec, stride) + place.at / stride - 1;
    return behind * input_inner(spec) + place.column;
}

void reference_resume(reference *check, uint64_t index, const reference_point *before)
{
    check->checked = index;
    check->scan.carry = before->carry;
    check->sum = before->sum;
}

void reference_pass(reference *check, const void *elements, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *in = elements;
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < PIECE ? count - done : PIECE;
        piece room;
        if (is_scan(check))
            combine(check, reference_widened(check, in + done * width, part, &room), NULL, part);
        else
            check->checked += part;
        done += part;
    }
}

any_element reference_check_one(reference *check, const void *element, const void *output)
{
    any_element expected = {0};
    piece room;
    const void *wide = reference_widened(check, element, 1, &room);
    memcpy(&expected, wide, dtype_bytes(check->dtype)); /* of a copy */
    if (check->mode == MODE_BOUNDED) {
        const reference_sum before = check->sum;
        reference_compare_bounded(check, check->checked, wide, output, 1);
        expected =
            reference_sum_element(check->dtype, check->scan.inclusive ? &check->sum : &before);
    } else {
        if (is_scan(check))
            op_scan_next(&check->scan, wide, &expected, 1);
        if (check->mode == MODE_INVERTED)
            invert(&expected, dtype_bytes(check->dtype));
        compare_exact(check, &expected, output, 1);
    }
    check->checked++;
    return expected;
}

bool reference_passed(const reference *check)
{
    return check->checked == check->spec.n && check->wrong == 0 && check->input_changed == 0;
}
