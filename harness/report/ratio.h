/*
 * ratio.h - how the times of two rows of one file relate, and how certain that is
 *
 * The rows of one problem were sampled in the same rounds, so what both share cancels in a ratio
 * that is made within rounds. A CSV holds some of those: `speedup`, the ratio to the baseline, with
 * its interval. Of two other rows it holds how each relates to the same third time in the same
 * rounds: the harness's spin, scan and copy, the copy on the device, the baseline; and to nothing,
 * which is the time itself. Each such way gives
 *
 *     D = m2 - m1,  with the limits of verdict.h (MOVER)
 *
 * of logarithms. All ways estimate the same ratio, each with the noise of its third time added, so
 * the one with the narrowest interval is taken: chosen by its width, never by its middle. MOVER
 * takes the two times for independent, which those of the same rounds are not: they rise and fall
 * together, so the interval is wider than it had to be, not narrower.
 */
#ifndef SCANBENCH_REPORT_RATIO_H
#define SCANBENCH_REPORT_RATIO_H

#include "results/result_file.h"

/* X(name, text): why a ratio has no interval. */
#define RATIO_DOUBT_MAP(X)                                            \
    X(NONE, "")                                                       \
    X(NO_ROUNDS, "no intervals from rounds")                          \
    X(RUNS, "measured in different runs")                             \
    X(ROUNDS, "measured one after the other, not in the same rounds") \
    X(PROBLEMS, "different problems, not measured in the same rounds")

#define RATIO_ENUMERATOR(name, text) RATIO_DOUBT_##name,
typedef enum ratio_doubt { RATIO_DOUBT_MAP(RATIO_ENUMERATOR) } ratio_doubt;
#undef RATIO_ENUMERATOR

typedef struct report_ratio {
    double ratio;  /* within rounds where it has an interval, else of the medians; 0: not known */
    double lo, hi; /* of the 95 % interval */
    double p;      /* of the hypothesis that both are equal, two-sided */
    bool has_interval;
    ratio_doubt doubt;
} report_ratio;

/* The time of `over` divided by that of `under`, both measured, rows of one file. `sequential`: the
 * file was measured one configuration after the other. */
report_ratio ratio_of(const result_row *over, const result_row *under, bool sequential);

/* The same the other way round. */
report_ratio ratio_inverse(report_ratio ratio);

const char *ratio_doubt_text(ratio_doubt doubt);

#endif
