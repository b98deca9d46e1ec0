/*
 * members.h - asks the configurations of a group to open, to be sampled, to give their buffers back
 * and to close, and keeps what is open, whose the buffers are and what was measured
 */
#ifndef SCANBENCH_SWEEP_MEMBERS_H
#define SCANBENCH_SWEEP_MEMBERS_H

#include "sweep/group.h"

typedef struct members {
    group *g;
    const rounds_rule *rule;
    uint64_t mem_limit; /* bytes of host memory for a worker and the arrays of what is open */
    session_tick tick;  /* called at every sign of life; may be NULL */
    void *context;      /* of tick */
    uint32_t round;     /* of the samples that come */
    scan_status status; /* why an answer was false: SCAN_ERROR if interrupted, SCAN_NO_MEMORY */
} members;

/* One request to the worker of m; v is that of SESSION_VISIT. What became of m stands in it. False
 * when interrupted or without memory. */
bool members_ask(members *all, group_entry *m, session_verb what, const visit *v);

/* Makes m open, with room for its buffers, or over. False as above. */
bool members_open(members *all, group_entry *m);

#endif
