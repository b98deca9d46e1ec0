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
 * these make m*(PIECE + 1)*u*u*S < 2^-43.9 * m * u*S, and u*S is less than one ulp of S in f64,
 * 2^-29 of one in f32. Random inputs are multiples of 2^-53 (f32: 2^-24) below 1, and so are the
 * residues: while these are below 1 (2^29), and they are for m < 2^43, nothing is rounded.
 */
#include "problem/reference_private.h"

#include "problem/component.h"

#include <float.h>
#include <math.h>

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
    return ldexp(1, 1 - (int)type.digits);
}

/* Takes an error that may be the largest in units of the last place of a value. Is it right? */
FOR_EACH_DTYPE bool note_ulps(dtype_info type, double power, double error, worst *worst_p)
{
    const double ulps = error / component_ulp(type, power);
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

/* Takes the error of an output that is within the bound. Is it small enough? */
FOR_EACH_DTYPE bool note_error(dtype_info type, double total, double error, double power,
                               worst *worst_p)
{
    if (error > worst_p->per_power * power && !note_ulps(type, power, error, worst_p))
        return false;
    if (error > worst_p->rel_error * total)
        worst_p->rel_error = error / total;
    worst_p->plain = fmin(worst_p->rel_error, worst_p->least_mu);
    return true;
}

/* ---- floats of 16 bits, which are rounded once ---------------------------------- */

/* Is it what a sum within the bound rounds to? Rounding is monotonic, so the ends tell. */
FOR_EACH_DTYPE bool half_is_within(dtype_info type, double got, double value, double mu,
                                   double total)
{
    const double off = mu < 0.5 ? mu / (1 - mu) * total : total;
    return isnan(value) ? isnan(got)
                        : component_round(type, value - off) <= got &&
                              got <= component_round(type, value + off);
}

/* How far it is off: not at all where infinity or NaN is right. A wrong infinity counts as the
 * number that it stands for. */
FOR_EACH_DTYPE double half_error(dtype_info type, double got, double value)
{
    if (isfinite(got))
        return fabs(got - value);
    if (got == component_round(type, value) || (isnan(got) && isnan(value)))
        return 0;
    return fabs(copysign(ldexp(1, max_exponent(type)), got) - value);
}

/* ---- sums of any type ------------------------------------------------------------ */

/* Sums of scalars, or of pairs with factors: `a` of a pair must be right to the bit, unless factors
 * are general. Before them are `before` elements of the same scan. */
FOR_EACH_DTYPE void compare_sums(reference *check, dtype_info type, uint64_t before, const void *in,
                                 const void *out, size_t count)
{
    const bool pair = type.components == 2, half = component_is_half(type);
    const bool inclusive = check->scan.inclusive;
    const double unit = !half                          ? ldexp(1, -(int)type.digits)
                        : input_is_exact(&check->spec) ? 0 /* in f32, and so in what is wider */
                                                       : ldexp(1, -FLT_MANT_DIG);
    const double first = (double)before + 1;
    const bool general = check->spec.pattern == INPUT_FACTORS;
    reference_sum sum = check->sum;
    const double least_mu = half ? 1 : fmin(first * unit, 1);
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
        const double got = component_real(type, out, last), value = want.sum + want.residue;
        const double error =
            half ? half_error(type, got, value) : fabs((got - want.sum) - want.residue);
        const double power = power_below(value);
        const double a = pair ? component_real(type, out, last - 1) : 1;
        if ((!pair || a == want.sign) && (!half || got == component_round(type, value)) &&
            is_plain(error, power, want.total, &found))
            continue;
        const double mu = (first + (double)(int64_t)i) * unit, most = general ? 2 * mu : mu;
        const bool good_a = !pair || a == want.sign ||
                            (general && is_within(fabs(a - want.sign), mu, fabs(want.sign)));
        const bool within = half ? half_is_within(type, got, value, mu, want.total)
                                 : is_within(error, most, want.total);
        if (good_a && within && note_error(type, want.total, error, power, &found))
            continue;
        if (check->wrong == 0)
            check->inaccurate = check->most_ulps < INFINITY && within;
        const any_element expected = reference_sum_element(check->dtype, &want);
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
    switch (check->dtype) {
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
