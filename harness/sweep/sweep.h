/*
 * sweep.h - measures the configurations of a plan, group after group, and hands each group on when
 * it is finished
 */
#ifndef SCANBENCH_SWEEP_SWEEP_H
#define SCANBENCH_SWEEP_SWEEP_H

#include "sweep/group.h"

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

/* ---- how long it takes, roughly: a group costs what one with arrays of such bytes has cost, or a
 * guess from its time limit and its bytes ---- */

/* Classes of bytes: powers of two. */
enum { FORECAST_CLASSES = 64 };

typedef struct forecast_group {
    double array_bytes;    /* of a configuration's array: the mean of input and output */
    double time_limit_s;   /* of a configuration */
    size_t configurations; /* that are measured */
} forecast_group;

typedef struct forecast {
    size_t configurations, groups;    /* of the whole sweep */
    double guess_s[FORECAST_CLASSES]; /* of the groups that have not begun */
    double
        factor[FORECAST_CLASSES]; /* what the last group took over its guess; 0: none has ended */
    forecast_group current;       /* without configurations: none has begun */
} forecast;

/* Adds a group, or all of a plan but for what the listener has already. */
void forecast_add(forecast *f, const forecast_group *g);
void forecast_add_plan(forecast *f, const plan *p, const sweep_options *o,
                       const sweep_listener *listener);

/* The group begins; it ended, took_s later. */
void forecast_begin(forecast *f, const group *g);
void forecast_end(forecast *f, double took_s);

/* Seconds until all groups are finished, elapsed_s after the current one began. */
double forecast_left_s(const forecast *f, double elapsed_s);

#endif
