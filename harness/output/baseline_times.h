/*
 * baseline_times.h - the medians that later rows are compared with: what a copy of the
 * same bytes took, and what the baseline took
 */
#ifndef SCANBENCH_OUTPUT_BASELINE_TIMES_H
#define SCANBENCH_OUTPUT_BASELINE_TIMES_H

#include "protocol/phase.h"
#include "scan_plugin.h"

#include <stdbool.h>

/* What two rows must share for the copy to bound the scan. */
typedef struct ceiling_key {
    const char *backend, *device;
    unsigned threads;
    uint32_t dtype;
    uint64_t n;
    phase_kind phase; /* of kernels: whichever */
} ceiling_key;

typedef struct baseline_times baseline_times;

/* Empty; NULL without memory. Released with baseline_times_free, which takes NULL. */
baseline_times *baseline_times_new(void);
void baseline_times_free(baseline_times *s);

/* Notes a ceiling's median; of several for one key the fastest counts. */
scan_status baseline_times_add_ceiling(baseline_times *s, const ceiling_key *key, double median_ns);
/* The median to compare a phase with, or 0. A device or kernel phase is compared with
 * the copy's device phase, or with its run where the copy records none. */
double baseline_times_ceiling(const baseline_times *s, const ceiling_key *key);

/* The same for the baseline's run. */
scan_status baseline_times_add_baseline(baseline_times *s, uint32_t dtype, uint64_t n, uint32_t op,
                                        uint32_t kind, double median_ns);
double baseline_times_baseline(const baseline_times *s, uint32_t dtype, uint64_t n, uint32_t op,
                               uint32_t kind);

#endif
