/*
 * baseline_times.h - the medians that other rows are compared with: the time of a copy of
 * the same bytes, and the time of the baseline plugin on the same problem
 */
#ifndef SCANBENCH_OUTPUT_BASELINE_TIMES_H
#define SCANBENCH_OUTPUT_BASELINE_TIMES_H

#include "protocol/phase.h"
#include "scan_plugin.h"

#include <stdbool.h>

/* The fields that a row and the copy that bounds it share. */
typedef struct ceiling_key {
    const char *backend, *device;
    unsigned threads;
    unsigned parts; /* at least 1 */
    bool in_place;
    uint32_t dtype;
    uint64_t n;
    cache_state cache;
    phase_kind phase; /* all kernels share one key */
} ceiling_key;

/* The fields that a row and its baseline share. */
typedef struct baseline_key {
    uint32_t dtype, op, kind; /* kind: SCAN_KIND_COUNT where any will do */
    uint64_t n;
    cache_state cache;
} baseline_key;

typedef struct baseline_times baseline_times;

/* An empty table; NULL if out of memory. Released with baseline_times_free, which accepts NULL. */
baseline_times *baseline_times_new(void);
void baseline_times_free(baseline_times *times);

/* Adds a ceiling's median; if there are several for one key, the fastest counts. SCAN_OK or
 * SCAN_NO_MEMORY. */
scan_status baseline_times_add_ceiling(baseline_times *times, const ceiling_key *key,
                                       double median_ns);
/* The median to compare a phase with, or 0: of the copies with at most as many threads the
 * fastest. A device or kernel phase is compared with the
 * copy's device phase, or with the copy's run if it has no device phase. */
double baseline_times_ceiling(const baseline_times *times, const ceiling_key *key);

/* Is a row faster than the copy that bounds it by more than noise, over 2 % even with
 * upper_ns, the upper end of its interval (0: it has none)? Then there is a faster copy than
 * those measured. */
bool baseline_times_beats_copy(double copy_ns, double upper_ns);

/* The same for the run of the baseline. */
scan_status baseline_times_add_baseline(baseline_times *times, const baseline_key *key,
                                        double median_ns);
double baseline_times_baseline(const baseline_times *times, const baseline_key *key);

#endif
