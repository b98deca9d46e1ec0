/*
 * malloc_hook.h - counts what a plugin allocates when it should not
 *
 * The program defines malloc, calloc and the like, so that every shared object it loads uses these.
 * They call the C library's functions and, between begin and end, count.
 */
#ifndef SCANBENCH_WORKER_MALLOC_HOOK_H
#define SCANBENCH_WORKER_MALLOC_HOOK_H

#include <stdbool.h>
#include <stddef.h>

/* Can allocations be counted? Only with glibc, and not with sanitizers, which have their own
 * malloc. */
bool malloc_hook_works(void);

/* Counts from here on, in all threads. */
void malloc_hook_begin(void);
/* Stops counting. Returns how many allocations there were; *largest_p is the size of the
 * largest. */
size_t malloc_hook_end(size_t *largest_p);

#endif
