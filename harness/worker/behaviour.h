/*
 * behaviour.h - what a plugin does besides its answers, tested in a worker
 *
 * Each behaviour of job.h is one function, which notes the first fault it finds.
 */
#ifndef SCANBENCH_WORKER_BEHAVIOUR_H
#define SCANBENCH_WORKER_BEHAVIOUR_H

#include "worker/trial.h"

/* Runs t->job, from create to destroy. trial_end cleans up. */
void behave(trial *t);

/* Each of them; a long one is in a file of its own. */
#define BEHAVE_FUNCTION(name, word) void behave_##word(trial *t);
JOB_BEHAVIOUR_MAP(BEHAVE_FUNCTION)
#undef BEHAVE_FUNCTION

#endif
