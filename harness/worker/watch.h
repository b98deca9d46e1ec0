/*
 * watch.h - what the worker sees of the machine while it takes the samples of `run` in one visit:
 * interrupted runs, the GPU, threads that share too few cores
 */
#ifndef SCANBENCH_WORKER_WATCH_H
#define SCANBENCH_WORKER_WATCH_H

#include "protocol/visit.h"
#include "scan_plugin.h"
#include "worker/hooks.h"

#include <sys/resource.h>
#include <sys/types.h>

struct trial;

/*
 * Was a run interrupted? Then it took less of its thread's CPU time than of the clock's. That can
 * be asked of plugins that compute on the thread that calls them. The CPU time is read outside the
 * interval that is timed, so that asking costs the run nothing.
 */
typedef enum cpu_watch_state {
    CPU_WATCH_OFF,    /* it does not ask */
    CPU_WATCH_TRIES,  /* it asks; no run that was not interrupted has been seen yet */
    CPU_WATCH_GOES_ON /* it asks */
} cpu_watch_state;

/* Of an open configuration. */
typedef struct cpu_watch {
    cpu_watch_state state;
    double overhead_ns; /* CPU time of an interval in which nothing runs, as asking takes some */
} cpu_watch;

/* Asks where the plugin runs on one thread of the CPU and the system's clock of CPU time is fine
 * enough. Called after a first run, which may start threads. */
void cpu_watch_begin(cpu_watch *w_p, const struct trial *t);
/* The CPU time of this thread in ns; 0 where it does not ask. */
double cpu_watch_now_ns(const cpu_watch *w);
/* Was an interval of wall_ns interrupted, in which cpu_ns passed? */
bool cpu_watch_interrupted(cpu_watch *w, double wall_ns, double cpu_ns);
/* How often this thread has waited, be it for a lock, a file or a time; 0 where it does not ask. A
 * run in which it did not was interrupted by others alone. */
uint64_t cpu_watch_waits(const cpu_watch *w);
/* Called after a visit: if all runs so far were interrupted, the plugin waits by nature, and it
 * does not ask again. */
void cpu_watch_end_visit(cpu_watch *w);

/*
 * How many threads computed, and how many cores had they? A plugin without a tunable that counts
 * threads is bound to one core, and its threads with it. They take as long there as one thread, or
 * longer, so the time says little about the library. Only plugins on host memory are watched: the
 * threads of a driver wait.
 */
enum { WATCH_THREADS_MOST = 256 };

/* A moment: the clock, and the CPU times of this process, of the calling thread and of each other
 * thread. */
typedef struct watch_moment {
    double wall_ns, process_ns, main_ns;
    struct rusage usage;
    thread_counts threads;
    size_t count; /* of the others; the first WATCH_THREADS_MOST */
    struct {
        pid_t id;
        double ns;
    } others[WATCH_THREADS_MOST];
} watch_moment;

/* Of one worker. */
typedef struct worker_watch {
    const scan_plugin *plugin; /* whose device `gpu` is */
    uint32_t device;
    struct gpu_watch *gpu;   /* or NULL: none, or the library is not there */
    uint64_t asked_before;   /* for cores, before the plugin's first call */
    watch_moment start, end; /* of the samples */
    watch seen;              /* of this visit */
    double next_ns; /* when the system is asked again; `seen` keeps its values until then */
} worker_watch;

/* Before the plugin's instances: finds the GPU of the trial's device, if it is one. */
void watch_open(struct trial *t);
/* Around the samples. What was used between them beyond the declared cores is added to the trial's
 * excess_ns. */
void watch_begin(struct trial *t);
void watch_end(struct trial *t);
/* Between them: a thread of the harness, which has ended, took so much CPU time. */
void watch_leave_out(struct trial *t, double cpu_ns);
/* Asks the system and sends the message of the visit, in which the plugin ran `runs` times. */
void watch_send(struct trial *t, uint64_t runs);

/*
 * When a configuration is closed: does a plugin on the host use more cores than it declares? It is
 * given one, or as many as its tunable of threads says. false if it set a fault. Where visits had
 * an excess, it runs for a second more, and if an interval has one again, for another second after
 * a pause: threads of other configurations may spin for a second.
 */
bool watch_judge_cores(struct trial *t);

#endif
