/*
 * shared_memory.h - memory that several processes map, so that each finds its data in the same
 * physical pages
 */
#ifndef SCANBENCH_SYSTEM_SHARED_MEMORY_H
#define SCANBENCH_SYSTEM_SHARED_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { SHARED_MEMORY_PATH_BYTES = 48 };

typedef struct shared_memory {
    int file;
    /* What other processes open it by as long as it lives here; "": the system has none */
    char path[SHARED_MEMORY_PATH_BYTES];
} shared_memory;

/* `bytes` bytes, of which only those that are used take memory. Where the system refuses, the path
 * is "". Released with shared_memory_free. */
shared_memory shared_memory_new(uint64_t bytes);
void shared_memory_free(shared_memory *m);

/* Maps the pages from `offset` on in place of those at `address`, readable and writable; both are
 * whole pages. false, with errno, if the system refuses or if there are not that many. */
bool shared_memory_map(const char *path, uint64_t offset, void *address, uint64_t bytes);

#endif
