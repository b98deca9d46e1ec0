/*
 * behaviour.h - what a plugin does beside its answers, looked at in a worker
 *
 * Each behaviour of job.h is one function here. A fault ends the job with status
 * "error", or "wrong" where an answer is; its reason says what the contract asks.
 */
#ifndef SCANBENCH_BEHAVIOUR_H
#define SCANBENCH_BEHAVIOUR_H

#include "execution.h"

/* Does e->job, from create to destroy. What is left behind is execution_end's. */
void behave(execution *e);

/* The ones in files of their own. */
void behave_rebuild(execution *e);
void behave_manners(execution *e);
void behave_waits(execution *e);
void behave_records(execution *e);

#endif
