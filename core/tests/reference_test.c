/*
 * reference_test.c - right outputs pass, and each mistake seen in published scans is
 * caught where it happens
 */
#include "tap.h"

#include "problem/component.h"
#include "problem/guard.h"
#include "problem/names.h"
#include "problem/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define N ((size_t)5000)
#define TILE ((size_t)512)

typedef union array {
    int32_t i32[N];
    uint32_t u32[2 * N];
    uint64_t u64[N];
    float f32[2 * N];
    double f64[N];
    any_element any[N]; /* the largest */
} array;

typedef struct problem {
    input_spec spec;
    scan_kind kind;
    array x, y;
} problem;

/* left (+) right as the contract defines it, computed independently of the table of operators:
 * integers modulo 2^bits, floats rounded after each step. */
typedef struct number {
    uint64_t integer; /* modulo 2^64 */
    double real;
} number;

static number number_at(uint32_t dtype, const void *element, size_t i)
{
    const dtype_info *type = dtype_get(dtype);
    number x = {0};
    if (dtype_is_float(dtype))
        x.real = component_real(*type, element, i);
    else
        x.integer = component_integer(*type, element, i);
    return x;
}

static double rounded(uint32_t dtype, double real)
{
    return dtype_get(dtype)->bits == 32 ? (double)(float)real : real;
}

static number added(uint32_t dtype, number x, number y)
{
    return (number){x.integer + y.integer, rounded(dtype, x.real + y.real)};
}

static number multiplied(uint32_t dtype, number x, number y)
{
    return (number){x.integer * y.integer, rounded(dtype, x.real * y.real)};
}

static bool is_less(uint32_t dtype, number x, number y)
{
    if (dtype_is_float(dtype))
        return x.real < y.real;
    return dtype_get(dtype)->is_signed ? (int64_t)x.integer < (int64_t)y.integer
                                       : x.integer < y.integer;
}

__attribute__((noinline)) static any_element combine(const input_spec *spec, any_element left,
                                                     any_element right)
{
    const uint32_t dtype = spec->dtype;
    const dtype_info *type = dtype_get(dtype);
    number x[2] = {{0}}, y[2] = {{0}}, result[2] = {{0}};
    for (size_t i = 0; i < type->components && i < 2; i++) {
        x[i] = number_at(dtype, &left, i);
        y[i] = number_at(dtype, &right, i);
    }
    switch (spec->op) {
    case SCAN_OP_SUM:
        result[0] = added(dtype, x[0], y[0]);
        break;
    case SCAN_OP_MAX:
        result[0] = is_less(dtype, x[0], y[0]) ? y[0] : x[0];
        break;
    case SCAN_OP_MIN:
        result[0] = is_less(dtype, y[0], x[0]) ? y[0] : x[0];
        break;
    case SCAN_OP_AFFINE:
        result[0] = multiplied(dtype, x[0], y[0]);
        result[1] = added(dtype, multiplied(dtype, x[1], y[0]), y[1]);
        break;
    default:
        ok(0, "the operator %s is checked here", op_name(spec->op));
        exit(1);
    }
    any_element combined = element_of(dtype, 0, 0);
    for (size_t i = 0; i < type->components && i < 2; i++)
        component_set(*type, &combined, i, result[i].integer, result[i].real);
    return combined;
}

/* The same of sums of floats of 16 bits, which are held in f32. The sums of 5000 elements need no
 * rounding there. */
static void half_sums_from(problem *p, size_t first)
{
    const dtype_info *type = dtype_get(p->spec.dtype);
    const bool wide = type->digits == 11;
    const uint16_t *x = (const uint16_t *)(const void *)&p->x;
    float sum = 0;
    for (size_t k = 0; k < input_scan_n(&p->spec); k++) {
        const size_t i = first + k * input_inner(&p->spec);
        const float next = sum + (wide ? scan_f16_to_f32(x[i]) : scan_bf16_to_f32(x[i]));
        const float held = p->kind == SCAN_KIND_INCLUSIVE ? next : sum;
        const uint16_t word = wide ? scan_f16_from_f32(held) : scan_bf16_from_f32(held);
        memcpy((unsigned char *)&p->y + i * sizeof word, &word, sizeof word);
        sum = next;
    }
}

/* The scan whose first element is `first`. */
static void scan_from(problem *p, size_t first)
{
    const size_t width = dtype_bytes(p->spec.dtype), step = input_inner(&p->spec);
    any_element sum = op_identity(p->spec.op, p->spec.dtype), one = sum;
    if (dtype_is_half(p->spec.dtype) && p->spec.op == SCAN_OP_SUM) {
        half_sums_from(p, first);
        return;
    }
    for (size_t k = 0; k < input_scan_n(&p->spec); k++) {
        const size_t i = first + k * step;
        memcpy(&one, (unsigned char *)&p->x + i * width, width);
        const any_element next = combine(&p->spec, sum, one);
        memcpy((unsigned char *)&p->y + i * width, p->kind == SCAN_KIND_INCLUSIVE ? &next : &sum,
               width);
        sum = next;
    }
}

/* Scans of `scan_n` elements, `inner` of them side by side. */
static void prepare_rows(problem *p, uint32_t op, uint32_t dtype, uint32_t pattern, scan_kind kind,
                         uint64_t scan_n, uint64_t inner)
{
    p->spec = (input_spec){.dtype = dtype,
                           .op = op,
                           .pattern = pattern,
                           .seed = 3,
                           .n = N,
                           .position = N / 2,
                           .scan_n = scan_n,
                           .inner = inner};
    p->kind = kind;
    input_fill(&p->spec, 0, N, &p->x);
    for (size_t i = 0; i < N; i++)
        if (input_place_of(&p->spec, i).at == 0)
            scan_from(p, i);
}

static void prepare(problem *p, uint32_t op, uint32_t dtype, uint32_t pattern, scan_kind kind)
{
    prepare_rows(p, op, dtype, pattern, kind, 0, 0);
}

static reference check_in_chunks(const problem *p, uint64_t chunk, reference_rule rule)
{
    const size_t width = dtype_bytes(p->spec.dtype);
    const size_t out_width = dtype_bytes(input_result(&p->spec));
    const uint64_t n = p->spec.n;
    reference check;
    reference_begin(&check, &p->spec, p->kind, rule);
    if (reference_begin_columns(&check) != SCAN_OK)
        abort();
    for (uint64_t at = 0; at < n; at += chunk)
        reference_check(&check, (const unsigned char *)&p->x + at * width,
                        (const unsigned char *)&p->y + at * out_width,
                        n - at < chunk ? n - at : chunk);
    reference_end_columns(&check);
    return check;
}

static reference checked(const problem *p)
{
    return check_in_chunks(p, N, REFERENCE_SCAN);
}

/* For every defined problem, the right output passes, and a wrong last element is found. */
static void check_all(problem *p)
{
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++) {
            int right = 1, wrong = 1;
            for (uint32_t i = 0; i < INPUT_PATTERN_COUNT * SCAN_KIND_COUNT; i++) {
                if (!op_takes_dtype(op, dtype))
                    continue;
                prepare(p, op, dtype, i / SCAN_KIND_COUNT, (scan_kind)(i % SCAN_KIND_COUNT));
                reference check = checked(p);
                right &= reference_passed(&check) && check.checked == N;
                if (i / SCAN_KIND_COUNT == INPUT_NAN)
                    continue; /* check_nan */
                ((unsigned char *)&p->y)[N * dtype_bytes(dtype) - 1 - (dtype_bytes(dtype) > 1)] ^=
                    0x41;
                check = checked(p);
                wrong &= check.wrong == 1 && check.first_bad == N - 1 && !reference_passed(&check);
            }
            if (!op_takes_dtype(op, dtype))
                continue;
            ok(right, "%s of %s passes on every pattern", op_name(op), dtype_name(dtype));
            ok(wrong, "a wrong last %s of %s is caught", dtype_name(dtype), op_name(op));
        }
}

static void check_results(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_EXACT, SCAN_KIND_INCLUSIVE);
    char right[80];
    element_text(SCAN_DTYPE_I32, &p->y.i32[1023], right, sizeof right);
    p->y.i32[1023] = -7;
    p->y.i32[4000]++;
    static const uint64_t chunks[] = {1, 7, 1000, 1024, 1025, N};
    int same = 1;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        const reference check = check_in_chunks(p, chunks[i], REFERENCE_SCAN);
        same &= check.wrong == 2 && check.first_bad == 1023 && strcmp(check.got, "-7") == 0 &&
                strcmp(check.expected, right) == 0 && check.checked == N;
    }
    ok(same, "chunks of any length find the same two wrong elements, with what was expected");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    const reference one = check_in_chunks(p, N, REFERENCE_SCAN),
                    many = check_in_chunks(p, 17, REFERENCE_SCAN);
    ok(one.max_rel_error > 0 && one.max_rel_error == many.max_rel_error,
       "the error measured does not depend on the chunks");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_U64, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    reference check;
    reference_begin(&check, &p->spec, p->kind, REFERENCE_SCAN);
    reference_check(&check, NULL, &p->y, N - 1);
    ok(check.wrong == 0 && !reference_passed(&check), "an output not checked to the end fails");
    reference_check(&check, NULL, &p->y.u64[N - 1], 1);
    ok(reference_passed(&check), "and passes when it is");
    p->x.u64[77] ^= 1;
    p->x.u64[4999] ^= 1;
    check = checked(p);
    ok(check.wrong == 0 && check.input_changed == 2 && check.first_changed == 77,
       "a changed input is caught, at its first element");
    ok(!reference_passed(&check), "and does not pass, though the output is right");
    p->spec.n = 0;
    reference_begin(&check, &p->spec, p->kind, REFERENCE_SCAN);
    ok(reference_passed(&check), "no elements pass");
}

/* Mistakes of whole algorithms. */
static void check_traps(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    p->y.u32[0] = p->x.u32[0];
    for (size_t i = 1; i < N; i++)
        p->y.u32[i] = p->x.u32[i] + p->x.u32[i - 1];
    reference check = checked(p);
    ok(check.first_bad == 2 && check.wrong == N - 2, "x[i] + x[i-1] is not a scan");

    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_ONES, SCAN_KIND_INCLUSIVE);
    p->kind = SCAN_KIND_EXCLUSIVE;
    check = checked(p);
    ok(check.first_bad == 0 && check.wrong == N, "the other kind is wrong");
    is_text(check.got, "1", "the message has what was found");
    is_text(check.expected, "0", "and what was expected");
    ok(check.got_bits == 1 && check.expected_bits == 0, "also as bytes, 0 behind them");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    const uint32_t total = p->y.u32[2 * TILE] - p->y.u32[TILE];
    for (size_t i = 2 * TILE; i < N; i++)
        p->y.u32[i] -= total;
    check = checked(p);
    ok(check.first_bad == 2 * TILE && check.wrong == N - 2 * TILE,
       "a dropped tile total is caught where the next tile begins");

    prepare(p, SCAN_OP_MAX, SCAN_DTYPE_I32, INPUT_CLIMB, SCAN_KIND_EXCLUSIVE);
    for (size_t i = 0; i < N; i++)
        p->y.i32[i] = p->y.i32[i] < 0 ? 0 : p->y.i32[i];
    check = checked(p);
    ok(check.first_bad == 0 && check.wrong > N / 3, "0 as the identity of max is caught");

    prepare(p, SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    any_element sum = op_identity(SCAN_OP_AFFINE, SCAN_DTYPE_U32X2);
    for (size_t i = 0; i < N; i++) {
        const any_element one = {.U32X2 = {p->x.u32[2 * i], p->x.u32[2 * i + 1]}};
        sum = combine(&p->spec, one, sum);
        memcpy(&p->y.u32[2 * i], &sum, sizeof sum.U32X2);
    }
    check = checked(p);
    ok(check.first_bad == 1, "swapped operands are caught at the second element");
    memset(&p->y, 0xa5, sizeof p->y);
    check = checked(p);
    ok(check.wrong == N, "an output that was not written is wrong");
    prepare(p, SCAN_OP_MIN, SCAN_DTYPE_F64, INPUT_CLIMB, SCAN_KIND_INCLUSIVE);
    p->y.f64[9] = NAN;
    check = checked(p);
    ok(check.wrong == 1 && check.first_bad == 9, "NaN is wrong under min");
}

static void check_bound(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    reference check = checked(p);
    const double serial = check.max_rel_error;
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        p->y.f32[i] = (float)(sum += (double)p->x.f32[i]);
    check = checked(p);
    ok(reference_passed(&check) && check.max_rel_error <= 0x1p-24 && serial > 0x1p-24,
       "a sum in f64 measures half a unit in the last place, a serial one in f32 more");
    ok(check.max_ulps > 0.49 && check.max_ulps <= 0.5, "which is told in such units, too (%g)",
       check.max_ulps);
    const float good = p->y.f32[2000];
    p->y.f32[2000] = good * (1 + 1.5f * 2001 * 0x1p-24f);
    check = checked(p);
    ok(check.wrong == 1 && check.first_bad == 2000, "beyond the bound is wrong");
    ok(check.max_rel_error <= 0x1p-24, "and is not counted as an error of a right result");
    p->y.f32[2000] = good * (1 + 0.9f * 2001 * 0x1p-24f);
    check = checked(p);
    ok(reference_passed(&check), "within the bound is right");
    p->y.f32[2000] = NAN;
    p->y.f32[2001] = INFINITY;
    check = checked(p);
    ok(check.wrong == 2 && isfinite(check.max_rel_error), "NaN and infinity are wrong");
    is_text(check.got, "nan", "and shown as such");
    prepare(p, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    p->y.f32[200] *= -1;
    check = checked(p);
    ok(check.wrong == 1 && check.first_bad == 100, "the product of affine pairs is exact or wrong");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_EXACT, SCAN_KIND_EXCLUSIVE);
    p->y.f32[0] = -0.0f;
    check = checked(p);
    ok(reference_passed(&check), "-0 is 0");
    p->y.f32[1] = nextafterf(p->y.f32[1], INFINITY);
    check = checked(p);
    ok(check.wrong == 1 && check.first_bad == 1, "on exact inputs the last bit counts");
}

/* Sets an element of the output. Is it found to be wrong? */
static int is_wrong_with(problem *p, size_t at, float value)
{
    const float right = p->y.f32[at];
    p->y.f32[at] = value;
    const reference check = checked(p);
    p->y.f32[at] = right;
    return check.wrong == 1;
}

static void check_nan(problem *p)
{
    enum { AT = N / 2, LATER = N - 7, PAIR = 2 * LATER };
    float unwritten;
    memset(&unwritten, (int)POISON_BYTE, sizeof unwritten);
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_NAN, SCAN_KIND_EXCLUSIVE);
    ok(is_wrong_with(p, AT, NAN), "a sum that is NaN before it is due is wrong");
    ok(is_wrong_with(p, AT + 1, 0) && is_wrong_with(p, LATER, INFINITY), "as is one that is not");
    ok(is_wrong_with(p, LATER, unwritten), "and one that nobody wrote");
    prepare(p, SCAN_OP_MAX, SCAN_DTYPE_F32, INPUT_NAN, SCAN_KIND_INCLUSIVE);
    const float most = p->y.f32[LATER];
    ok(!is_wrong_with(p, AT, NAN) && !is_wrong_with(p, LATER, NAN) &&
           !is_wrong_with(p, LATER, most - 1),
       "a maximum may be NaN, or leave out numbers, behind one");
    ok(is_wrong_with(p, AT - 1, NAN) && is_wrong_with(p, LATER, most + 1),
       "but not before, nor be more");
    prepare(p, SCAN_OP_MIN, SCAN_DTYPE_F32, INPUT_NAN, SCAN_KIND_INCLUSIVE);
    ok(is_wrong_with(p, LATER, p->y.f32[LATER] - 1) && !is_wrong_with(p, LATER, NAN),
       "a minimum may not be less");
    prepare(p, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_NAN, SCAN_KIND_INCLUSIVE);
    ok(is_wrong_with(p, PAIR, 2 * p->y.f32[PAIR]) && is_wrong_with(p, PAIR + 1, 0),
       "of a pair b is NaN, and a is not");
}

/* Sums of f64 that are rounded once, and the error of that in ulps, from sums of integers: random
 * elements are multiples of 2^-53 below 1, so those of 2^11 - 1 fit into 64 bits. */
static double round_once(problem *p)
{
    uint64_t sum = 0;
    double worst = 0;
    for (size_t i = 0; i < p->spec.n; i++) {
        sum += (uint64_t)(p->x.f64[i] * 0x1p53);
        const double nearest = (double)sum;
        const double error = fabs((double)(int64_t)(sum - (uint64_t)nearest));
        int exponent;
        frexp((double)(sum & ~(sum >> 53)), &exponent); /* of the sum, not of what it rounds to */
        worst = fmax(worst, ldexp(error, 53 - exponent));
        p->y.f64[i] = nearest * 0x1p-53;
    }
    return worst;
}

static void check_ulps(problem *p)
{
    enum { AT = 2000 };
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F64, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    p->spec.n = (1u << 11) - 1;
    const double exact = round_once(p);
    reference check = checked(p);
    ok(exact > 0.49 && exact <= 0.5 && check.max_ulps == exact,
       "sums of f64 that are rounded once are within half a unit in the last place (%.17g, %.17g)",
       check.max_ulps, exact);
    const double right = p->y.f64[AT];
    p->y.f64[AT] = nextafter(nextafter(nextafter(right, 2 * right), 2 * right), 2 * right);
    check = checked(p);
    ok(check.max_ulps >= 2.5 && check.max_ulps <= 3.5, "and three numbers further by three (%g)",
       check.max_ulps);
    check = check_in_chunks(p, N, REFERENCE_ACCURATE);
    ok(check.wrong == 1 && check.first_bad == AT && check.inaccurate && check.max_ulps == exact,
       "which is wrong where one ulp is promised, while the others are right");
    p->y.f64[AT] = 2 * right;
    check = check_in_chunks(p, N, REFERENCE_ACCURATE);
    ok(check.wrong == 1 && !check.inaccurate, "what is beyond the bound is no matter of accuracy");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F64, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    const reference one = check_in_chunks(p, N, REFERENCE_SCAN),
                    many = check_in_chunks(p, 17, REFERENCE_SCAN);
    ok(one.max_ulps > 1 && one.max_ulps == many.max_ulps, "whatever the chunks");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F64, INPUT_EXACT, SCAN_KIND_INCLUSIVE);
    ok(checked(p).max_ulps == 0, "exact sums have no error");
}

/* The index of the first sum that is at least so large. */
static size_t first_from(const problem *p, double least)
{
    size_t i = 0;
    while (p->y.f64[i] < least)
        i++;
    return i;
}

/* Errors of 5 units of the last place just below a power of two, and of 4 above the one before it
 * or itself: each of the two figures is largest at another one. */
static void check_both_figures(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F64, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    p->spec.n = (1u << 11) - 1;
    for (int power_first = 0; power_first < 2; power_first++) {
        round_once(p);
        const size_t above = first_from(p, 512), below = first_from(p, power_first ? 1000 : 500);
        p->y.f64[above] += 4 * 512 * DBL_EPSILON;
        p->y.f64[below] += 5 * (power_first ? 512 : 256) * DBL_EPSILON;
        const reference check = check_in_chunks(p, N, REFERENCE_SCAN);
        ok(check.max_ulps > 4.5 && check.max_rel_error > 3.4 * DBL_EPSILON,
           "the largest of both figures is found, whichever comes %s (%g, %g)",
           power_first ? "last" : "first", check.max_ulps, check.max_rel_error / DBL_EPSILON);
    }
    prepare_rows(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_INCLUSIVE, 1000, 0);
    p->y.f32[999] *= 1 + 900 * 0x1p-24f;
    p->y.f32[1001] *= 1 + 10 * 0x1p-24f;
    const reference check = checked(p);
    ok(check.wrong == 1 && check.first_bad == 1001,
       "what is right at the end of a row is wrong at the beginning of the next one");
}

/* The scan of pairs from totals of tiles, another association than the serial one. */
static void scan_in_tiles(problem *p)
{
    any_element before = op_identity(p->spec.op, p->spec.dtype);
    for (size_t first = 0; first < N; first += TILE) {
        any_element sum = op_identity(p->spec.op, p->spec.dtype), one = sum;
        for (size_t i = first; i < N && i < first + TILE; i++) {
            memcpy(&one, &p->x.f32[2 * i], 2 * sizeof(float));
            sum = combine(&p->spec, sum, one);
            const any_element next = combine(&p->spec, before, sum);
            memcpy(&p->y.f32[2 * i], &next, 2 * sizeof(float));
        }
        before = combine(&p->spec, before, sum);
    }
}

static void check_factors(problem *p)
{
    enum { AT = 300, A = 2 * AT, B = A + 1 };
    const float unit = (AT + 1) * 0x1p-24f;
    prepare(p, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_FACTORS, SCAN_KIND_INCLUSIVE);
    scan_in_tiles(p);
    const reference check = checked(p);
    ok(reference_passed(&check) && check.max_rel_error > 0,
       "pairs with general factors pass in another association");
    const float a = p->y.f32[A], b = p->y.f32[B];
    ok(!is_wrong_with(p, A, a * (1 + 0.8f * unit)) && !is_wrong_with(p, B, b * (1 + 1.8f * unit)),
       "an error within the bound is right");
    ok(is_wrong_with(p, A, a * (1 + 1.2f * unit)) && is_wrong_with(p, B, b * (1 + 2.2f * unit)),
       "beyond it a is wrong, and so is b");
    ok(is_wrong_with(p, A, NAN) && is_wrong_with(p, B, NAN), "NaN is wrong");
}

/* A serial f32 sum stops at 2^24. That is inaccurate, but it is what this order gives. */
static void check_saturated(void)
{
    static float y[1u << 12];
    const uint64_t n = (UINT64_C(1) << 24) + (1u << 14);
    const input_spec spec = {
        .dtype = SCAN_DTYPE_F32, .op = SCAN_OP_SUM, .pattern = INPUT_ONES, .n = n};
    float sum = 0;
    reference check;
    reference_begin(&check, &spec, SCAN_KIND_INCLUSIVE, REFERENCE_SCAN);
    for (uint64_t at = 0; at < n; at += 1u << 12) {
        for (size_t i = 0; i < 1u << 12; i++)
            y[i] = sum += 1;
        reference_check(&check, NULL, y, 1u << 12);
    }
    ok(reference_passed(&check) && check.max_rel_error > 0.0009 && check.max_rel_error < 0.001,
       "an f32 sum of ones beyond 2^24 passes with the error it has (%g)", check.max_rel_error);
    ok(check.max_ulps == 1u << 13, "2^14, where f32 counts in steps of 2 (%g)", check.max_ulps);
    reference_begin(&check, &spec, SCAN_KIND_INCLUSIVE, REFERENCE_SCAN);
    memset(y, 0, sizeof y);
    reference_check(&check, NULL, y, 1u << 12);
    ok(check.wrong == 1u << 12, "an f32 sum of ones that stays 0 does not");
}

/* From what is known at element `start`, is the output at `index` right, and one with another bit
 * wrong? */
static bool resumes(const problem *p, uint64_t start, uint64_t index, reference_rule rule)
{
    const size_t width = dtype_bytes(p->spec.dtype);
    const unsigned char *x = (const unsigned char *)&p->x, *y = (const unsigned char *)&p->y;
    reference first, check;
    any_element other;
    reference_begin(&first, &p->spec, p->kind, rule);
    reference_pass(&first, x, (size_t)start);
    const reference_point before = reference_here(&first);
    bool good = true;
    for (int changed = 0; changed < 2; changed++) {
        reference_begin(&check, &p->spec, p->kind, rule);
        reference_resume(&check, start, &before);
        reference_pass(&check, x + start * width, (size_t)(index - start));
        memcpy(&other, y + index * width, width);
        ((unsigned char *)&other)[width - 1 - (width > 1)] ^= changed ? 0x41 : 0;
        const any_element expected = reference_check_one(&check, x + index * width, &other);
        good &= check.wrong == (uint64_t)changed && check.checked == index + 1 &&
                (!changed || check.first_bad == index);
        good &=
            !input_is_exact(&p->spec) || element_same(p->spec.dtype, &expected, y + index * width);
    }
    return good;
}

static void check_single(problem *p)
{
    bool good = true;
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            for (uint32_t kind = 0; kind < SCAN_KIND_COUNT && op_takes_dtype(op, dtype); kind++) {
                prepare(p, op, dtype, input_default(op), (scan_kind)kind);
                good &= resumes(p, 4096, 4096, REFERENCE_SCAN) &&
                        resumes(p, 4096, 4821, REFERENCE_SCAN) &&
                        resumes(p, 0, 2000, REFERENCE_SCAN);
            }
    ok(good, "single elements are compared from a prefix on");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    memcpy(&p->y, &p->x, sizeof p->y);
    ok(resumes(p, 4096, 4999, REFERENCE_COPY), "as are those of a copy");
}

static bool same_sum(const reference_sum *a, const reference_sum *b)
{
    return a->sum == b->sum && a->residue == b->residue && a->sign == b->sign &&
           a->total == b->total;
}

enum { STRIDE = 1024 };

/* Is what is kept before the element at `place` what passing over its scan alone leaves? */
static bool point_agrees(const problem *p, const reference_point *points, input_place place)
{
    const size_t width = dtype_bytes(p->spec.dtype);
    input_spec alone = p->spec;
    reference passed;
    alone.n = alone.scan_n = input_scan_n(&p->spec);
    alone.inner = 1;
    reference_begin(&passed, &alone, p->kind, REFERENCE_SCAN);
    for (uint64_t i = 0; i < place.at; i++) {
        const input_place there = {place.row, place.column, i};
        reference_pass(&passed,
                       (const unsigned char *)&p->x + input_index_of(&p->spec, there) * width, 1);
    }
    const reference_point here = reference_here(&passed),
                          *kept = &points[reference_point_of(&p->spec, STRIDE, place)];
    return element_same(p->spec.dtype, &kept->carry, &here.carry) &&
           same_sum(&kept->sum, &here.sum);
}

/* Looks at each point that a comparison in chunks, which no stride divides, leaves. */
static bool leaves_points(problem *p)
{
    const size_t width = dtype_bytes(p->spec.dtype);
    const unsigned char *x = (const unsigned char *)&p->x, *y = (const unsigned char *)&p->y;
    reference_point points[N / STRIDE + 1];
    reference check;
    uint64_t seen = 0;
    reference_begin(&check, &p->spec, p->kind, REFERENCE_SCAN);
    bool good = reference_begin_columns(&check) == SCAN_OK;
    reference_keep(&check, points, STRIDE);
    for (size_t at = 0; good && at < N; at += 777)
        reference_check(&check, x + at * width, y + at * width, N - at < 777 ? N - at : 777);
    good &= reference_passed(&check);
    reference_end_columns(&check);
    for (size_t i = 0; good && i < N; i++) {
        const input_place place = input_place_of(&p->spec, i);
        if (place.at > 0 && place.at % STRIDE == 0) {
            good = point_agrees(p, points, place);
            seen++;
        }
    }
    return good && seen > 0 && seen == reference_points(&p->spec, STRIDE);
}

static void check_points(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_U64, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    ok(leaves_points(p), "a comparison leaves the prefixes of integers");
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    ok(leaves_points(p), "and the sums of floats");
    prepare_rows(p, SCAN_OP_MAX, SCAN_DTYPE_I32, INPUT_CLIMB, SCAN_KIND_EXCLUSIVE, 1250, 1);
    ok(leaves_points(p), "in rows");
    prepare_rows(p, SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, INPUT_RANDOM, SCAN_KIND_INCLUSIVE, 1250, 2);
    ok(leaves_points(p), "in scans side by side");
    prepare_rows(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_INCLUSIVE, 1250, 4);
    ok(leaves_points(p), "and in those of floats");
}

/* ---- rows -------------------------------------------------------------------- */

/* Lengths and numbers side by side that divide N. */
static const uint64_t shapes[][2] = {{1, 1},  {8, 1}, {625, 1},  {1250, 1}, {2500, 1}, {1, 5},
                                     {2, 50}, {8, 5}, {1250, 4}, {5, 1000}, {2, 2500}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Is it wrong as the next element of its scan, or within the bound of what is wrong? */
static bool finds_last_wrong(problem *p)
{
    const size_t width = dtype_bytes(p->spec.dtype), at = N - 1;
    unsigned char *last = (unsigned char *)&p->y + at * width + width - 1 - (width > 1);
    *last ^= 0x41;
    const reference check = check_in_chunks(p, 777, REFERENCE_SCAN);
    *last ^= 0x41;
    return check.wrong == 1 && check.first_bad == at;
}

static bool rows_agree(problem *p, uint32_t op, uint32_t dtype, uint32_t pattern)
{
    bool good = true;
    for (size_t i = 0; i < SHAPES; i++) {
        prepare_rows(p, op, dtype, pattern, (scan_kind)(i % 2), shapes[i][0], shapes[i][1]);
        reference check = check_in_chunks(p, 777, REFERENCE_SCAN);
        good &= reference_passed(&check) && (pattern == INPUT_NAN || finds_last_wrong(p));
        if (!good)
            printf("# %s %s %s: row %d, inner %d\n", op_name(op), dtype_name(dtype),
                   pattern_name(pattern), (int)shapes[i][0], (int)shapes[i][1]);
    }
    return good;
}

/* ---- results wider than the input ---- */

/* An element of p->x as one of the result, computed independently of dtype_widen. */
static any_element widened(const problem *p, size_t i)
{
    const uint32_t to = input_result(&p->spec);
    const number x = number_at(p->spec.dtype, &p->x, i);
    any_element element = element_of(to, 0, 0);
    component_set(*dtype_get(to), &element, 0, x.integer, x.real);
    return element;
}

static void prepare_wide(problem *p, uint32_t op, uint32_t dtype, uint32_t to, uint32_t pattern,
                         scan_kind kind)
{
    prepare(p, op, dtype, pattern, kind);
    p->spec.result = RESULT_OF(to);
    input_fill(&p->spec, 0, N, &p->x); /* which may depend on the result */
    const input_spec as_result = {.dtype = to, .op = op};
    any_element sum = op_identity(op, to);
    for (size_t i = 0; i < N; i++) {
        const any_element next = combine(&as_result, sum, widened(p, i));
        memcpy((unsigned char *)&p->y + i * dtype_bytes(to),
               kind == SCAN_KIND_INCLUSIVE ? &next : &sum, dtype_bytes(to));
        sum = next;
    }
}

/* Do right results pass in chunks, as a copy too, and is a wrong last one found? */
static bool wide_agrees(problem *p, uint32_t op, uint32_t dtype, uint32_t to)
{
    bool good = true;
    for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++) {
        prepare_wide(p, op, dtype, to, pattern, (scan_kind)(pattern % 2));
        reference check = check_in_chunks(p, 777, REFERENCE_SCAN);
        good &= reference_passed(&check) && check.max_rel_error == 0;
        unsigned char *last = (unsigned char *)&p->y + N * dtype_bytes(to) - 2;
        *last ^= 0x41;
        check = check_in_chunks(p, 777, REFERENCE_SCAN);
        good &= pattern == INPUT_NAN || (check.wrong == 1 && check.first_bad == N - 1);
        if (!good)
            printf("# %s %s -> %s %s\n", op_name(op), dtype_name(dtype), dtype_name(to),
                   pattern_name(pattern));
    }
    for (size_t i = 0; i < N; i++) {
        const any_element element = widened(p, i);
        memcpy((unsigned char *)&p->y + i * dtype_bytes(to), &element, dtype_bytes(to));
    }
    reference check = check_in_chunks(p, 777, REFERENCE_COPY);
    return good && reference_passed(&check);
}

/* Sums kept in the type of the input until the end, as an accumulator of its width does. */
static bool narrow_sums_are_seen(problem *p, uint32_t dtype, uint32_t to)
{
    const input_spec wide = {.dtype = dtype, .result = RESULT_OF(to)};
    const uint32_t pattern = input_spread_bits(&wide) ? INPUT_EXACT : INPUT_RANDOM;
    prepare(p, SCAN_OP_SUM, dtype, pattern, SCAN_KIND_INCLUSIVE);
    array narrow = p->y;
    p->spec.result = RESULT_OF(to);
    for (size_t i = 0; i < N; i++) {
        const number sum = number_at(dtype, &narrow, i);
        component_set(*dtype_get(to), &p->y, i, sum.integer, sum.real);
    }
    const reference check = check_in_chunks(p, N, REFERENCE_SCAN);
    return check.wrong > N / 4 && check.first_bad < 100;
}

static void check_wide(problem *p)
{
    static const uint32_t none[] = {SCAN_DTYPE_I64, SCAN_DTYPE_U64, SCAN_DTYPE_F64,
                                    SCAN_DTYPE_U32X2, SCAN_DTYPE_F32X2};
    bool good = true, seen = true, lacks = true;
    size_t pairs = 0;
    for (uint32_t from = 0; from < SCAN_DTYPE_COUNT; from++)
        for (uint32_t to = 0; to < SCAN_DTYPE_COUNT; to++) {
            if (!dtype_widens(from, to))
                continue;
            pairs++;
            for (uint32_t op = SCAN_OP_SUM; op <= SCAN_OP_MIN; op++)
                good &= wide_agrees(p, op, from, to);
            seen &= narrow_sums_are_seen(p, from, to);
        }
    ok(good && pairs >= 13,
       "results of each wider type pass, exact, and a wrong last one is found");
    ok(seen, "sums that are kept in the type of the input are wrong");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        lacks &= dtype_wide_result(none[i]) == 0;
    ok(lacks && dtype_wide_result(SCAN_DTYPE_I8) == RESULT_OF(SCAN_DTYPE_I32) &&
           dtype_wide_result(SCAN_DTYPE_U32) == RESULT_OF(SCAN_DTYPE_U64),
       "each type has the wide result that is meant, or none");
}

/* A scan of all elements as one, and one of each element for itself, are wrong. */
static bool leaks_are_seen(problem *p, uint32_t op, uint32_t dtype, uint64_t scan_n, uint64_t inner)
{
    prepare_rows(p, op, dtype, input_default(op) == INPUT_CLIMB ? INPUT_CLIMB : INPUT_EXACT,
                 SCAN_KIND_INCLUSIVE, scan_n, inner);
    const input_spec spec = p->spec;
    p->spec.scan_n = p->spec.inner = 0;
    scan_from(p, 0);
    p->spec = spec;
    const reference check = check_in_chunks(p, N, REFERENCE_SCAN);
    return check.wrong > N / 4 && (inner > 1 || check.first_bad == scan_n);
}

static void check_rows(problem *p)
{
    bool good = true, seen = true;
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT && op_takes_dtype(op, dtype);
                 pattern++)
                good &= rows_agree(p, op, dtype, pattern);
    ok(good, "scans in rows and side by side pass, and a wrong last element is found");
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            seen &= !op_takes_dtype(op, dtype) ||
                    (leaks_are_seen(p, op, dtype, 8, 1) && leaks_are_seen(p, op, dtype, 1250, 1) &&
                     leaks_are_seen(p, op, dtype, 50, 4));
    ok(seen, "what leaks from one scan into the next is found where it does");
}

static void check_copy(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    memcpy(&p->y, &p->x, sizeof p->y);
    reference check = check_in_chunks(p, 1000, REFERENCE_COPY);
    ok(reference_passed(&check), "a copy passes as a copy");
    check = check_in_chunks(p, 1000, REFERENCE_SCAN);
    ok(!reference_passed(&check) && check.first_bad == 0, "but not as a scan");
    p->y.u32[4321]++;
    check = check_in_chunks(p, 1000, REFERENCE_COPY);
    ok(check.wrong == 1 && check.first_bad == 4321, "one changed bit of a copy is caught");
}

/* Floats too, of which many are no numbers when they are inverted, and no two of those are equal.
 */
static void check_inverted(problem *p)
{
    prepare(p, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_EXACT, SCAN_KIND_EXCLUSIVE);
    for (uint64_t i = 0; i < N; i++)
        p->y.u32[i] = ~p->x.u32[i];
    reference check = check_in_chunks(p, 1000, REFERENCE_INVERTED);
    ok(reference_passed(&check), "inverted bits pass as inverted");
    ok(resumes(p, 4096, 4999, REFERENCE_INVERTED), "as do those of a single element");
    p->y.u32[4321] ^= 1;
    check = check_in_chunks(p, 1000, REFERENCE_INVERTED);
    ok(check.wrong == 1 && check.first_bad == 4321, "one bit that is not inverted is caught");
    memcpy(&p->y, &p->x, sizeof p->y);
    check = check_in_chunks(p, 1000, REFERENCE_INVERTED);
    ok(check.wrong == N, "a pass that does nothing is wrong everywhere");
}

int main(void)
{
    static problem p;
    int defined = 0;
    for (uint32_t i = 0; i < SCAN_OP_COUNT * SCAN_DTYPE_COUNT; i++)
        defined += op_takes_dtype(i / SCAN_DTYPE_COUNT, i % SCAN_DTYPE_COUNT);
    tap_plan(69 + 2 * defined);
    check_all(&p);
    check_results(&p);
    check_traps(&p);
    check_bound(&p);
    check_ulps(&p);
    check_both_figures(&p);
    check_nan(&p);
    check_factors(&p);
    check_saturated();
    check_copy(&p);
    check_inverted(&p);
    check_single(&p);
    check_points(&p);
    check_rows(&p);
    check_wide(&p);
    return tap_done();
}
