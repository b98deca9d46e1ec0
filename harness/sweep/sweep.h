/*
 * sweep.h - measures the configurations of a plan, group after group, and hands each group on when
 * it is finished
 */
#ifndef SCANBENCH_SWEEP_SWEEP_H
#define SCANBENCH_SWEEP_SWEEP_H

#include "sweep/measure_group.h"

/* What the caller wants to know, and to decide. Each may be NULL; `context` is handed to all. */
typedef struct sweep_listener {
    /* Is the row of this configuration there already, so that it need not be measured? */
    bool (*has)(void *context, const measurement *m);
    /* A group is finished. Anything but SCAN_OK, with the reason in `error`, ends the sweep. */
    scan_status (*done)(void *context, const group *g, errmsg *error);
    void *context;
    measure_watcher watcher; /* with a context of its own */
} sweep_listener;

/* Does the listener have its row already? */
bool sweep_has(const sweep_listener *listener, const session *sessions, const configuration *c);

typedef struct sweep_options {
    size_t min_samples, max_samples; /* of each configuration */
    size_t least_rounds;             /* as in rounds_rule */
    uint64_t mem_limit;              /* bytes of host memory for the worker and its arrays */
    bool race;                       /* as in measure_options */
    bool alone;                      /* each configuration is a group of its own */
    size_t calibrators; /* the sessions from here on are those of the calibrators; 0: none */
} sweep_options;

/* The time limit that the configurations of a group share evenly. Where the ways of a ceiling are
 * measured, they share that of one, so this is less than the plan's. */
double sweep_time_limit_s(const group *g);

/* SCAN_OK; what `done` returned; SCAN_NO_MEMORY; SCAN_INVALID if a worker sent what is not a time;
 * or SCAN_ERROR with
 * "" in `error` when interrupted: the groups before were handed on. */
scan_status sweep_measure(const plan *p, session *sessions, const sweep_options *o,
                          const sweep_listener *listener, errmsg *error);

#endif
