/*
 * plan.h - the configurations to measure, in order
 */
#ifndef SCANBENCH_SWEEP_PLAN_H
#define SCANBENCH_SWEEP_PLAN_H

#include "loader/loader.h"
#include "supervisor/session_set.h"

/* With the final 0: as many tunables as a plugin may have, each as "name=value;". A row is known
 * by them, so none may be cut off. */
enum {
    PLAN_PARAMS_BYTES = JOB_TUNABLES * (LOADER_TUNABLE_LENGTH + sizeof "=-9223372036854775808")
};

typedef struct configuration {
    size_t session;
    job job;
    bool has_block, has_vt;
    unsigned parts; /* 0: its plugin does not know of parts */
    int64_t block, vt;
    unsigned threads;               /* on the CPU; 1 for device plugins */
    char params[PLAN_PARAMS_BYTES]; /* the other tunables: "pad=1;threads=2" */
    row_status status;              /* ROW_OK: it is measured; else that of its row */
    const char *reason;
} configuration;

typedef struct plan_entry plan_entry;

/* Keeps little about each configuration, because there may be millions; plan_get computes the
 * rest. */
typedef struct plan {
    size_t count;
    /* The rest is for plan.c, and for plan_make.c, which begins it. Others may read `sessions`. */
    size_t capacity;
    plan_entry *entries;
    int64_t *tunables;
    size_t tunables_used, tunables_capacity;
    const session *sessions;
    job common; /* what all jobs share */
} plan;

/* Adds one, of `sharers` of one time limit. The plan owns `reason`, why it is not measured, or
 * NULL. SCAN_OK or SCAN_NO_MEMORY, and then the reason is not taken. */
scan_status plan_add(plan *p, const configuration *c, uint32_t sharers, char *reason);
void plan_free(plan *p);
/* The sessions lie elsewhere now. */
void plan_move(plan *p, const session *sessions);

/* The i-th configuration, valid as long as the plan and the sessions are. */
configuration plan_get(const plan *p, size_t i);

/* The arrays of a configuration while it is measured, in bytes: on the host, and on the device
 * where that has memory of its own. */
typedef struct plan_memory {
    uint64_t host, device;
} plan_memory;
plan_memory plan_memory_of(const configuration *c, const session *sessions);

/* Does it compute in the host's memory, or in memory taken from that? */
bool plan_is_on_host(const session *one);
/* How many parts share its problem; 0: its plugin does not know of parts. */
unsigned plan_parts_of(const session *one, const job *j);

/* One line for people: "opencl_blelloch i32 sum exclusive n=1000 block=256 pad=1". */
void plan_describe(const configuration *c, const session *sessions, char *text, size_t size);

#endif
