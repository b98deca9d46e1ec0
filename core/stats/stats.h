/*
 * stats.h - what a set of timed samples says: where its middle lies, how well that
 * is known, how wide it spreads
 *
 * Nothing here assumes a distribution; times have a hard lower edge and a long upper tail, so the
 * mean and its standard error are reported but not used.
 *
 * median   the middle sample, or the mean of the two middle ones
 * ci       95 % confidence interval of the median from order statistics: with
 *          k = max{k : sum over i < k of C(n,i) 2^-n <= 2.5 %}, the k-th smallest
 *          and the k-th greatest sample. Exact to n = 1000, above it the normal
 *          approximation with continuity correction. There is none below n = 6.
 * q1, q3   quartiles, interpolated linearly between ranks (type 7 of Hyndman and
 *          Fan, "Sample quantiles in statistical packages", 1996)
 * mad      median of the distances from the median, times 1.4826, which makes it
 *          the standard deviation of normally distributed samples
 * stddev   with n - 1
 * outliers how many samples lie more than 1.5 (q3 - q1) below q1 or above q3
 *          (Tukey's fences). They are counted, never dropped.
 */
#ifndef SCANBENCH_STATS_STATS_H
#define SCANBENCH_STATS_STATS_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct stats_summary {
    size_t n; /* if 0, the other fields mean nothing */
    double median, min, max, q1, q3, mad, mean;
    double ci_lo, ci_hi; /* where has_ci */
    double stddev;       /* where has_stddev */
    bool has_ci;         /* n >= 6 */
    bool has_stddev;     /* n >= 2 */
    size_t outliers;
} stats_summary;

/* Summarises n finite samples in any order, which are not written. SCAN_OK and
 * *summary_p; SCAN_INVALID where a sample is not finite; SCAN_NO_MEMORY. */
scan_status stats_summarize(const double *samples, size_t n, stats_summary *summary_p);

/* k of the confidence interval of n samples (1: the least and the greatest
 * sample), 0 where n is too small for one. */
size_t stats_ci_rank(size_t n);

/* Quantile q in 0 ... 1 of n >= 1 ascending samples, type 7. */
double stats_quantile(const double *sorted, size_t n, double q);

#endif
