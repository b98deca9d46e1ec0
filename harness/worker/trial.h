/*
 * trial.h - one configuration under way in a worker: its instance, its buffers, and what has
 * become of it so far
 */
#ifndef SCANBENCH_WORKER_TRIAL_H
#define SCANBENCH_WORKER_TRIAL_H

#include "protocol/fault.h"
#include "protocol/job.h"
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
    fault_part load_changed;             /* what loading the file changed of the process */

    /* private */
    const job *job;
    void *self;
    bool created; /* there is a self */
    buffers buffers;
    bool buffers_live;
    reference last; /* the last comparison */
    fault fault;    /* the first; FAULT_NONE before it */
    char flags[128];
    double create_ns;
    unsigned batch;      /* runs a sample, of the last visit */
    uint32_t unrecorded; /* bits: the levels at which it recorded nothing */
} trial;

/* Tells the supervisor what is about to be done. */
void trial_step(trial *e, worker_step step);
/* Notes the failure of a call, if it is one; false for SCAN_OK. */
bool trial_failed(trial *e, scan_status status, worker_step call);
/* Notes a fault in the place of any before; false. */
bool trial_fault(trial *e, fault f);
/* Is there none so far? */
bool trial_is_good(const trial *e);
/* Adds to what is said of the result beside its fault. */
void trial_flag(trial *e, const char *flag);

/* Behind every call of the plugin: a process that it forked ends here. */
static inline void trial_alone(const trial *e)
{
    if (*e->forked)
        _exit(0);
}

scan_problem trial_problem(const job *j);

/* Each of these is false where it noted a failure. */

bool trial_supports(trial *e);
/* supports and create. */
bool trial_create(trial *e, void **self_p);
/* These and the buffers. */
bool trial_begin(trial *e);
/* The buffers that its job asks for. */
bool trial_allocate_all(trial *e);
/* Buffers alone. */
bool trial_allocate(trial *e, const buffers_spec *spec);
bool trial_run(trial *e);
/* One run into a poisoned output, compared in full with what is right for `spec`, which
 * the input holds. */
bool trial_compare(trial *e, const input_spec *spec);
/* The same without a run: of what the last one left. */
bool trial_compare_last(trial *e, const input_spec *spec);
/* Writes an input and compares `repeat` runs on it. */
bool trial_check(trial *e, uint32_t pattern, uint32_t repeat);

/* Looks at the guards of the buffers. */
bool trial_guards_intact(trial *e);
/* Notes a write outside scratch and an allocation in run; was there one? */
bool trial_trespassed(trial *e);
/* destroy and the buffers' end, of what there is. */
void trial_end(trial *e);

#endif
