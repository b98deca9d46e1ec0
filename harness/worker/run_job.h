/*
 * run_job.h - one configuration that is checked, from supports to destroy, in a worker
 *
 * Messages say what happens, as it happens:
 *     step   name=                           what is about to be done (step.h)
 *     done   fault= ...                      what became of it (report.h)
 */
#ifndef SCANBENCH_WORKER_RUN_JOB_H
#define SCANBENCH_WORKER_RUN_JOB_H

#include "worker/trial.h"

/* Runs `j` and sends its messages. The plugin's failures are results; false only
 * where the supervisor is gone. */
bool run_job(trial *e, const job *j);

#endif
