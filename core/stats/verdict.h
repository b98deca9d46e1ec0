/*
 * verdict.h - did a time change? Judges two times that were measured in one run, in the same
 * rounds, or in two runs
 *
 * An interval excludes a number that lies more than STATS_FLOOR outside it.
 *
 * In one run (verdict_within). The ratio of the two within rounds has an interval (rounds.h). The
 * verdict is faster or slower if the interval excludes 1 and the estimate is beyond the threshold,
 * same if the interval lies within the threshold on both sides, else inconclusive.
 *
 * In two runs (verdict_across). This is how the package scanbench_results judges files; tests hold
 * the two to each other, and use this one for the rates of recorded runs. The machine changes
 * between runs: its frequency, its caches' and its memory's neighbours, where the pages lie. So a
 * run has several estimates of the logarithm of one time, each with a 95 % interval [l, u] about m:
 * the time itself, with the frequency of the core taken out, and the time divided by those of
 * calibrators, whose code never changes. For each
 *
 *     D = m2 - m1
 *     D - H  to  D + H,  H = sqrt((u2 - l2)^2 + (u1 - l1)^2) / 2
 *
 * (Price and Bonett, "Distribution-free confidence intervals for difference and ratio of medians",
 * Journal of Statistical Computation and Simulation 72, 2002: the variance of each median from the
 * whole width of its interval; of a lopsided one, which holds two values that times have, the
 * longer side is taken whole, as in Zou and Donner, Statistics in Medicine 27, 2008). The hull of
 * these intervals is the interval of the verdict, which is faster or slower if every D is beyond
 * the threshold on the same side and the hull excludes 0; same if the hull lies within the
 * threshold; else inconclusive. What the machine did moves the estimates apart, and so widens the
 * hull.
 *
 * Many comparisons (verdict_holm). Of 100 pairs that do not differ, 5 have a 95 % interval that
 * excludes 0. Holm's step-down rule ("A simple sequentially rejective multiple test procedure",
 * Scandinavian Journal of Statistics 6, 1979) keeps the chance of even one such at 5 %: with m
 * p-values in ascending order, the i-th (from 0) is certain if it and all before it are at most
 * 0.05 / (m - i). A verdict faster or slower that is not certain becomes inconclusive.
 */
#ifndef SCANBENCH_STATS_VERDICT_H
#define SCANBENCH_STATS_VERDICT_H

#include "stats/rounds.h"

/* X(name, word) */
#define VERDICT_MAP(X)              \
    X(FASTER, "faster")             \
    X(SLOWER, "slower")             \
    X(SAME, "same")                 \
    X(INCONCLUSIVE, "inconclusive") \
    X(MISSING, "missing") /* there are not two times to compare */

/* X(name, why a verdict is inconclusive) */
#define VERDICT_REASON_MAP(X)                                            \
    X(NONE, "")                                                          \
    X(STATE, "the machine's state changed")                              \
    X(NOISY, "too noisy")                                                \
    X(NEAR, "too near the threshold")                                    \
    X(NO_ROUNDS, "no rounds, or too few to know the noise")              \
    X(NO_CALIBRATORS, "no calibrators, so the machine may have changed") \
    X(FAMILY, "not certain among so many comparisons")

#define VERDICT_ENUMERATOR(name, word) VERDICT_##name,
typedef enum verdict { VERDICT_MAP(VERDICT_ENUMERATOR) } verdict;
#undef VERDICT_ENUMERATOR

#define VERDICT_ENUMERATOR(name, text) VERDICT_FOR_##name,
typedef enum verdict_reason { VERDICT_REASON_MAP(VERDICT_ENUMERATOR) } verdict_reason;
#undef VERDICT_ENUMERATOR

enum { VERDICT_ESTIMATES = 3 };

/* How far a calibrator may move between two runs before the machine's state has changed, as a
 * logarithm. */
#define VERDICT_STATE 0.02

/* The greatest p at which two times of one run differ. It is less than 5 %, because the rounds of a
 * busy machine are not independent, as the sign test assumes. */
#define VERDICT_WITHIN_P 0.005

/* The logarithm of a time in one run, with its 95 % interval. */
typedef struct verdict_estimate {
    double median, lo, hi;
    bool known;
    bool calibrated; /* divided by the time of a calibrator, or that of an unchanged clock */
} verdict_estimate;

/* The same time, estimated in several ways, in the same order in both runs. */
typedef struct verdict_run {
    verdict_estimate estimates[VERDICT_ESTIMATES]; /* the first is the time itself */
} verdict_run;

typedef struct verdict_outcome {
    verdict verdict;
    verdict_reason reason; /* of inconclusive */
    bool has_interval;     /* the following hold a meaning */
    double ratio, lo, hi;  /* the second time over the first, and its interval */
    double p;              /* of the hypothesis that they are equal, two-sided */
} verdict_outcome;

const char *verdict_word(verdict v);
const char *verdict_reason_text(verdict_reason reason);

/* The logarithms of a time and its interval. Unknown if one of them is not a positive number, or
 * if the interval does not contain the time. */
verdict_estimate verdict_estimate_of(double median, double lo, double hi);

/* The same with an interval of at least `half` on each side, as a logarithm: what another run would
 * show if this one did not measure it. */
verdict_estimate verdict_estimate_widened(verdict_estimate estimate, double half);

/* The second run against the first. threshold > 0 is relative: 0.03 for 3 %. Without an estimate
 * that both runs know there is no interval; without a calibrated one no verdict. The ratio is that
 * of the middle D; p is the greatest of the p-values of the Ds, each from D and the standard
 * error that its interval implies (a half width is 1.96 of them). */
verdict_outcome verdict_across(const verdict_run *first, const verdict_run *second,
                               double threshold);

/* The ratio of two times within rounds; p: from verdict_sign_test. They differ if the interval of
 * the ratio excludes 1, the ratio is beyond the threshold, and p is at most VERDICT_WITHIN_P. */
verdict_outcome verdict_within(const stats_rounds *ratio, double p, double threshold);

/* The p-value, two-sided, of the hypothesis that over[i] > under[i] in half of all rounds: the
 * sign test. Rounds without a value (NaN) and ties do not count. 1 if no round is left. */
double verdict_sign_test(const double *over, const double *under, size_t n);

/* Applies Holm's rule to all comparisons that are shown together. Those without an interval do not
 * count. The pointers are put in another order. */
void verdict_holm(verdict_outcome **family, size_t count);

#endif
