/*
 * malloc_hook.h - counts what a plugin allocates while it should not
 *
 * The program defines malloc, calloc and the like, so that every shared object it loads
 * uses these. They call the C library's and, between begin and end, count.
 */
#ifndef SCANBENCH_WORKER_MALLOC_HOOK_H
#define SCANBENCH_WORKER_MALLOC_HOOK_H

#include <stdbool.h>
#include <stddef.h>

/* Can allocations be counted? Not with another C library than glibc, nor with sanitizers,
 * which have a malloc of their own. */
bool malloc_hook_works(void);

/* Counts from here on, in all threads. */
void malloc_hook_begin(void);
/* Ends that: how many allocations there were, and the bytes of the largest. */
size_t malloc_hook_end(size_t *largest_p);

#endif
