/*
 * behaviour.h - what a plugin does besides its answers, tested in a worker
 *
 * Each behaviour of job.h is one function, which notes the first fault it finds.
 */
#ifndef SCANBENCH_WORKER_BEHAVIOUR_H
#define SCANBENCH_WORKER_BEHAVIOUR_H

#include "worker/trial.h"

/* Runs e->job, from create to destroy. trial_end cleans up. */
void behave(trial *e);

/* Behaviours in other files. */
void behave_leaks(trial *e);
void behave_process(trial *e);
void behave_waits(trial *e);
void behave_phases(trial *e);

#endif
