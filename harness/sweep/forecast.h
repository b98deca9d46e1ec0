/*
 * forecast.h - how long a sweep takes, roughly: a group costs what one with arrays of such bytes
 * has cost, or a guess from its time limit and its bytes
 */
#ifndef SCANBENCH_SWEEP_FORECAST_H
#define SCANBENCH_SWEEP_FORECAST_H

#include "sweep/sweep.h"

/* Classes of bytes: powers of two. */
enum { FORECAST_CLASSES = 64 };

typedef struct forecast_group {
    double array_bytes;    /* of one configuration's array */
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
