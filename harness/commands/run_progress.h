/*
 * run_progress.h - the progress bar of a sweep: what is measured, and the time left as it is
 * forecast
 */
#ifndef SCANBENCH_COMMANDS_RUN_PROGRESS_H
#define SCANBENCH_COMMANDS_RUN_PROGRESS_H

#include "commands/progress.h"
#include "sweep/forecast.h"

typedef struct run_progress {
    progress bar;
    forecast forecast;       /* the caller adds the groups */
    const session *sessions; /* of the current group */
    double begun_s;          /* when it began */
    double forecast_s;       /* when the end was last forecast */
} run_progress;

/* The measuring begins, and the bar is shown if it is wanted. */
void run_progress_start(run_progress *p, bool wanted);

/* Tells the bar and the forecast what happens. p must live as long. */
measure_watcher run_progress_watcher(run_progress *p);

/* One line: how long the run takes. */
void run_progress_print(const run_progress *p, FILE *out);

#endif
