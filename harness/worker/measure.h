/*
 * measure.h - the timed part of a configuration
 *
 * Groups of samples, each until it is precise enough or its time is up:
 *     run              the host's clock around a run, nothing else going on
 *     device           what the plugin records of a run as a whole
 *     kernel:<name>    what it records of each kernel
 *     e2e, h2d, d2h    copy in + run + copy out, and the copies alone
 * They are apart because recording costs a plugin time, the more so kernel by kernel,
 * and because a run behind a copy finds other data in the caches.
 */
#ifndef SCANBENCH_WORKER_MEASURE_H
#define SCANBENCH_WORKER_MEASURE_H

#include "worker/trial.h"

/* Samples e->job on its created instance and sends a message a phase. false if a
 * run failed, which is then noted in e. */
bool measure_samples(trial *e);

#endif
