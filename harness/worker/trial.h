/*
 * trial.h - one configuration in progress in a worker: its instance, its buffers, its runs, and the
 * outcome so far
 */
#ifndef SCANBENCH_WORKER_TRIAL_H
#define SCANBENCH_WORKER_TRIAL_H

#include "protocol/fault.h"
#include "protocol/job.h"
#include "protocol/visit.h"
#include "worker/buffers.h"
#include "worker/displace.h"
#include "worker/spot_check.h"
#include "worker/watch.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* What a trial has of buffers. */
typedef enum trial_holds {
    HOLDS_NOTHING,
    HOLDS_BUFFERS, /* with anything in them */
    HOLDS_INPUT    /* they hold the input `written` */
} trial_holds;

/* What the thread that runs notes for another (sampling.c); in cache lines of their own. */
typedef struct interval_notes {
    char before[64];
    atomic_bool begun;
    char between[64];
    atomic_uint run; /* the number of the last that has begun */
    char behind[64];
} interval_notes;

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
    double told_ns; /* when the last step began */
    bool brief;     /* steps are told now and then only */
    const job *job;
    job own_job;        /* of one that is open for visits, */
    struct trial *next; /* and the next of those */
    void *self;
    bool created;  /* `self` is valid */
    uint64_t tile; /* what tile of its scan_parts said, if it was asked; else 0 */
    buffers buffers;
    trial_holds holds;
    input_spec written; /* moves with the buffers */
    uint32_t runs;      /* of a behaviour that is asked for many, with the one that is wrong */
    bool compared;      /* an output of it, with the reference, and right */
    reference last;     /* the last comparison */
    fault fault;        /* the first fault; FAULT_NONE so far */
    char flags[128];
    double create_ns;
    double first_run_ns; /* of the first run outside the timing; 0: there was none */
    cpu_watch cpu_watch;
    spot_times spot_times;
    interval_notes notes;
    bool changes_late; /* at the last look, each time */
    double excess_ns;  /* CPU time beyond that of the declared cores */
    visit_estimate estimate;
    unsigned batch;      /* runs a sample, of the last visit */
    unsigned visits;     /* so far */
    bool timed;          /* the input that is compared is the one that it is timed on */
    uint32_t unrecorded; /* bits: the levels at which it recorded nothing */
} trial;

/* Tells the supervisor which step begins. */
void trial_step(trial *t, worker_step step);
/* Repeats the step if 0.2 s have passed since the last, as the supervisor waits for signs of life.
 */
void trial_show_life(trial *t, worker_step step);
/* Did the call fail? If so, sets the fault. false for SCAN_OK. */
bool trial_failed(trial *t, scan_status status, worker_step call);
/* Sets the fault, replacing an earlier one. Returns false. */
bool trial_fault(trial *t, fault f);
/* Is there no fault so far? */
bool trial_is_good(const trial *t);
/* Adds a remark to the result's flags, once. */
void trial_flag(trial *t, const char *flag);

/*
 * The last message of a configuration; false only where the supervisor is gone.
 *     done   fault= ...                      what went wrong, or none (fault.h)
 *            verified= error= flags=
 *            runs=                           of a behaviour that is asked for many
 */
bool trial_send_done(const trial *t);

/* Called after every call of the plugin: a process that the plugin forked ends here. */
static inline void trial_alone(const trial *t)
{
    if (*t->forked)
        _exit(0);
}

/* Does supports accept that job? The reason is forgotten. */
bool trial_accepts(const trial *t, const job *j);
/* In a proof: asks supports about other jobs, some of which it may refuse. */
void trial_distract(const trial *t);

/* Can its runs be asked for SCAN_RECORD_GRAPH? Not in several parts, which no graph spans.
 * [started]
 */
bool trial_knows_graphs(const trial *t);

/* How its job divides the problem. [started] */
buffers_layout trial_layout(const trial *t);

/* Is it a ceiling, each of whose outputs depends on the input there alone? */
bool trial_is_copy(const trial *t);
/* Begins a comparison with what an output of that input must be. */
reference trial_reference(const trial *t, const input_spec *spec);

/* Must elements of its buffers be copied to be looked at, as those on a device and in other
 * processes must? */
bool trial_copies_elements(const trial *t);

/* How to call run, with the arguments that buffers_in and buffers_out give; for loops that time
 * it, where nothing may stand between the calls. */
typedef struct trial_call {
    scan_status (*run)(void *self, scan_buffer in, scan_buffer out);
    void *self;
} trial_call;
trial_call trial_call_of(trial *t);

/* Gives t the buffers of another trial of the same plugin and size, if they suit; that one
 * allocates new ones when it needs them. So trials of one problem use the same memory, one after
 * the other. */
void trial_take_buffers(trial *t, trial *from);

/* Each of these returns false if it set a fault. */

bool trial_supports(trial *t);
/* Calls supports, then create. */
bool trial_create(trial *t, void **self_p);
/* Calls supports and create, and asks for the layout of its parts. */
bool trial_start(trial *t);
/* The same, if that is still to do, and allocates the buffers, if it has none. */
bool trial_begin(trial *t);
/* Destroys the instance and makes another one. */
bool trial_renew(trial *t);
/* The buffers that its job asks for. */
bool trial_allocate_all(trial *t);
/* Buffers in that layout; of `whole`, only how they lie in memory is to be filled in. */
bool trial_allocate(trial *t, buffers_layout layout, part_spec whole);
/* Gives the buffers back, if it has any. */
void trial_release(trial *t);

/* Destroys the instance, if it exists. */
void trial_destroy(trial *t);
/* And the buffers. */
void trial_end(trial *t);

/* ---- runs, and what they leave ------------------------------------------------ */

bool trial_run(trial *t);
/* What a run in place has overwritten; nothing for others. */
bool trial_restore(trial *t);
/* Writes an input, unless the buffers hold it. */
bool trial_write_input(trial *t, const input_spec *spec);
/* Runs once into a poisoned output and compares it in full with the reference for `spec`, which the
 * input already holds. */
bool trial_compare(trial *t, const input_spec *spec);
/* Compares `repeat` runs, at least 1, and writes an input anew for every second of them: what is
 * kept of the run before may do no harm with the same input. */
bool trial_check(trial *t, uint32_t pattern, uint32_t repeat);
/* The same without the messages, which take longer than a short run: writes an input and poisons
 * the output; compares what a run has left, with room for points to keep or NULL; or all three.
 * `place` becomes that of a fault. */
bool trial_prepare_silently(trial *t, const input_spec *spec);
bool trial_compare_output(trial *t, const input_spec *spec, reference_point *points,
                          fault_place place);
bool trial_compare_silently(trial *t, const input_spec *spec, fault_place place);

/* Looks at the guards of the buffers. */
bool trial_guards_intact(trial *t);
/* Is the input, or the poison of the output, on the device (buffers_read_back)? */
bool trial_reads_back(trial *t, bool input);
/* Notes a write outside scratch and an allocation in run; was there one? */
bool trial_trespassed(trial *t);

#endif
