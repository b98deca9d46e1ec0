#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_LIMIT = 1000 }; /* 2^-1000 is still a normal double, 2^-1074 is not */

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* The greatest k whose tail, sum over i < k of C(n,i) 2^-n, is at most 2.5 %. */
static size_t exact_rank(size_t n)
{
    double term = ldexp(1, -(int)n); /* C(n,0) 2^-n */
    double tail = term;
    size_t k = 0;
    while (tail <= 0.025) {
        k++;
        term *= (double)(n - k + 1) / (double)k;
        tail += term;
    }
    return k;
}

size_t stats_ci_rank(size_t n)
{
    static const double quantile = 1.959963984540054; /* of the normal distribution, 97.5 % */
    if (n <= EXACT_LIMIT)
        return n == 0 ? 0 : exact_rank(n);
    return (size_t)((double)n / 2 + 0.5 - quantile * sqrt((double)n) / 2);
}

double stats_quantile(const double *sorted, size_t n, double q)
{
    double rank = q * (double)(n - 1);
    size_t below = (size_t)rank;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The median of n ascending samples: exact if the two middle samples are equal. */
static double median_of(const double *sorted, size_t n)
{
    double low = sorted[(n - 1) / 2], high = sorted[n / 2];
    return low + (high - low) / 2;
}

/* Mean and standard deviation by Welford's recurrence (Technometrics 4, 1962), which
 * does not cancel where the spread is small beside the mean. */
static void add_moments(const double *samples, size_t n, stats_summary *summary)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double distance = samples[i] - mean;
        mean += distance / (double)(i + 1);
        squares += distance * (samples[i] - mean);
    }
    summary->mean = mean;
    summary->has_stddev = n >= 2;
    if (summary->has_stddev)
        summary->stddev = sqrt(squares / (double)(n - 1));
}

static size_t count_outliers(const double *sorted, size_t n, const stats_summary *summary)
{
    double reach = 1.5 * (summary->q3 - summary->q1);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += sorted[i] < summary->q1 - reach || sorted[i] > summary->q3 + reach;
    return count;
}

/* The summary of n >= 1 ascending samples. It overwrites them with their distances from the
 * median. */
static stats_summary summarize_sorted(double *sorted, size_t n)
{
    stats_summary summary = {.n = n,
                             .median = median_of(sorted, n),
                             .min = sorted[0],
                             .max = sorted[n - 1],
                             .q1 = stats_quantile(sorted, n, 0.25),
                             .q3 = stats_quantile(sorted, n, 0.75)};
    size_t k = stats_ci_rank(n);
    summary.has_ci = k > 0;
    if (summary.has_ci) {
        summary.ci_lo = sorted[k - 1];
        summary.ci_hi = sorted[n - k];
    }
    add_moments(sorted, n, &summary);
    summary.outliers = count_outliers(sorted, n, &summary);
    for (size_t i = 0; i < n; i++)
        sorted[i] = fabs(sorted[i] - summary.median);
    qsort(sorted, n, sizeof *sorted, by_value);
    summary.mad = 1.4826 * median_of(sorted, n);
    return summary;
}

scan_status stats_summarize(const double *samples, size_t n, stats_summary *summary_p)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(samples[i]))
            return SCAN_INVALID;
    if (n == 0) {
        *summary_p = (stats_summary){0};
        return SCAN_OK;
    }
    double *sorted = n <= SIZE_MAX / sizeof *sorted ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return SCAN_NO_MEMORY;
    memcpy(sorted, samples, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    *summary_p = summarize_sorted(sorted, n);
    free(sorted);
    return SCAN_OK;
}
