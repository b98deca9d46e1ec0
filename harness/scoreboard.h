/*
 * scoreboard.h - the medians that later rows are compared with: what a copy of the
 * same bytes took, and what the baseline took
 */
#ifndef SCANBENCH_SCOREBOARD_H
#define SCANBENCH_SCOREBOARD_H

#include "scan_plugin.h"

#include <stdbool.h>

/* What two rows must share for the copy to bound the scan. */
typedef struct ceiling_key {
    const char *backend, *device;
    unsigned threads;
    uint32_t dtype;
    uint64_t n;
    const char *phase;
} ceiling_key;

typedef struct scoreboard scoreboard;

/* Empty; NULL without memory. Released with scoreboard_free, which takes NULL. */
scoreboard *scoreboard_new(void);
void scoreboard_free(scoreboard *s);

/* Notes a ceiling's median; of several for one key the fastest counts. */
scan_status scoreboard_add_ceiling(scoreboard *s, const ceiling_key *key, double median_ns);
/* The median to compare a phase with, or 0. A device or kernel phase is compared with
 * the copy's device phase, or with its run where the copy records none. */
double scoreboard_ceiling(const scoreboard *s, const ceiling_key *key);

/* The same for the baseline's run. */
scan_status scoreboard_add_baseline(scoreboard *s, uint32_t dtype, uint64_t n, uint32_t op,
                                    uint32_t kind, double median_ns);
double scoreboard_baseline(const scoreboard *s, uint32_t dtype, uint64_t n, uint32_t op,
                           uint32_t kind);

#endif
