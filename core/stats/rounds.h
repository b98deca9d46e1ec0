/*
 * rounds.h - what the rounds of a run say of a time, and of the ratio of two
 *
 * A round gives one value of each configuration: the median of the samples taken then. Samples
 * of one round share the state of the machine, so they say little about the next round; the
 * values of rounds that are spread over a run do. The interval of their median comes from order
 * statistics as in stats.h, and is never narrower than STATS_FLOOR on each side.
 *
 * Where a time has two values, the rounds of one run may lock to one of them and those of the next
 * to the other. So where the quartiles of the values lie more than STATS_SPREAD times as far apart
 * as the ends of that interval, the interval is widened to hold both quartiles: the values that a
 * quarter of the others, rounded down, lie beyond. Nearer quartiles than STATS_DOUBTFUL of the
 * median are no remark on a time: half a percent to some percent is what the state of a machine
 * does.
 *
 * An interval is noisy where it is wide because more than STATS_NOISY of the rounds, and three at
 * least, lie far from the median. One or two disturbed rounds of seven make it wide, too, and it
 * still tells the truth.
 *
 * A round without a value holds NaN, and is left out.
 */
#ifndef SCANBENCH_STATS_ROUNDS_H
#define SCANBENCH_STATS_ROUNDS_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>

/* The half width of an interval that is precise enough, and the least one that is claimed, both
 * relative to the median. */
#define STATS_PRECISION 0.0125
#define STATS_FLOOR 0.005
#define STATS_SPREAD 5
/* Rounds that lie further from the median than this share of it are far from it, and quartiles are
 * far apart. */
#define STATS_DOUBTFUL 0.1
#define STATS_NOISY 0.25 /* the share of rounds above which those far from the median are many */

typedef struct stats_rounds {
    size_t n; /* rounds with a value; with 0 nothing else holds a meaning */
    double median;
    double lo, hi; /* of the 95 % interval, where has_ci */
    bool has_ci;   /* n >= 6 */
    bool precise;  /* it has an interval, half as wide as STATS_PRECISION at most */
    bool noisy;    /* half of it is wider than STATS_DOUBTFUL, and many rounds are that far */
    bool spread;   /* it was widened to hold quartiles that lie STATS_DOUBTFUL or more apart */
} stats_rounds;

/* The median of n >= 1 samples of one round, which are put in order. */
double stats_round_value(double *samples, size_t n);

/* The mean of the middle half of n >= 1 samples of one round, which are put in order. It resolves
 * more than a clock that ticks coarsely, whose samples are a few values over and over. */
double stats_round_middle(double *samples, size_t n);

/* SCAN_OK and *rounds_p; SCAN_INVALID where a value is infinite; SCAN_NO_MEMORY. */
scan_status stats_rounds_summarize(const double *values, size_t n, stats_rounds *rounds_p);

/* The same of over[i] / under[i]: drift that both share within a round cancels. */
scan_status stats_rounds_ratio(const double *over, const double *under, size_t n,
                               stats_rounds *rounds_p);

/* How the time above relates to the one below in their ratio: the only place that says so. */
typedef enum stats_order {
    STATS_UNKNOWN, /* the ratio has no interval */
    STATS_TIED,    /* it holds 1: they cannot be told apart */
    STATS_FASTER,  /* it lies below 1 */
    STATS_SLOWER   /* above 1 */
} stats_order;

stats_order stats_rounds_order(const stats_rounds *ratio);

#endif
