/*
 * trial.h - one job under way in a worker: its instance, its buffers, and what has
 * become of it so far
 */
#ifndef SCANBENCH_WORKER_TRIAL_H
#define SCANBENCH_WORKER_TRIAL_H

#include "protocol/job.h"
#include "protocol/status.h"
#include "worker/buffers.h"

#include <signal.h>
#include <unistd.h>

typedef struct trial {
    const scan_plugin *plugin;   /* the host's copy, whole */
    const scan_plugin *exported; /* the plugin's own, for its slots */
    void *context;               /* open, or NULL for host memory */
    uint32_t device;
    worker_host *host;
    FILE *out;
    const volatile sig_atomic_t *forked; /* this is a process that the plugin forked */
    const char *load_changed;            /* what loading the file did, as process_state_changed */

    /* private */
    const job *job;
    void *self;
    bool created; /* there is a self */
    buffers buffers;
    bool buffers_live;
    reference last; /* the last comparison */
    row_status status;
    char reason[HOST_REASON_BYTES];
    char flags[128];
    double create_ns;
} trial;

/* Tells the supervisor what is about to be done. */
void trial_step(trial *e, const char *name);
/* Notes the failure of a call, if it is one; false for SCAN_OK. */
bool trial_failed(trial *e, scan_status status, const char *call);
/* Notes a failure in words of its own. */
void trial_fault(trial *e, row_status status, const char *format, ...) SCAN_PRINTF(3, 4);
/* Adds to what is said of the result beside its status. */
void trial_flag(trial *e, const char *flag);

/* Behind every call of the plugin: a process that it forked ends here. */
static inline void trial_alone(const trial *e)
{
    if (*e->forked)
        _exit(0);
}

/* Each of these is false where it noted a failure. */

/* supports and create. */
scan_problem trial_problem(const job *j);
bool trial_create(trial *e, void **self_p);
/* These and the buffers. */
bool trial_begin(trial *e);
bool trial_run(trial *e);
/* One run into a poisoned output, compared in full with what is right for `spec`, which
 * the input holds. */
bool trial_compare(trial *e, const input_spec *spec);
/* Writes an input and compares `repeat` runs on it. */
bool trial_check(trial *e, uint32_t pattern, uint32_t repeat);

/* Notes what a plugin does besides its answer and must not; did it? */
bool trial_trespassed(trial *e);
/* destroy and the buffers' end, of what there is. */
void trial_end(trial *e);

#endif
