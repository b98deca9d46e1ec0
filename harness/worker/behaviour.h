/*
 * behaviour.h - what a plugin does beside its answers, looked at in a worker
 *
 * Each behaviour of job.h is one function, which notes the first fault it finds.
 */
#ifndef SCANBENCH_WORKER_BEHAVIOUR_H
#define SCANBENCH_WORKER_BEHAVIOUR_H

#include "worker/trial.h"

/* Does e->job, from create to destroy. What is left behind is trial_end's. */
void behave(trial *e);

/* The ones in files of their own. */
void behave_leaks(trial *e);
void behave_process(trial *e);
void behave_waits(trial *e);
void behave_phases(trial *e);

#endif
