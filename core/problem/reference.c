/*
 * reference.c - makes the input again, scans it serially and compares the result with an output
 *
 * The exact comparison combines elements as op_table.h says and compares whole pieces of memory;
 * only a piece that differs is compared element by element. The bounded comparison sums in f64 and
 * keeps the rounding error of each addition beside the sum (two-sum: Knuth, The Art of Computer
 * Programming 2, 4.2.2).
 */
#include "problem/reference.h"

#include "problem/component.h"
#include "problem/guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 1024u /* elements: two pieces stay in the first-level cache */

enum { MODE_EXACT, MODE_BOUNDED, MODE_NAN, MODE_COPY, MODE_INVERTED };

typedef struct piece {
    any_element elements[PIECE]; /* smaller dtypes are packed */
} piece;

static void note_wrong(reference *check, uint64_t index, const void *got, const void *expected)
{
    check->last_bad = index;
    memcpy(&check->last_bits, got, dtype_bytes(check->spec.dtype));
    if (check->wrong++ > 0)
        return;
    check->first_bad = index;
    check->unwritten = is_poisoned(got, dtype_bytes(check->spec.dtype));
    element_text(check->spec.dtype, got, check->got, sizeof check->got);
    element_text(check->spec.dtype, expected, check->expected, sizeof check->expected);
    memcpy(&check->got_bits, got, dtype_bytes(check->spec.dtype));
    memcpy(&check->expected_bits, expected, dtype_bytes(check->spec.dtype));
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
    const dtype_info *type = dtype_get(check->spec.dtype);
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
        return memcmp(got, want, dtype_bytes(check->spec.dtype)) == 0;
    return element_same(check->spec.dtype, got, want) ||
           (check->mode == MODE_NAN && is_behind_nan(check, index, got, want));
}

static void compare_exact(reference *check, const void *expected, const void *output, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *want = expected, *got = output;
    if (memcmp(want, got, count * width) == 0)
        return;
    for (size_t i = 0; i < count; i++, want += width, got += width)
        if (!admits(check, check->checked + i, got, want))
            note_wrong(check, check->checked + i, got, want);
}

/* Inverts every bit. */
static void invert(void *bytes, size_t count)
{
    unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        at[i] = (unsigned char)~at[i];
}

/* ---- bounded ------------------------------------------------------------- */

static inline void running_add(reference_sum *prefix_p, double a, double b)
{
    const double old = prefix_p->sum * a;
    const double sum = old + b;
    const double added = sum - old;
    prefix_p->residue = prefix_p->residue * a + ((old - (sum - added)) + (b - added));
    prefix_p->sum = sum;
    prefix_p->sign *= a;
    prefix_p->total = prefix_p->total * fabs(a) + fabs(b);
}

/* Is the error within mu/(1 - mu) of `size`? NaN compares false and is not. */
static inline bool is_within(double error, double mu, double size)
{
    return mu < 0.5 ? error * (1 - mu) <= mu * size : error <= size;
}

/* Is `got` within the bound of m additions? */
static inline bool running_admits(const reference_sum *prefix_p, double mu, double got,
                                  double *max_rel_error)
{
    const double error = fabs((got - prefix_p->sum) - prefix_p->residue);
    if (!is_within(error, mu, prefix_p->total))
        return false;
    if (error > *max_rel_error * prefix_p->total)
        *max_rel_error = error / prefix_p->total;
    return true;
}

/* Sums of scalars, or of pairs with factors: `a` of a pair must be right to the bit, unless factors
 * are general. Before them are `before` elements of the same scan. */
FOR_EACH_DTYPE void compare_sums(reference *check, dtype_info type, uint64_t before, const void *in,
                                 const void *out, size_t count)
{
    const bool pair = type.components == 2;
    const bool inclusive = check->scan.inclusive;
    const double unit = 1 / (double)(UINT64_C(1) << type.digits);
    const double first = (double)before + 1;
    const bool general = check->spec.pattern == INPUT_FACTORS;
    reference_sum sum = check->sum;
    double max_rel_error = check->max_rel_error;
    for (size_t i = 0; i < count; i++) {
        const size_t last = type.components * (i + 1) - 1; /* the scalar, or b of a pair */
        reference_sum want = sum;
        running_add(&sum, pair ? component_real(type, in, last - 1) : 1,
                    component_real(type, in, last));
        if (inclusive)
            want = sum;
        if (!out)
            continue;
        const double mu = (first + (double)(int64_t)i) * unit;
        const double a = pair ? component_real(type, out, last - 1) : 1;
        const bool good_a = !pair || a == want.sign ||
                            (general && is_within(fabs(a - want.sign), mu, fabs(want.sign)));
        if (good_a && running_admits(&want, general ? 2 * mu : mu, component_real(type, out, last),
                                     &max_rel_error))
            continue;
        const double value = want.sum + want.residue;
        const any_element expected = element_of(check->spec.dtype, pair ? want.sign : value, value);
        note_wrong(check, check->checked + i, (const unsigned char *)out + i * type.bytes,
                   &expected);
    }
    check->sum = sum;
    check->max_rel_error = max_rel_error;
}

/* compare_sums, compiled for each dtype of floats. */
static void compare_bounded(reference *check, uint64_t before, const void *in, const void *out,
                            size_t count)
{
#define CASE(name, ...)                                                                         \
    case SCAN_DTYPE_##name:                                                                     \
        compare_sums(check, (dtype_info)DTYPE_INFO(name, __VA_ARGS__), before, in, out, count); \
        break;
    switch (check->spec.dtype) {
        FLOAT_DTYPES(CASE, )
        FLOAT_PAIR_DTYPES(CASE, )
    default:
        break;
    }
#undef CASE
}

/* ---- both ---------------------------------------------------------------- */

static bool has_nan(const input_spec *spec)
{
    return spec->pattern == INPUT_NAN && dtype_is_float(spec->dtype) && spec->position < spec->n;
}

/* Is what it expects the scan that the table of operators makes? */
static bool scans(const reference *check)
{
    return check->mode == MODE_EXACT || check->mode == MODE_NAN;
}

/* What is known before the first element of a scan. */
static void begin_scan(reference *check)
{
    check->scan.carry = op_identity(check->spec.op, check->spec.dtype);
    check->sum = (reference_sum){.sign = 1};
}

void reference_begin(reference *check, const input_spec *spec, scan_kind kind, reference_rule rule)
{
    const bool known = op_takes_dtype(spec->op, spec->dtype);
    memset(check, 0, sizeof *check);
    check->spec = *spec;
    check->mode = rule == REFERENCE_INVERTED         ? MODE_INVERTED
                  : rule == REFERENCE_COPY || !known ? MODE_COPY
                  : has_nan(spec)                    ? MODE_NAN
                  : input_is_exact(spec)             ? MODE_EXACT
                                                     : MODE_BOUNDED;
    check->scan =
        (op_scan){.op = spec->op, .dtype = spec->dtype, .inclusive = kind == SCAN_KIND_INCLUSIVE};
    begin_scan(check);
}

scan_status reference_begin_columns(reference *check)
{
    const uint64_t inner = input_inner(&check->spec);
    const bool bounded = check->mode == MODE_BOUNDED;
    if (inner == 1 || !(bounded || scans(check)))
        return SCAN_OK;
    if (bounded)
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
        count = input_row(&check->spec) - place->at;
        if (check->points && count > check->stride - place->at % check->stride)
            count = check->stride - place->at % check->stride;
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
    if (place_p->at == input_row(&check->spec)) {
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
        compare_bounded(check, s->place.at, s->in, s->out, s->count);
        return;
    }
    op_scan_next(&check->scan, s->in, expected, s->count);
    if (s->out)
        compare_exact(check, expected, s->out, s->count);
}

static void compare_across(reference *check, const stretch *s, void *expected)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *in = s->in, *out = s->out;
    if (check->mode != MODE_BOUNDED) {
        any_element *carries = check->column_carries + s->place.column;
        const any_element identity = op_identity(check->spec.op, check->spec.dtype);
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
        check->sum = s->place.at == 0 ? (reference_sum){.sign = 1} : *sum;
        check->checked = first + i;
        compare_bounded(check, s->place.at, in + i * width, out ? out + i * width : NULL, 1);
        *sum = check->sum;
    }
    check->checked = first;
}

/* Compares or passes over the next elements of scans, at most PIECE of them. */
static void combine(reference *check, const void *given, const void *output, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
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
            begin_scan(check);
        check->checked += s.count;
        done += s.count;
    }
}

/* ---- pieces ------------------------------------------------------------------ */

void reference_check(reference *check, const void *input, const void *output, uint64_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *in = input, *out = output;
    for (uint64_t done = 0; done < count;) {
        const size_t most = PIECE - (size_t)(check->checked % PIECE); /* up to a whole piece */
        const size_t part = count - done < most ? (size_t)(count - done) : most;
        piece given;
        input_fill(&check->spec, check->checked, part, &given);
        if (input)
            compare_input(check, &given, in + done * width, part);
        if (check->mode == MODE_INVERTED)
            invert(&given, part * width);
        if (check->mode == MODE_BOUNDED || scans(check))
            combine(check, &given, out + done * width, part);
        else {
            compare_exact(check, &given, out + done * width, part);
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
    return (input_row(spec) - 1) / stride;
}

uint64_t reference_points(const input_spec *spec, uint64_t stride)
{
    return spec->n / input_row(spec) * points_each(spec, stride);
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
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < PIECE ? count - done : PIECE;
        if (check->mode == MODE_BOUNDED || scans(check))
            combine(check, (const unsigned char *)elements + done * width, NULL, part);
        else
            check->checked += part;
        done += part;
    }
}

/* The value of a sum that was made exactly, rounded to the type. */
static any_element element_of_sum(const reference *check, const reference_sum *sum)
{
    const double value = sum->sum + sum->residue;
    const bool pair = dtype_get(check->spec.dtype)->components == 2;
    return element_of(check->spec.dtype, pair ? sum->sign : value, value);
}

any_element reference_check_one(reference *check, const void *element, const void *output)
{
    any_element expected = {0};
    memcpy(&expected, element, dtype_bytes(check->spec.dtype)); /* of a copy */
    if (check->mode == MODE_BOUNDED) {
        const reference_sum before = check->sum;
        compare_bounded(check, check->checked, element, output, 1);
        expected = element_of_sum(check, check->scan.inclusive ? &check->sum : &before);
    } else {
        if (scans(check))
            op_scan_next(&check->scan, element, &expected, 1);
        if (check->mode == MODE_INVERTED)
            invert(&expected, dtype_bytes(check->spec.dtype));
        compare_exact(check, &expected, output, 1);
    }
    check->checked++;
    return expected;
}

/* ---- parts ----------------------------------------------------------------- */

/* Beyond these elements of a f32 sums in f64, whose terms are multiples of 2^-24 below 1, round. */
#define EXACT_SUMS (UINT64_C(1) << 30)

bool reference_has_parts(const reference *check)
{
    const bool narrow = dtype_get(check->spec.dtype)->bits == 32;
    const bool one = input_row(&check->spec) >= check->spec.n;
    if (check->mode == MODE_NAN || input_inner(&check->spec) > 1 ||
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
    reference sums = {.spec = check->spec, .mode = check->mode, .checked = first, .sum.sign = 1};
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
    const double total = part->sum.total * fabs(skipped->sign) + skipped->total;
    running_add(&part->sum, skipped->sign, skipped->sum);
    part->sum.residue += skipped->residue;
    part->sum.total = total;
    part->begun = reference_here(part);
}

void reference_part_at(reference *part_p, const reference *check, uint64_t first,
                       const void *output)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *from = output;
    reference part = {.spec = check->spec,
                      .mode = check->mode,
                      .scan = check->scan,
                      .sum = check->sum,
                      .points = check->points,
                      .stride = check->stride,
                      .checked = first,
                      .begin = first};
    if (check->mode == MODE_EXACT && first > check->checked)
        memcpy(&part.scan.carry, check->scan.inclusive ? from - width : from, width);
    if (input_place_of(&check->spec, first).at == 0 && first > check->checked)
        begin_scan(&part);
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
        !same_point(check->spec.dtype, &part->begun, &here))
        return false;
    check->checked = part->checked;
    check->scan.carry = part->scan.carry;
    check->sum = part->sum;
    check->max_rel_error = fmax(check->max_rel_error, part->max_rel_error);
    return true;
}

bool reference_passed(const reference *check)
{
    return check->checked == check->spec.n && check->wrong == 0 && check->input_changed == 0;
}
