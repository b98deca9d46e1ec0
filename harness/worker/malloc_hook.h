/*
 * malloc_hook.h - sees what a plugin allocates while it should not
 *
 * The program's own malloc, calloc and the like, which every shared object it loads
 * then uses, hand on to the C library's and count while they are watched.
 */
#ifndef SCANBENCH_WORKER_MALLOC_HOOK_H
#define SCANBENCH_WORKER_MALLOC_HOOK_H

#include <stdbool.h>
#include <stddef.h>

/* Can it be seen at all? Not with another C library than glibc, nor with sanitizers,
 * which have a malloc of their own. */
bool malloc_hook_works(void);

/* Counts from here on, in all threads. */
void malloc_hook_begin(void);
/* Ends that: how many allocations there were, and the bytes of the largest. */
size_t malloc_hook_end(size_t *largest_p);

#endif
