/*
 * measure.h - a configuration that is measured: proved, kept open for visits, proved again
 */
#ifndef SCANBENCH_WORKER_MEASURE_H
#define SCANBENCH_WORKER_MEASURE_H

#include "protocol/visit.h"
#include "worker/trial.h"

/* Each of these is false where it noted a failure in t. */

/* Creates the instance and its buffers, compares its output in full (not in a race), and estimates
 * its time. */
bool measure_open(trial *t, visit_estimate *estimate_p);
/* One visit, which takes the buffers again if they were released; of another instance now and
 * then. */
bool measure_visit(trial *t, const visit *v);
/* Compares what the last run left, in full, and gives the buffers back. */
bool measure_release(trial *t);
/* Compares again after the samples: with the measured input, and with another one in the same
 * buffers. */
bool measure_close(trial *t);

/* Instead of all these, for a profiler: the same comparisons around one run that warms up and one
 * in a range named after the configuration. No time is taken. */
bool measure_in_range(trial *t);

#endif
