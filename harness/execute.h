/*
 * execute.h - one job from supports to destroy, in a worker
 *
 * What happens is told as it happens, as messages:
 *     step   name=                           what is about to be done, so that a
 *                                            crash or a hang can be placed
 *     phase  name= batch= stop= samples=     the samples of one phase, in ns a run
 *     done   status= reason= verified= error= flags= clock_mhz=
 *            first_bad= unwritten= got= expected=    of a wrong result
 */
#ifndef SCANBENCH_EXECUTE_H
#define SCANBENCH_EXECUTE_H

#include "buffers.h"
#include "job.h"

#include <signal.h>
#include <unistd.h>

typedef struct execution {
    const scan_plugin *plugin;
    void *context; /* open, or NULL for host memory */
    uint32_t device;
    worker_host *host;
    FILE *out;
    const volatile sig_atomic_t *forked; /* this is a process that the plugin forked */

    /* private */
    const job *job;
    void *self;
    bool created; /* there is a self */
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

/* For measure.c and behaviour.c: tells the supervisor; notes a failure that ends the
 * job, of a call or in words of its own. */
void execute_step(execution *e, const char *name);
bool execute_failed(execution *e, scan_status status, const char *call);
void execute_fault(execution *e, const char *status, const char *format, ...) SCAN_PRINTF(3, 4);
void execute_flag(execution *e, const char *flag);

/* Behind every call of the plugin: a process that it forked ends here. */
static inline void execute_alone(const execution *e)
{
    if (*e->forked)
        _exit(0);
}

/* For behaviour.c, each noting a failure: supports and create; these and the buffers;
 * run; an input and `repeat` runs on it, compared; destroy and the buffers' end, of what
 * there is. */
bool execute_create(execution *e, void **self_p);
bool execute_begin(execution *e);
bool execute_run(execution *e);
bool execute_check(execution *e, uint32_t pattern, uint32_t repeat);
void execute_end(execution *e);

#endif
