/*
 * execution.h - one job under way in a worker: its instance, its buffers, and what has
 * become of it so far
 */
#ifndef SCANBENCH_EXECUTION_H
#define SCANBENCH_EXECUTION_H

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
    const char *load_changed;            /* what loading the file did, as manners_changed */

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

/* Tells the supervisor what is about to be done. */
void execution_step(execution *e, const char *name);
/* Notes the failure of a call, if it is one; false for SCAN_OK. */
bool execution_failed(execution *e, scan_status status, const char *call);
/* Notes a failure in words of its own. */
void execution_fault(execution *e, const char *status, const char *format, ...) SCAN_PRINTF(3, 4);
/* Adds to what is said of the result beside its status. */
void execution_flag(execution *e, const char *flag);

/* Behind every call of the plugin: a process that it forked ends here. */
static inline void execution_alone(const execution *e)
{
    if (*e->forked)
        _exit(0);
}

/* Each of these is false where it noted a failure. */

/* supports and create. */
bool execution_create(execution *e, void **self_p);
/* These and the buffers. */
bool execution_begin(execution *e);
bool execution_run(execution *e);
/* One run into a poisoned output, compared in full with what is right for `spec`, which
 * the input holds. */
bool execution_compare(execution *e, const input_spec *spec);
/* Writes an input and compares `repeat` runs on it. */
bool execution_check(execution *e, uint32_t pattern, uint32_t repeat);

/* Notes what a plugin does besides its answer and must not; did it? */
bool execution_trespassed(execution *e);
/* destroy and the buffers' end, of what there is. */
void execution_end(execution *e);

#endif
