/*
 * run_progress.h - the progress bar of a sweep: tells the forecast what a sweep's listener hears,
 * and the bar what is forecast
 */
#ifndef SCANBENCH_COMMANDS_RUN_PROGRESS_H
#define SCANBENCH_COMMANDS_RUN_PROGRESS_H

#include "output/progress.h"
#include "sweep/forecast.h"

typedef struct run_progress {
    progress bar;
    forecast *forecast;
    const session *sessions;
    double begun_s;    /* the current group */
    double forecast_s; /* when the end was last forecast */
    bool opening;      /* a configuration is being opened */
    uint32_t opened;   /* its session */
    double opening_s;  /* when that began */
} run_progress;

/* Prepares a forecast without groups, which forecast_add or forecast_add_plan adds. SCAN_OK, and
 * then it is released with run_progress_free; or SCAN_NO_MEMORY. */
scan_status run_progress_new(run_progress *p, const session *sessions, size_t session_count,
                             const sweep_options *o);
void run_progress_free(run_progress *p);

/* The measuring begins, and the bar is shown if it is wanted. */
void run_progress_start(run_progress *p, bool wanted);

/* What the listener hears. */
void run_progress_begin(run_progress *p);
void run_progress_turn(run_progress *p, const group_entry *m, double share);
void run_progress_done(run_progress *p, const group *g);

/* One line: how long the run takes. */
void run_progress_print(const run_progress *p, FILE *out);

#endif
