/*
 * spot_times.h - what copies of a few bytes take around the runs that are looked at
 */
#ifndef SCANBENCH_WORKER_SPOT_TIMES_H
#define SCANBENCH_WORKER_SPOT_TIMES_H

#include <stdint.h>

/* What a short copy may take longer without a reason. */
#define SPOT_SLACK_NS 2e4

/* Runs right after a copy, held against runs before which nothing was copied. */
typedef struct spot_pace {
    uint32_t visits; /* that had both */
    uint32_t uneven; /* of these, the ones in which the first took much longer */
} spot_pace;

/* A run by itself, and as it is recorded at each level: SCAN_RECORD_* is the index. */
enum { SPOT_LEVELS = 3 };

/* At best; ns. 0: unknown. */
typedef struct spot_times {
    uint32_t looks;
    uint32_t late;           /* of these, the ones where the device was still at work after run */
    double late_ns;          /* what copying out right after run took, at the last of them */
    double in_ns, poison_ns; /* copying into the input, and into the output */
    double idle_ns;          /* copying out when nothing was asked of the device before */
    double run_ns;
    spot_pace paces[SPOT_LEVELS];
} spot_times;

/* Adds the times of a look to those of all looks. */
void spot_times_keep(spot_times *all, const spot_times *one);
/* The most that a copy of a few bytes may take. */
double spot_times_most(const spot_times *t);
/* The most that a run after a copy may take where others take same_ns. */
double spot_pace_most(double same_ns);
/* Adds a visit: a run after a copy took changed_ns, the shortest of the others same_ns. 0: there
 * was none. */
void spot_pace_keep(spot_pace *all, double changed_ns, double same_ns);
/* The least of times, of which 0 is none. */
void spot_times_least(double *least_p, double ns);

#endif
