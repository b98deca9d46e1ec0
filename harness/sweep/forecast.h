/*
 * forecast.h - how long a sweep takes: the cost of its groups (group_cost.h), and how far the
 * current one has come
 */
#ifndef SCANBENCH_SWEEP_FORECAST_H
#define SCANBENCH_SWEEP_FORECAST_H

#include "sweep/group_cost.h"
#include "sweep/sweep.h"

typedef struct forecast forecast;

/* sessions: those of the calibrators, too. NULL if out of memory. Released with forecast_free,
 * which accepts NULL. */
forecast *forecast_new(const session *sessions, size_t session_count, const sweep_options *o);
void forecast_free(forecast *f);

/* Adds the next group. SCAN_OK or SCAN_NO_MEMORY. */
scan_status forecast_add(forecast *f, const group_members *g);
/* Adds all groups of a plan, but for what the listener has already. */
scan_status forecast_add_plan(forecast *f, const plan *p, const sweep_listener *listener);

typedef struct forecast_size {
    size_t configurations, groups; /* that are measured */
} forecast_size;
forecast_size forecast_size_of(const forecast *f);

/* What happens while the sweep runs. The next group begins. */
void forecast_begin(forecast *f);
/* A member of it, of session `of`, was opened in opening_s. */
void forecast_opened(forecast *f, uint32_t of, double opening_s);
/* A run of it takes run_ns. */
void forecast_estimated(forecast *f, uint32_t of, double run_ns);
/* Members are closed from now on, elapsed_s after the group began. */
void forecast_closing(forecast *f, double elapsed_s);
/* A member was closed: to open and close it took opening_s. */
void forecast_closed(forecast *f, uint32_t of, double opening_s);
/* The group is finished. */
void forecast_end(forecast *f, const group_rounds *rounds);

/* Seconds until all groups are finished, `elapsed_s` after the current one began. */
double forecast_left_s(forecast *f, double elapsed_s);

#endif
