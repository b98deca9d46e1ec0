/*
 * sampling.h - one visit to an open configuration: the samples of one round
 *
 *     run              the host's clock around a run, nothing else going on
 *     device           what the plugin records of a run as a whole
 *     kernel:<name>    what it records of each kernel
 *     e2e, h2d, d2h    copy in + run + copy out, and the copies alone
 * They are apart because recording costs a plugin time, the more so kernel by kernel, and
 * because a run behind a copy finds other data in the caches.
 */
#ifndef SCANBENCH_WORKER_SAMPLING_H
#define SCANBENCH_WORKER_SAMPLING_H

#include "protocol/visit.h"
#include "worker/trial.h"

/* Takes the samples and sends a message a phase: phase name= batch= samples=, in ns a run.
 * false if a run failed or wrote outside its buffers, which is then noted in t. */
bool sampling_visit(trial *t, const visit *v);

/* Sends the phase of what was timed once, in create. */
void sampling_send_create(const trial *t);

/* Runs `batch` times in one interval; the time of one, or a negative number if a run failed,
 * which is then noted. Where a plugin works in place only, the input is put back before each
 * run, outside the timing. */
double timed_run(trial *t, unsigned batch);

/* Runs for limit_s seconds, at least once, and finds how many runs make an interval 200 times
 * as long as reading the clock takes; one where caches are cold. false if a run failed. */
bool timed_run_estimate(trial *t, double limit_s, visit_estimate *estimate_p);

#endif
