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
    uint64_t count;               /* of them */
    bool poison;                  /* fill blocks before they are used and after */
    uint64_t fail;                /* 1: the next allocation fails, 2: the one after, ...; 0: none */
    fault damage;                 /* the first write outside a block that was found */
} scratch;

/* A block, or NULL where there is no memory or it is to fail. */
void *scratch_allocate(scratch *s, size_t bytes, size_t alignment);
/* Takes a block back, after a look at its guards; NULL is nothing. */
void scratch_release(scratch *s, void *memory);

/* Looks at the guards of all blocks: is there no damage? */
bool scratch_is_intact(scratch *s);

#endif
