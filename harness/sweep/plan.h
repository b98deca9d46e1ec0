/*
 * plan.h - the configurations to measure, in order: for each type and size the ceilings, then the
 * baselines, then the other plugins, so that the times with which a row is compared are known when
 * it is measured
 */
#ifndef SCANBENCH_SWEEP_PLAN_H
#define SCANBENCH_SWEEP_PLAN_H

#include "loader/loader.h"
#include "supervisor/session_set.h"
#include "sweep/settings.h"
#include "text/errmsg.h"

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
    /* The rest is for plan.c. Others may read `sessions`. */
    size_t capacity;
    plan_entry *entries;
    int64_t *tunables;
    size_t tunables_used, tunables_capacity;
    const session *sessions;
    job common; /* what all jobs share */
} plan;

/* Plans all configurations of the open sessions. mem_limit: how many bytes of host memory a
 * configuration may need. SCAN_OK and *plan_p, released with plan_free; SCAN_INVALID if --set names
 * a tunable that no session has; SCAN_NO_MEMORY. */
scan_status plan_make(const measuring_options *m, const settings *s, const session_set *set,
                      uint64_t mem_limit, plan *plan_p, errmsg *error);
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

/* Sets c->status, and where that is not ROW_OK *reason_p to the reason of its row, which the caller
 * releases; else to NULL. mem_limit: how many bytes of host memory it may need. SCAN_OK or
 * SCAN_NO_MEMORY. */
scan_status plan_apply_rules(configuration *c, const session *sessions, uint64_t mem_limit,
                             char **reason_p);

/* One line for people: "opencl_blelloch i32 sum exclusive n=1000 block=256 pad=1". */
void plan_describe(const configuration *c, const session *sessions, char *text, size_t size);

/* Does each --set name a tunable of one of the sessions' plugins? SCAN_OK, or SCAN_INVALID
 * and `error` suggests the nearest one. */
scan_status plan_check_sets(const settings *s, const session_set *set, errmsg *error);

enum { CANDIDATES_MOST = LOADER_MAX_VALUES };

/*
 * The values of a tunable that are worth trying when nobody names any.
 *
 * Writes them to values[0 ... CANDIDATES_MOST-1], ascending and each once, and returns how many:
 * all entries of a list; of a range all, if those are 64 at most, and otherwise its ends, the
 * powers of two in it, the values halfway between those, and the default. places: the most threads.
 */
size_t candidates_of(const tunable_info *t, unsigned places, int64_t *values);

#endif
