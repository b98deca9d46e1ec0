/*
 * spot_times.h - what copies of a few bytes take around the runs that are looked at
 */
#ifndef SCANBENCH_WORKER_SPOT_TIMES_H
#define SCANBENCH_WORKER_SPOT_TIMES_H

#include <stdint.h>

/* What a short copy may take longer without a reason. */
#define SPOT_SLACK_NS 2e4

/* At best; ns. 0: unknown. */
typedef struct spot_times {
    uint32_t looks;
    uint32_t late;           /* of these, the ones where the device was still at work after run */
    double late_ns;          /* what copying out right after run took, at the last of them */
    double in_ns, poison_ns; /* copying into the input, and into the output */
    double idle_ns;          /* copying out when nothing was asked of the device before */
    double run_ns;
} spot_times;

/* Adds the times of a look to those of all looks. */
void spot_times_keep(spot_times *all, const spot_times *one);
/* The most that a copy of a few bytes may take. */
double spot_times_most(const spot_times *t);
/* The least of times, of which 0 is none. */
void spot_times_least(double *least_p, double ns);

#endif
