/*
 * reference_bounded.c - compares float sums with a sum in f64, within the bound of reference.h
 *
 * The rounding error of each addition is kept beside the sum (two-sum: Knuth, The Art of Computer
 * Programming 2, 4.2.2), and every PIECE elements the two are settled: added, with the rounding
 * error of that for the new residue.
 *
 * How far is sum + residue from the exact sum? With u = 2^-53 and S = sum of |x[k]|, two-sum and
 * settling are exact: |sum| <= (1 + ...) S and each error that is added to the residue is at most
 * u*S. Only adding it rounds. Settled, the residue is at most u*S, after PIECE more elements
 * (PIECE + 1)*u*S, and so each addition to it rounds by at most (PIECE + 1)*u*u*S. After m elements
 * these make m*(PIECE + 1)*u*u*S < 2^-42.9 * m * u*S, and u*S is less than one ulp of S in f64,
 * 2^-29 of one in f32. Random inputs are multiples of 2^-53 (f32: 2^-24) below 1, and so are the
 * residues: while these are below 1 (2^29), and they are for m < 2^43, nothing is rounded.
 */
#include "problem/reference_private.h"

#include "problem/component.h"

#include <float.h>
#include <math.h>
#include <string.h>

static inline void sum_add(reference_sum *prefix_p, double a, double b)
{
    const double old = prefix_p->sum * a;
    const double sum = old + b;
    const double added = sum - old;
    prefix_p->residue = prefix_p->residue * a + ((old - (sum - added)) + (b - added));
    prefix_p->sum = sum;
    prefix_p->sign *= a;
    prefix_p->total = prefix_p->total * fabs(a) + fabs(b);
}

/* Makes the residue what `sum` lacks of the nearest f64. The value stays. */
static inline void sum_settle(reference_sum *prefix_p)
{
    const double sum = prefix_p->sum + prefix_p->residue;
    const double added = sum - prefix_p->sum;
    prefix_p->residue = (prefix_p->sum - (sum - added)) + (prefix_p->residue - added);
    prefix_p->sum = sum;
}

/* The power of two at or below |value|; 0 below the normal numbers of f64. */
static inline double power_below(double value)
{
    const uint64_t exponent = UINT64_C(0x7ff) << (DBL_MANT_DIG - 1);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= exponent;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Is the error within mu/(1 - mu) of `size`? NaN compares false and is not. */
static inline bool is_within(double error, double mu, double size)
{
    return mu < 0.5 ? error * (1 - mu) <= mu * size : error <= size;
}

/* The largest errors of outputs that are right. */
typedef struct worst {
    double most_ulps; /* of a right one */
    double rel_error, ulps;
    double per_power; /* ulps of the value 1: the error is larger where this times the power of two
                         below the value is less */
    double least_mu;  /* of the elements in hand, and 1 at most: an error within it is right */
    double plain;     /* the lesser one of that and of rel_error */
} worst;

/* What the type's numbers near 1 are apart. */
FOR_EACH_DTYPE double epsilon(dtype_info type)
{
    return type.bits == 32 ? FLT_EPSILON : DBL_EPSILON;
}

/* Takes an error that may be the largest in units of the last place of a value. Is it right? */
FOR_EACH_DTYPE bool note_ulps(dtype_info type, double power, double error, worst *worst_p)
{
    const double ulp = fmax(power * epsilon(type), type.bits == 32 ? FLT_TRUE_MIN : DBL_TRUE_MIN);
    const double ulps = error / ulp;
    if (ulps > worst_p->most_ulps)
        return false;
    worst_p->ulps = fmax(worst_p->ulps, ulps);
    worst_p->per_power = worst_p->ulps * epsilon(type);
    return true;
}

/* Is an error certainly right, and no larger than those before? So are nearly all, and it takes the
 * least time to say so. NaN compares false. */
static inline bool is_plain(double error, double power, double total, const worst *found)
{
    return error <= found->plain * total && error <= found->per_power * power;
}

/* Is an error within the bound of m additions, and small enough? */
FOR_EACH_DTYPE bool sum_admits(dtype_info type, const reference_sum *prefix_p, double mu,
                               double error, double power, worst *worst_p)
{
    if (!is_within(error, mu, prefix_p->total))
        return false;
    if (error > worst_p->per_power * power && !note_ulps(type, power, error, worst_p))
        return false;
    if (error > worst_p->rel_error * prefix_p->total)
        worst_p->rel_error = error / prefix_p->total;
    worst_p->plain = fmin(worst_p->rel_error, worst_p->least_mu);
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
    const double least_mu = fmin(first * unit, 1);
    worst found = {.most_ulps = check->most_ulps,
                   .rel_error = check->max_rel_error,
                   .ulps = check->max_ulps,
                   .per_power = check->max_ulps * epsilon(type),
                   .least_mu = least_mu,
                   .plain = fmin(check->max_rel_error, least_mu)};
    if (before % PIECE == 0)
        sum_settle(&sum);
    for (size_t i = 0; i < count; i++) {
        const size_t last = type.components * (i + 1) - 1; /* the scalar, or b of a pair */
        reference_sum want = sum;
        sum_add(&sum, pair ? component_real(type, in, last - 1) : 1,
                component_real(type, in, last));
        if (inclusive)
            want = sum;
        if (!out)
            continue;
        const double error = fabs((component_real(type, out, last) - want.sum) - want.residue);
        const double power = power_below(want.sum + want.residue);
        const double a = pair ? component_real(type, out, last - 1) : 1;
        if ((!pair || a == want.sign) && is_plain(error, power, want.total, &found))
            continue;
        const double mu = (first + (double)(int64_t)i) * unit;
        const bool good_a = !pair || a == want.sign ||
                            (general && is_within(fabs(a - want.sign), mu, fabs(want.sign)));
        if (good_a && sum_admits(type, &want, general ? 2 * mu : mu, error, power, &found))
            continue;
        if (check->wrong == 0)
            check->inaccurate = check->most_ulps < INFINITY && is_within(error, mu, want.total);
        const any_element expected = reference_sum_element(check->spec.dtype, &want);
        reference_note_wrong(check, check->checked + i, (const unsigned char *)out + i * type.bytes,
                             &expected);
    }
    check->sum = sum;
    check->max_rel_error = found.rel_error;
    check->max_ulps = general ? 0 : found.ulps;
}

/* compare_sums, compiled for each dtype of floats. */
void reference_compare_bounded(reference *check, uint64_t before, const void *in, const void *out,
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

void reference_sum_append(reference_sum *sum, const reference_sum *next)
{
    const double total = sum->total * fabs(next->sign) + next->total;
    sum_add(sum, next->sign, next->sum);
    sum->residue += next->residue;
    sum->total = total;
}

any_element reference_sum_element(uint32_t dtype, const reference_sum *sum)
{
    const double value = sum->sum + sum->residue;
    return element_of(dtype, dtype_get(dtype)->components == 2 ? sum->sign : value, value);
}
