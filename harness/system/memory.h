/*
 * memory.h - how much memory is available, sizes as text, and memory that processes share
 */
#ifndef SCANBENCH_SYSTEM_MEMORY_H
#define SCANBENCH_SYSTEM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most memory that a worker takes besides the arrays of its problem. */
enum { MEMORY_WORKER_BYTES = 64 << 20 };

/* Bytes this process may still take: what the system has available, or less where
 * a control group allows less. */
uint64_t memory_available(void);

/* What the control groups, version 1 or 2, of this process leave of their limits; UINT64_MAX where
 * there is none. root: "", or for tests a folder in place of /. */
uint64_t memory_group_room(const char *root);

/* "1.5 GiB"; returns text. */
const char *memory_text(uint64_t bytes, char *text, size_t size);

/* How long the first use of a byte takes, in seconds: the system finds and clears a page for it.
 * 0 where there is no memory to try it with. */
double memory_first_use_s(void);

/* ---- memory that several processes map: each finds its data in the same physical pages ---- */

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
