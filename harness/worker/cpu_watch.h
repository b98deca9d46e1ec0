/*
 * cpu_watch.h - was a run interrupted? Then it took less of its thread's CPU time than of the
 * clock's
 *
 * That can be asked of plugins that compute on the thread that calls them. The CPU time is read
 * outside the interval that is timed, so that asking costs the run nothing.
 */
#ifndef SCANBENCH_WORKER_CPU_WATCH_H
#define SCANBENCH_WORKER_CPU_WATCH_H

#include "scan_plugin.h"

#include <stdbool.h>

typedef struct cpu_watch {
    bool asks;          /* zeros: it never asks */
    bool any_whole;     /* a run that was not interrupted was seen */
    double overhead_ns; /* CPU time of an interval in which nothing runs */
} cpu_watch;

/* Asks where the plugin runs on one thread of the CPU and the system's clock of CPU time is fine
 * enough. Called after a first run, which may start threads. */
void cpu_watch_begin(cpu_watch *w_p, const scan_plugin *plugin);

/* The CPU time of this thread in ns; 0 where it does not ask. */
double cpu_watch_now_ns(const cpu_watch *w);

/* What has passed of it since, less what the asking took. */
double cpu_watch_since_ns(const cpu_watch *w, double start_ns);

/* Was an interval of wall_ns interrupted, in which cpu_ns passed? */
bool cpu_watch_interrupted(cpu_watch *w, double wall_ns, double cpu_ns);

/* Told that an interrupted run did not wait: it will go on asking. */
void cpu_watch_not_waiting(cpu_watch *w);

/* How often this thread has waited, be it for a lock, a file or a time; 0 where it does not ask. A
 * run in which it did not was interrupted by others alone. */
uint64_t cpu_watch_waits(const cpu_watch *w);

/* Called after a visit: if all runs so far were interrupted, the plugin waits by nature, and it
 * does not ask again. */
void cpu_watch_end_visit(cpu_watch *w);

#endif
