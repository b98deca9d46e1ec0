/*
 * measure.h - the timed part of a configuration
 *
 * Groups of samples, each until it is precise enough or its time is up:
 *     run              the host's clock around a run, with no recording or copies
 *     device           what the plugin records for the whole run
 *     kernel:<name>    what it records for each kernel
 *     e2e, h2d, d2h    copy in + run + copy out, and the copies alone
 * The groups are separate because recording costs a plugin time, most of all kernel by kernel, and
 * because a run after a copy finds other data in the caches.
 */
#ifndef SCANBENCH_WORKER_MEASURE_H
#define SCANBENCH_WORKER_MEASURE_H

#include "worker/trial.h"

/* Samples e->job on its created instance and sends one message per phase. false if a run failed;
 * e->fault then says why. */
bool measure_samples(trial *e);

#endif
