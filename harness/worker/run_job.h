/*
 * run_job.h - one configuration from supports to destroy, in a worker
 *
 * It sends messages as it goes:
 *     step   name=                           what is about to be done (step.h)
 *     phase  name= batch= stop= samples=     the samples of one phase, in ns a run
 *     done   fault= ...                      what went wrong, or none (fault.h)
 *            verified= error= flags= clock_mhz=
 */
#ifndef SCANBENCH_WORKER_RUN_JOB_H
#define SCANBENCH_WORKER_RUN_JOB_H

#include "worker/trial.h"

/* Runs `j` and sends its messages. A failure of the plugin is a result; false only if the
 * supervisor is gone. */
bool run_job(trial *e, const job *j);

#endif
