/*
 * trial.h - one configuration in progress in a worker: its instance, its buffers, and the outcome
 * so far
 */
#ifndef SCANBENCH_WORKER_TRIAL_H
#define SCANBENCH_WORKER_TRIAL_H

#include "protocol/fault.h"
#include "protocol/job.h"
#include "protocol/visit.h"
#include "worker/buffers.h"
#include "worker/cpu_watch.h"
#include "worker/displace.h"
#include "worker/spot_check.h"
#include "worker/spot_table.h"

#include <signal.h>
#include <unistd.h>

typedef struct trial {
    const scan_plugin *plugin;   /* the host's complete copy */
    const scan_plugin *exported; /* the plugin's own struct, for calls of its functions */
    const scan_parts *parts;     /* a complete copy, or NULL: it does not know of parts */
    const scan_ranks *ranks;     /* likewise: its parts lie in other processes */
    void *context;               /* open, or NULL for host memory */
    uint32_t device;
    worker_host *host;
    displacement *displacement; /* of the worker */
    spot_table *spots;          /* of the worker */
    FILE *out;
    const uint64_t *serial; /* of the command that is obeyed: every message repeats it */
    struct worker_watch *watch;
    const volatile sig_atomic_t *forked; /* set in a process that the plugin forked */
    fault_part load_changed;             /* what loading the file changed in the process */

    /* private */
    const job *job;
    void *self;
    bool created;  /* `self` is valid */
    uint64_t tile; /* what tile of its scan_parts said, if it was asked; else 0 */
    buffers buffers;
    bool buffers_live;
    bool input_known;   /* the buffers hold the input `written` */
    input_spec written; /* moves with the buffers */
    uint32_t runs;      /* of BEHAVE_RACES, with the one that is wrong; else 0 */
    bool compared;      /* an output of it, with the reference, and right */
    reference last;     /* the last comparison */
    fault fault;        /* the first fault; FAULT_NONE so far */
    char flags[128];
    double create_ns;
    cpu_watch cpu_watch;
    spot_times spot_times;
    visit_spin spin;     /* around the last visit */
    unsigned batch;      /* runs a sample, of the last visit */
    bool timed;          /* the input that is compared is the one that it is timed on */
    uint32_t unrecorded; /* bits: the levels at which it recorded nothing */
} trial;

/* Begins a message to the supervisor. */
void trial_message(const trial *e, const char *verb);
/* Tells the supervisor which step begins. */
void trial_step(trial *e, worker_step step);
/* Repeats the step if 0.2 s have passed since *told_p, the time when the supervisor last heard of
 * it, as it waits for signs of life. */
void trial_show_life(trial *e, worker_step step, double *told_p);
/* Did the call fail? If so, sets the fault. false for SCAN_OK. */
bool trial_failed(trial *e, scan_status status, worker_step call);
/* Sets the fault, replacing an earlier one. Returns false. */
bool trial_fault(trial *e, fault f);
/* Is there no fault so far? */
bool trial_is_good(const trial *e);
/* Adds a remark to the result's flags. */
void trial_flag(trial *e, const char *flag);

/* Called after every call of the plugin: a process that the plugin forked ends here. */
static inline void trial_alone(const trial *e)
{
    if (*e->forked)
        _exit(0);
}

scan_problem trial_problem(const job *j);

/* How its job divides the problem. [started] */
buffers_layout trial_layout(const trial *e);

/* Is it a ceiling, each of whose outputs depends on the input there alone? */
bool trial_is_copy(const trial *e);
/* What its output must be. */
reference_rule trial_rule(const trial *e);
/* What an output of the input `written` is compared with, from its first element on. */
reference trial_reference(const trial *e);

/* Must elements of its buffers be copied to be looked at, as those on a device and in other
 * processes must? */
bool trial_copies_elements(const trial *e);

/* How to call run, with the arguments that buffers_in and buffers_out give; for loops that time
 * it, where nothing may stand between the calls. */
typedef struct trial_call {
    scan_status (*run)(void *self, scan_buffer in, scan_buffer out);
    void *self;
} trial_call;
trial_call trial_call_of(trial *e);

/* Gives e the buffers of another trial of the same plugin and size, if they suit; that one
 * allocates new ones when it needs them. So trials of one problem use the same memory, one after
 * the other. */
void trial_take_buffers(trial *e, trial *from);

/* Each of these returns false if it set a fault. */

bool trial_supports(trial *e);
/* Calls supports, then create. */
bool trial_create(trial *e, void **self_p);
/* Calls supports and create, and asks for the layout of its parts. */
bool trial_start(trial *e);
/* The same, if that is still to do, and allocates the buffers, if it has none. */
bool trial_begin(trial *e);
/* The buffers that its job asks for. */
bool trial_allocate_all(trial *e);
/* Buffers alone. */
bool trial_allocate(trial *e, const buffers_spec *spec);

/* Destroys the instance, if it exists. */
void trial_destroy(trial *e);
/* And the buffers. */
void trial_end(trial *e);

#endif
