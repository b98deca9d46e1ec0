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

/* A trial of another job beside `t`, with an instance and buffers of its own. */
trial behave_another(const trial *t, const job *j);
/* Makes n about half, at a size that the plugin accepts; leaves it where there is none. */
void behave_halve(const trial *t, job *j);

/* A run that takes about run_ns by itself, and in which threads are delayed for BEHAVE_DELAY_NS,
 * half of the time also the one that calls it. */
enum { BEHAVE_DELAY_NS = 50000000 };
bool behave_delayed_run(trial *t, double run_ns);

#endif
