/*
 * reference_bounded.c - compares float sums with a sum in f64, within the bound of reference.h
 *
 * The rounding error of each addition is kept beside the sum (two-sum: Knuth, The Art of Computer
 * Programming 2, 4.2.2).
 */
#include "problem/reference_private.h"

#include "problem/component.h"

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

/* Is the error within mu/(1 - mu) of `size`? NaN compares false and is not. */
static inline bool is_within(double error, double mu, double size)
{
    return mu < 0.5 ? error * (1 - mu) <= mu * size : error <= size;
}

/* Is `got` within the bound of m additions? */
static inline bool sum_admits(const reference_sum *prefix_p, double mu, double got,
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
        sum_add(&sum, pair ? component_real(type, in, last - 1) : 1,
                component_real(type, in, last));
        if (inclusive)
            want = sum;
        if (!out)
            continue;
        const double mu = (first + (double)(int64_t)i) * unit;
        const double a = pair ? component_real(type, out, last - 1) : 1;
        const bool good_a = !pair || a == want.sign ||
                            (general && is_within(fabs(a - want.sign), mu, fabs(want.sign)));
        if (good_a && sum_admits(&want, general ? 2 * mu : mu, component_real(type, out, last),
                                 &max_rel_error))
            continue;
        const any_element expected = reference_sum_element(check->spec.dtype, &want);
        reference_note_wrong(check, check->checked + i, (const unsigned char *)out + i * type.bytes,
                             &expected);
    }
    check->sum = sum;
    check->max_rel_error = max_rel_error;
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
