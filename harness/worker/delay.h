/*
 * delay.h - delays the threads of this process at random moments, so that races between them come
 * out
 *
 * Timers interrupt the threads at random moments of a run, and the signal's handler sleeps or
 * yields. The calling thread's handler also sends the signal on to half of the others, because run
 * may have started some that have no timer. A program under a sampling profiler gets such signals
 * too: they restart system calls that can be restarted.
 */
#ifndef SCANBENCH_WORKER_DELAY_H
#define SCANBENCH_WORKER_DELAY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { DELAY_THREADS = 32 };

typedef struct delay {
    bool works; /* false: the other functions do nothing */
    struct sigaction before;
    timer_t timers[DELAY_THREADS]; /* of the other threads */
    size_t timer_count;
} delay;

/* Installs the handler, unless the plugin uses the signal. `seed` decides the moments. */
void delay_begin(delay *d_p, uint64_t seed);
/* Looks which threads there are between runs: those get timers of their own. */
void delay_find_threads(delay *d);
/* Were there other threads than the calling one, now or during a run that was armed? */
bool delay_met_threads(const delay *d);
/* Called right before a run that takes about run_ns, and right after it. */
void delay_arm(const delay *d, double run_ns);
void delay_disarm(const delay *d);
/* Removes the handler, after the last delay. */
void delay_end(delay *d);

#endif
