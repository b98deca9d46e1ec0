/*
 * forecast.h - how long a sweep takes: before it from what configurations usually cost, and while
 * it runs from what those of similar size have really cost
 *
 * A group costs what it takes to open and close its members, which grows with their arrays, and
 * the time of its rounds. These are played through with the rules of rounds.h and the duration of
 * a run. Both durations are known for the sizes that were measured, are extended along a line to
 * larger ones, and start from a guess. What the rounds of the finished group of the nearest size
 * took besides is expected of others too.
 */
#ifndef SCANBENCH_SWEEP_FORECAST_H
#define SCANBENCH_SWEEP_FORECAST_H

#include "sweep/sweep.h"

typedef struct forecast forecast;

/* sessions: those of the calibrators, too. NULL if out of memory. Released with forecast_free,
 * which accepts NULL. */
forecast *forecast_new(const session *sessions, size_t session_count, const sweep_options *o);
void forecast_free(forecast *f);

/* What a group is made of. */
typedef struct forecast_group {
    double array_bytes; /* of one array of a configuration */
    double time_limit_s;
    const uint32_t *sessions; /* of the members that are measured, count of them */
    size_t count;
    size_t calibrators; /* the last of them: they have no share of the time */
} forecast_group;

/* Adds the next group. SCAN_OK or SCAN_NO_MEMORY. */
scan_status forecast_add(forecast *f, const forecast_group *g);
/* Adds all groups of a plan, but for what the listener has already. */
scan_status forecast_add_plan(forecast *f, const plan *p, const sweep_listener *listener);

typedef struct forecast_size {
    size_t configurations, groups; /* that are measured */
} forecast_size;
forecast_size forecast_size_of(const forecast *f);

/* While the sweep runs: the next group begins, */
void forecast_begin(forecast *f);
/* a member of it was opened in so many seconds, */
void forecast_opened(forecast *f, uint32_t of, double opening_s);
/* its run takes so long, */
void forecast_estimated(forecast *f, uint32_t of, double run_ns);
/* members are closed from now on, so many seconds after it began, */
void forecast_closing(forecast *f, double elapsed_s);
/* to open and to close one took so many seconds, */
void forecast_closed(forecast *f, uint32_t of, double opening_s);
/* and the group is finished. */
typedef struct forecast_cost {
    double rounds_s; /* without opening and closing */
    size_t rounds;
    bool precise; /* no more rounds were needed */
} forecast_cost;
void forecast_end(forecast *f, const forecast_cost *cost);

/* Seconds until all groups are finished, `elapsed_s` after the current one began. */
double forecast_left_s(forecast *f, double elapsed_s);

#endif
