/*
 * rates.h - bandwidth, share of the copy and speedup of a phase
 *
 * Ratios are made within the rounds of a group, so that drift cancels; where the copy or the
 * baseline is not in the group, from the medians that were kept.
 */
#ifndef SCANBENCH_OUTPUT_RATES_H
#define SCANBENCH_OUTPUT_RATES_H

#include "output/baseline_times.h"
#include "sweep/group.h"

/* The numbers of a phase that are computed from its median; 0: unknown. */
typedef struct phase_rates {
    double median_ns, bytes_per_s;
    double pct_copy, pct_copy_lo, pct_copy_hi;
    double speedup, speedup_lo, speedup_hi;
    stats_rounds per_spin, per_scan, per_copy; /* the time over that of the spin, of each
                                                  calibrator: n = 0 where unknown */
    bool above_copy;                           /* pct_copy is above 100 by more than noise */
} phase_rates;

/* What phases are compared with besides their group. */
typedef struct rates_reference {
    const baseline_times *times;
    const char *baseline; /* the plugin that speedups refer to */
} rates_reference;

ceiling_key rates_ceiling_key(const measurement *m, phase_kind phase);
baseline_key rates_baseline_key(const measurement *m);

/* Those of phase p of m, which may be in group g; g may be NULL. */
phase_rates rates_of(const rates_reference *r, const group *g, const measurement *m,
                     const measurement_phase *p);

#endif
