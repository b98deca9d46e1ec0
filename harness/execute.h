/*
 * execute.h - one job from supports to destroy, in a worker
 *
 * What happens is told as it happens, as messages:
 *     step   name=                           what is about to be done, so that a
 *                                            crash or a hang can be placed
 *     phase  name= batch= stop= samples=     the samples of one phase, in ns a run
 *     done   status= reason= verified= error= flags= clock_mhz=
 *            first_bad= got= expected=       of a wrong result
 */
#ifndef SCANBENCH_EXECUTE_H
#define SCANBENCH_EXECUTE_H

#include "buffers.h"
#include "job.h"

typedef struct execution {
    const scan_plugin *plugin;
    void *context; /* open, or NULL for host memory */
    uint32_t device;
    worker_host *host;
    FILE *out;

    /* private */
    const job *job;
    void *self;
    buffers buffers;
    bool buffers_live;
    reference last; /* the last comparison */
    const char *status;
    char reason[HOST_REASON_BYTES];
    char flags[128];
    double create_ns;
} execution;

/* Runs `j` and sends its messages. The plugin's failures are results; false only
 * where the supervisor can no longer be told. */
bool execute(execution *e, const job *j);

/* For measure.c: tells the supervisor; notes a failure that ends the job. */
void execute_step(execution *e, const char *name);
bool execute_failed(execution *e, scan_status status, const char *call);
void execute_flag(execution *e, const char *flag);

#endif
