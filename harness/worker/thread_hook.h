/*
 * thread_hook.h - does the plugin start threads, and does it ask how many cores it may use?
 *
 * The program defines functions of the C library that start threads (pthread_create, pthread_join)
 * or say how many cores there are (sched_getaffinity, pthread_getaffinity_np, get_nprocs, sysconf).
 * All that the worker loads calls these, which count the call and pass it on. Under sanitizers,
 * which define functions of the same names, nothing is counted.
 */
#ifndef SCANBENCH_WORKER_THREAD_HOOK_H
#define SCANBENCH_WORKER_THREAD_HOOK_H

#include <stdint.h>

/* Threads that this process has started so far. */
uint64_t thread_hook_started(void);

/* Between the two: the largest number of threads that were started and not yet joined. */
void thread_hook_begin(void);
uint64_t thread_hook_most(void);

/* How often this process has asked for its number of cores so far. */
uint64_t thread_hook_asked(void);

#endif
