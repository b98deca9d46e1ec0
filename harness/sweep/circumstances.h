/*
 * circumstances.h - what was seen of the machine while a configuration was measured, and which
 * flags of its rows follow
 */
#ifndef SCANBENCH_SWEEP_CIRCUMSTANCES_H
#define SCANBENCH_SWEEP_CIRCUMSTANCES_H

#include "protocol/visit.h"

#include <sched.h>

struct group;

/* Of one value, over the visits that know it. */
typedef struct circumstance {
    uint64_t visits;
    uint64_t sum;
    uint64_t nonzero; /* visits */
    uint32_t most;
    uint32_t bits; /* of all visits */
} circumstance;

typedef struct circumstances {
    uint64_t visits;
    uint64_t switches;
    uint64_t faults;
    double ns; /* of all visits, while the samples of run were taken */
    circumstance values[WATCH_VALUES];

    /* Of the group's rounds: */
    unsigned cpus; /* processing units of the machine */
    bool has_load;
    double load;
    double own_ns; /* CPU time of the workers of its session, or less than 0: not all is known */
    double others; /* processing units' worth of time that other programs had of the hardware
                      threads of its cores, at least; 0 if unknown */
    double others_anywhere; /* the same of all of the machine */
    bool has_steal;
    double steal_pct;
} circumstances;

/* X(name, flag): what may be wrong with the machine, or with what the plugin has of it. */
#define CIRCUMSTANCE_FLAG_MAP(X) \
    X(BUSY, "busy")              \
    X(FAULTS, "faults")          \
    X(THROTTLED, "throttled")    \
    X(GPU_SHARED, "gpu_shared")  \
    X(THREADS, "threads")

typedef enum circumstance_flag {
#define X(name, flag) FLAG_##name,
    CIRCUMSTANCE_FLAG_MAP(X)
#undef X
        FLAGS
} circumstance_flag;

const char *circumstance_flag_word(circumstance_flag r);

/* Adds what one visit saw. */
void circumstances_add(circumstances *c, const watch *seen);

/* Does the flag hold? docs/csv.md has the limits. */
bool circumstances_are(const circumstances *c, circumstance_flag r);

/* The mean over visits, rounded; 0 if unknown. */
unsigned circumstances_mean(const circumstances *c, watch_value_name name);

/* The load, the stolen time and the other programs of the machine during the rounds of a group. */
typedef struct group_watch {
    char *stat; /* /proc/stat at the beginning, or NULL */
    bool has_load;
    double load;
    double own_ns; /* CPU time of this process */
    bool stands_aside;
    cpu_set_t everywhere, aside; /* where it may run, and where no worker of one core does */
} group_watch;

void group_watch_begin(group_watch *w_p, struct group *g);
/* Keeps this process off the cores of the workers, which it would interrupt whenever one has sent a
 * message; or lets it run everywhere, as it must be when a worker is started, which inherits that.
 */
void group_watch_stand(const group_watch *w, bool aside);
/* Fills in the circumstances of all members, and releases w. */
void group_watch_end(group_watch *w, struct group *g);

/* The processing units' worth of time that others than ours, which had own_ns, had of `pus` (NULL:
 * all of the machine) between two texts of /proc/stat, at least: ticks are samples of what runs, so
 * two standard errors are taken off. 0 if unknown. */
double others_on(const char *before, const char *after, const char *pus, double own_ns);

/* The processing units in the text of a binding, "core:1 pu:1 node:0"; NULL if it names none. */
const char *group_watch_pus(const char *binding, char *pus, size_t size);

#endif
