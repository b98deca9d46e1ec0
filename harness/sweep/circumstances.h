/*
 * circumstances.h - what was seen of the machine while a configuration was measured, and which
 * flags of its rows follow
 */
#ifndef SCANBENCH_SWEEP_CIRCUMSTANCES_H
#define SCANBENCH_SWEEP_CIRCUMSTANCES_H

#include "protocol/watch.h"

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
    unsigned threads; /* that may run for the configuration; 0: not watched */
    unsigned cpus;    /* processing units of the machine */
    bool has_load;
    double load;
    double others; /* the load, less the threads of the group's largest configuration */
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

/* The load and the stolen time of the machine during the rounds of a group. */
typedef struct group_watch {
    char *stat; /* /proc/stat at the beginning, or NULL */
    bool has_load;
    double load;
} group_watch;

void group_watch_begin(group_watch *w_p);
/* Fills in the circumstances of all members, and releases w. */
void group_watch_end(group_watch *w, struct group *g);

/* The processing units in the text of a binding, "core:1 pu:1 node:0"; NULL if it names none. */
const char *group_watch_pus(const char *binding, char *pus, size_t size);

#endif
