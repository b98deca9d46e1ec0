/*
 * visit_trial.h - one visit to an open configuration: the samples of one round
 *
 *     run              the host's clock around a run, nothing else going on
 *     device           what the plugin records of a run as a whole
 *     kernel:<name>    what it records of each kernel
 *     e2e, h2d, d2h    copy in + run + copy out, and the copies alone
 * They are apart because recording costs a plugin time, the more so kernel by kernel, and
 * because a run behind a copy finds other data in the caches.
 */
#ifndef SCANBENCH_WORKER_VISIT_TRIAL_H
#define SCANBENCH_WORKER_VISIT_TRIAL_H

#include "protocol/visit.h"
#include "worker/trial.h"

/* Takes the samples and sends a message a phase: phase name= batch= samples=, in ns a run.
 * false if a run failed or wrote outside its buffers, which is then noted in e. */
bool visit_trial(trial *e, const visit *v);

/* The phase of what was timed once, in create. */
void visit_send_create(const trial *e);

#endif
