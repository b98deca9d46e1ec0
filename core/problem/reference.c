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
    if (index + (check->scan.inclusive ? 1 : 0) <= check->spec.position ||
        is_poisoned(got, type->bytes))
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
 * are general. */
FOR_EACH_DTYPE void compare_sums(reference *check, dtype_info type, const void *in, const void *out,
                                 size_t count)
{
    const bool pair = type.components == 2;
    const bool inclusive = check->scan.inclusive;
    const double unit = 1 / (double)(UINT64_C(1) << type.digits);
    const double first = (double)check->checked + 1;
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
static void compare_bounded(reference *check, const void *in, const void *out, size_t count)
{
#define CASE(name, ...)                                                                 \
    case SCAN_DTYPE_##name:                                                             \
        compare_sums(check, (dtype_info)DTYPE_INFO(name, __VA_ARGS__), in, out, count); \
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
    check->scan = (op_scan){.op = spec->op,
                            .dtype = spec->dtype,
                            .inclusive = kind == SCAN_KIND_INCLUSIVE,
                            .carry = op_identity(spec->op, spec->dtype)};
    check->sum.sign = 1;
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

void reference_check(reference *check, const void *input, const void *output, uint64_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *in = input, *out = output;
    for (uint64_t done = 0; done < count;) {
        const size_t most = PIECE - (size_t)(check->checked % PIECE); /* up to a whole piece */
        const size_t part = count - done < most ? (size_t)(count - done) : most;
        piece given, expected;
        if (check->points && check->checked % check->stride == 0)
            check->points[check->checked / check->stride] = reference_here(check);
        input_fill(&check->spec, check->checked, part, &given);
        if (input)
            compare_input(check, &given, in + done * width, part);
        if (check->mode == MODE_INVERTED)
            invert(&given, part * width);
        if (check->mode == MODE_COPY || check->mode == MODE_INVERTED)
            compare_exact(check, &given, out + done * width, part);
        else if (check->mode == MODE_BOUNDED)
            compare_bounded(check, &given, out + done * width, part);
        else {
            op_scan_next(&check->scan, &given, &expected, part);
            compare_exact(check, &expected, out + done * width, part);
        }
        check->checked += part;
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

void reference_resume(reference *check, uint64_t index, const reference_point *before)
{
    check->checked = index;
    check->scan.carry = before->carry;
    check->sum = before->sum;
}

/* Is what it expects the scan that the table of operators makes? */
static bool scans(const reference *check)
{
    return check->mode == MODE_EXACT || check->mode == MODE_NAN;
}

void reference_pass(reference *check, const void *elements, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < PIECE ? count - done : PIECE;
        const unsigned char *from = (const unsigned char *)elements + done * width;
        piece ignored;
        if (check->mode == MODE_BOUNDED)
            compare_bounded(check, from, NULL, part);
        else if (scans(check))
            op_scan_next(&check->scan, from, &ignored, part);
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
        compare_bounded(check, element, output, 1);
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
    if (check->mode == MODE_NAN ||
        (check->mode == MODE_BOUNDED && check->spec.pattern == INPUT_FACTORS))
        return false;
    return check->mode != MODE_BOUNDED || (narrow && check->spec.n <= EXACT_SUMS);
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
