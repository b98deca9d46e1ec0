/*
 * progress.h - a bar with the time elapsed and the time left, on stderr if that is a terminal; and
 * that of a sweep, which says what is measured and forecasts the time left
 */
#ifndef SCANBENCH_COMMANDS_PROGRESS_H
#define SCANBENCH_COMMANDS_PROGRESS_H

#include "sweep/sweep.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct progress {
    bool shown;
    double start_s, drawn_s;
    double end_s; /* when the end is expected */
    char name[80], problem[160];
} progress;

/* Removes the bar, before a message or at the end. */
void progress_clear(const progress *p);

/* The bar as it is drawn `now_s`, at most `columns` wide. */
void progress_draw(const progress *p, double now_s, size_t columns, char *line, size_t size);

/* Durations as people read them. */
enum { DURATION_BYTES = 40 };

/* "4:20", "1:02:03". Each returns `text`. */
const char *duration_clock(double seconds, char text[DURATION_BYTES]);
/* "9 s", "4 min 20 s", "2 h 10 min". */
const char *duration_words(double seconds, char text[DURATION_BYTES]);

/* ---- of a sweep ---- */

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
