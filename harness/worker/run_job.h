/*
 * run_job.h - one job from supports to destroy, in a worker
 *
 * What happens is told as it happens, as messages:
 *     step   name=                           what is about to be done, so that a
 *                                            crash or a hang can be placed
 *     phase  name= batch= stop= samples=     the samples of one phase, in ns a run
 *     done   status= reason= verified= error= flags= clock_mhz=
 *            first_bad= unwritten= got= expected=    of a wrong result
 */
#ifndef SCANBENCH_WORKER_RUN_JOB_H
#define SCANBENCH_WORKER_RUN_JOB_H

#include "worker/trial.h"

/* Runs `j` and sends its messages. The plugin's failures are results; false only
 * where the supervisor can no longer be told. */
bool run_job(trial *e, const job *j);

#endif
