/*
 * thread_hook.h - does the plugin start threads, and does it ask how many cores it may use?
 *
 * The program's own pthread_create, pthread_join, sched_getaffinity and pthread_getaffinity_np,
 * which count and call those of the C library, stand in for them in all that the worker loads.
 * Under sanitizers, which have functions of the same names, nothing is counted.
 */
#ifndef SCANBENCH_WORKER_THREAD_HOOK_H
#define SCANBENCH_WORKER_THREAD_HOOK_H

#include <stdint.h>

/* Threads that this process has started so far. */
uint64_t thread_hook_started(void);

/* Called before something: how many threads were started and not joined at once is counted from
 * here. After it: the most. */
void thread_hook_begin(void);
uint64_t thread_hook_most(void);

/* How often it has asked for the processing units of a thread or process so far. */
uint64_t thread_hook_asked(void);

#endif
