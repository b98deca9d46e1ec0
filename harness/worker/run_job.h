/*
 * run_job.h - one configuration that is checked, from supports to destroy, in a worker
 *
 * It sends messages as it goes:
 *     step   name=                           what is about to be done (step.h)
 *     done   fault= ...                      what became of it (report.h)
 */
#ifndef SCANBENCH_WORKER_RUN_JOB_H
#define SCANBENCH_WORKER_RUN_JOB_H

#include "worker/trial.h"

/* Runs `j` and sends its messages. A failure of the plugin is a result; false only if the
 * supervisor is gone. */
bool run_job(trial *e, const job *j);

#endif
