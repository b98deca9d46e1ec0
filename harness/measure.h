/*
 * measure.h - the timed part of a job
 *
 * Two groups of samples, each until it is precise enough or its time is up:
 *     run                     the host's clock around a run, nothing else going on
 *     h2d, d2h, e2e,          one copy in + run + copy out, its parts and, recorded
 *     device, kernel:<name>   by the plugin during that run, what the device did
 * The second group is apart because recording costs a plugin time. Interleaving
 * plugins in rounds and noticing a plateau of noise would go here.
 */
#ifndef SCANBENCH_MEASURE_H
#define SCANBENCH_MEASURE_H

#include "execute.h"

/* The monotonic clock in ns. */
double measure_now(void);

/* Samples e->job on its created instance and sends a message a phase. false if a
 * run failed, which is then noted in e. */
bool measure_samples(execution *e);

#endif
