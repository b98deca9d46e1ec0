/*
 * reference.c - the input made again, scanned one element after the other, and
 * compared
 *
 * The exact way adds in the dtype itself and compares whole pieces of memory; only
 * a piece that differs is looked at element by element. The bounded way sums in
 * f64 with the rounding error of each addition kept beside it (two-sum: Knuth, The
 * Art of Computer Programming 2, 4.2.2).
 */
#include "problem/reference.h"

#include "problem/element.h"
#include "problem/guard.h"
#include "problem/names.h"

#include <math.h>
#include <string.h>

#define PIECE 1024u /* elements: two pieces stay in the first-level cache */

enum { MODE_EXACT, MODE_BOUNDED, MODE_COPY };

typedef union piece {
    uint32_t u32[2 * PIECE];
    uint64_t u64[PIECE];
    float f32[2 * PIECE];
    double f64[PIECE];
} piece;

static void note_wrong(reference *check, uint64_t index, const void *got, const void *expected)
{
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

typedef void prefix(uint64_t *carry, const void *in, void *out, size_t count, bool inclusive);

#define PREFIX(name, type, combine)                                                            \
    static void name(uint64_t *carry, const void *in, void *out, size_t count, bool inclusive) \
    {                                                                                          \
        const type *x = in;                                                                    \
        type *y = out;                                                                         \
        type sum;                                                                              \
        memcpy(&sum, carry, sizeof sum);                                                       \
        for (size_t i = 0; i < count; i++) {                                                   \
            const type before = sum;                                                           \
            sum = combine;                                                                     \
            y[i] = inclusive ? sum : before;                                                   \
        }                                                                                      \
        memcpy(carry, &sum, sizeof sum);                                                       \
    }

typedef struct pair_u32 {
    uint32_t a, b;
} pair_u32;

typedef struct pair_f32 {
    float a, b;
} pair_f32;

static pair_u32 join_u32(pair_u32 left, pair_u32 right)
{
    return (pair_u32){left.a * right.a, left.b * right.a + right.b};
}

static pair_f32 join_f32(pair_f32 left, pair_f32 right)
{
    return (pair_f32){left.a * right.a, left.b * right.a + right.b};
}

PREFIX(sum_u32, uint32_t, sum + x[i])
PREFIX(sum_u64, uint64_t, sum + x[i])
PREFIX(sum_f32, float, sum + x[i])
PREFIX(sum_f64, double, sum + x[i])
PREFIX(affine_u32, pair_u32, join_u32(sum, x[i]))
PREFIX(affine_f32, pair_f32, join_f32(sum, x[i]))
#define PREFIX_LIMITS(word, type)                     \
    PREFIX(max_##word, type, sum < x[i] ? x[i] : sum) \
    PREFIX(min_##word, type, x[i] < sum ? x[i] : sum)
PREFIX_LIMITS(i32, int32_t)
PREFIX_LIMITS(u32, uint32_t)
PREFIX_LIMITS(i64, int64_t)
PREFIX_LIMITS(u64, uint64_t)
PREFIX_LIMITS(f32, float)
PREFIX_LIMITS(f64, double)

/* By op and dtype, in the order of the contract. */
static prefix *const prefixes[SCAN_OP_COUNT][SCAN_DTYPE_COUNT] = {
    {sum_u32, sum_u32, sum_u64, sum_u64, sum_f32, sum_f64, NULL, NULL},
    {max_i32, max_u32, max_i64, max_u64, max_f32, max_f64, NULL, NULL},
    {min_i32, min_u32, min_i64, min_u64, min_f32, min_f64, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, affine_u32, affine_f32},
};

/* By value, so that -0 is 0 and NaN is nothing. */
static bool same_element(uint32_t dtype, const void *got, const void *expected)
{
    element left = {.u64 = 0}, right = {.u64 = 0};
    memcpy(&left, got, dtype_bytes(dtype));
    memcpy(&right, expected, dtype_bytes(dtype));
    switch (dtype) {
    case SCAN_DTYPE_F32:
        return left.f32[0] == right.f32[0];
    case SCAN_DTYPE_F64:
        return left.f64 == right.f64;
    case SCAN_DTYPE_F32X2:
        return left.f32[0] == right.f32[0] && left.f32[1] == right.f32[1];
    default:
        return left.u64 == right.u64;
    }
}

static void compare_exact(reference *check, const void *expected, const void *output, size_t count)
{
    const size_t width = dtype_bytes(check->spec.dtype);
    const unsigned char *want = expected, *got = output;
    if (memcmp(want, got, count * width) == 0)
        return;
    for (size_t i = 0; i < count; i++, want += width, got += width)
        if (!same_element(check->spec.dtype, got, want))
            note_wrong(check, check->checked + i, got, want);
}

/* ---- bounded ------------------------------------------------------------- */

/* The prefix so far is sum + residue; sign and total as in the header. */
typedef struct running {
    double sum, residue, sign, total;
} running;

static inline void running_add(running *prefix_p, double a, double b)
{
    const double old = prefix_p->sum * a;
    const double sum = old + b;
    const double added = sum - old;
    prefix_p->residue = prefix_p->residue * a + ((old - (sum - added)) + (b - added));
    prefix_p->sum = sum;
    prefix_p->sign *= a;
    prefix_p->total += fabs(b);
}

/* Is `got` within the bound of m additions? NaN compares false and is not. */
static inline bool running_admits(const running *prefix_p, double mu, double got,
                                  double *max_rel_error)
{
    const double error = fabs((got - prefix_p->sum) - prefix_p->residue);
    if (!(mu < 0.5 ? error * (1 - mu) <= mu * prefix_p->total : error <= prefix_p->total))
        return false;
    if (error > *max_rel_error * prefix_p->total)
        *max_rel_error = error / prefix_p->total;
    return true;
}

#define BOUNDED(name, type, unit, step, A, B, good_a)                                    \
    static void name(reference *check, const void *in, const void *out, size_t count)    \
    {                                                                                    \
        const type *x = in;                                                              \
        const type *y = out;                                                             \
        const bool inclusive = check->kind == SCAN_KIND_INCLUSIVE;                       \
        const double first = (double)check->checked + 1;                                 \
        running sum = {check->sum, check->residue, check->sign, check->total};           \
        double max_rel_error = check->max_rel_error;                                     \
        for (size_t i = 0; i < count; i++) {                                             \
            running want = sum;                                                          \
            running_add(&sum, A(x, i), B(x, i));                                         \
            if (inclusive)                                                               \
                want = sum;                                                              \
            const double mu = (first + (double)(int64_t)i) * unit;                       \
            if (!(good_a) || !running_admits(&want, mu, B(y, i), &max_rel_error)) {      \
                const double value = want.sum + want.residue;                            \
                const element expected =                                                 \
                    element_of(check->spec.dtype, step == 2 ? want.sign : value, value); \
                note_wrong(check, check->checked + i, y + step * i, &expected);          \
            }                                                                            \
        }                                                                                \
        check->sum = sum.sum, check->residue = sum.residue;                              \
        check->sign = sum.sign, check->total = sum.total;                                \
        check->max_rel_error = max_rel_error;                                            \
    }

#define ONE(x, i) 1.0
#define SCALAR(x, i) (double)(x)[i]
#define PAIR_A(x, i) (double)(x)[2 * (i)]
#define PAIR_B(x, i) (double)(x)[2 * (i) + 1]
BOUNDED(bounded_f32, float, 0x1p-24, 1, ONE, SCALAR, true)
BOUNDED(bounded_f64, double, 0x1p-53, 1, ONE, SCALAR, true)
BOUNDED(bounded_f32x2, float, 0x1p-24, 2, PAIR_A, PAIR_B, PAIR_A(y, i) == want.sign)

static void compare_bounded(reference *check, const void *in, const void *out, size_t count)
{
    if (check->spec.dtype == SCAN_DTYPE_F32)
        bounded_f32(check, in, out, count);
    else if (check->spec.dtype == SCAN_DTYPE_F64)
        bounded_f64(check, in, out, count);
    else
        bounded_f32x2(check, in, out, count);
}

/* ---- both ---------------------------------------------------------------- */

void reference_begin(reference *check, const input_spec *spec, scan_kind kind, bool copy)
{
    const bool known = op_takes_dtype(spec->op, spec->dtype);
    memset(check, 0, sizeof *check);
    check->spec = *spec;
    check->kind = kind;
    check->mode = copy || !known ? MODE_COPY : input_is_exact(spec) ? MODE_EXACT : MODE_BOUNDED;
    check->carry = element_identity(spec->op, spec->dtype).u64;
    check->sign = 1;
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
    const bool inclusive = check->kind == SCAN_KIND_INCLUSIVE;
    const unsigned char *in = input, *out = output;
    for (uint64_t done = 0; done < count;) {
        const size_t part = count - done < PIECE ? (size_t)(count - done) : PIECE;
        piece given, expected;
        input_fill(&check->spec, check->checked, part, &given);
        if (input)
            compare_input(check, &given, in + done * width, part);
        if (check->mode == MODE_COPY)
            compare_exact(check, &given, out + done * width, part);
        else if (check->mode == MODE_BOUNDED)
            compare_bounded(check, &given, out + done * width, part);
        else {
            prefixes[check->spec.op][check->spec.dtype](&check->carry, &given, &expected, part,
                                                        inclusive);
            compare_exact(check, &expected, out + done * width, part);
        }
        check->checked += part;
        done += part;
    }
}

bool reference_passed(const reference *check)
{
    return check->checked == check->spec.n && check->wrong == 0 && check->input_changed == 0;
}
