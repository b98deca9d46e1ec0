/*
 * scratch.h - the host memory that plugins take with host->allocate, each block between
 * guards
 */
#ifndef SCANBENCH_WORKER_SCRATCH_H
#define SCANBENCH_WORKER_SCRATCH_H

#include "protocol/fault.h"
#include "system/topology.h"

typedef struct scratch {
    cpu_topology *machine;        /* where blocks are placed */
    struct scratch_block *blocks; /* not yet released */
    uint64_t count;               /* number of blocks */
    bool poison;   /* fill blocks when they are allocated and when they are released */
    uint64_t fail; /* 1: the next allocation fails, 2: the one after, ...; 0: none */
    fault damage;  /* the first write outside a block, if one was found */
} scratch;

/* A block, or NULL if there is no memory or this allocation is to fail. */
void *scratch_allocate(scratch *s, size_t bytes, size_t alignment);
/* Checks the guards of a block and frees it; does nothing for NULL. */
void scratch_release(scratch *s, void *memory);

/* Checks the guards of all blocks. false if there was a write outside one. */
bool scratch_is_intact(scratch *s);

#endif
