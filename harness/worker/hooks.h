/*
 * hooks.h - functions of the C library that the program defines itself, so that all that the worker
 * loads calls these: they note the call and pass it on
 *
 * Does the plugin start threads (pthread_create, pthread_join), does it ask how many cores it may
 * use (sched_getaffinity, pthread_getaffinity_np, get_nprocs, sysconf), does it allocate when it
 * should not (malloc, calloc, mmap and the like), and what does it do where it gets no memory?
 * Under sanitizers, which define functions of the same names, nothing is noted.
 */
#ifndef SCANBENCH_WORKER_HOOKS_H
#define SCANBENCH_WORKER_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What this process has done so far. */
typedef struct thread_counts {
    uint64_t started; /* threads */
    uint64_t most;    /* of those started since thread_hook_begin and not joined, at once */
    uint64_t asked;   /* for its number of cores */
} thread_counts;

void thread_hook_begin(void);
thread_counts thread_hook_counts(void);

/* Can allocations be counted? Only with glibc, and not with sanitizers. */
bool malloc_hook_works(void);

/* Counts allocations from here on, in all threads: all, or those of the file that is watched. */
typedef enum malloc_hook_scope {
    MALLOC_HOOK_OFF,
    MALLOC_HOOK_ALL,
    MALLOC_HOOK_FILE
} malloc_hook_scope;
void malloc_hook_begin(malloc_hook_scope scope);
/* Stops counting. Returns how many there were; *largest_p is the size of the largest. */
size_t malloc_hook_end(size_t *largest_p);

/* The file to which the address belongs: what follows is about calls from its code, and not from
 * libraries that it calls. */
void hooks_watch_file(const void *inside);

/* From here on, the k-th allocation that it asks for fails. 0: none. */
void malloc_hook_fail(uint64_t k);
/* Ends that. Did one fail? */
bool malloc_hook_failed(void);

/* How many names of shared memory, semaphores and queues it has made that are still there and would
 * outlive the process. */
size_t name_hook_left(void);

#endif
