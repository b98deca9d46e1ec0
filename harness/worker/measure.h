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
bool measure_open(trial *t);
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

/* ---- one visit: the samples of one round (sampling.c) ---- */

/*
 *     run              the host's clock around a run, nothing else going on
 *     device           what the plugin records of a run as a whole
 *     kernel:<name>    what it records of each kernel
 *     graph            what it records of one run among many in a graph
 *     e2e, h2d, d2h    copy in + run + copy out, and the copies alone
 * They are apart because recording costs a plugin time, the more so kernel by kernel, and
 * because a run behind a copy finds other data in the caches.
 *
 * Takes the samples and sends a message a phase: phase name= batch= samples=, in ns a run.
 * false if a run failed or wrote outside its buffers, which is then noted in t. */
bool sampling_visit(trial *t, const visit *v);

/* Sends the phase of what was timed once, in create. */
void sampling_send_create(const trial *t);

/* Runs `batch` times in one interval; the time of one, or a negative number if a run failed,
 * which is then noted. Where a plugin works in place only, the input is put back before each
 * run, outside the timing. */
double timed_run(trial *t, unsigned batch);

/* Its estimate: runs for limit_s seconds, at least once, and finds how many runs make an interval
 * 200 times as long as reading the clock takes; one where caches are cold. false if a run failed.
 */
bool timed_run_estimate(trial *t, double limit_s);

#endif
