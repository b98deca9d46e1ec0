/*
 * progress.h - a bar with the time left, on stderr if that is a terminal
 */
#ifndef SCANBENCH_OUTPUT_PROGRESS_H
#define SCANBENCH_OUTPUT_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown;
    double start_s, drawn_s;
    double done, total; /* weights */
    char label[160];
} progress;

void progress_begin(progress *p, bool wanted, double total);
/* The configuration being measured now. */
void progress_label(progress *p, const char *label);
/* Draws the bar, at most ten times a second. */
void progress_tick(progress *p);
/* Adds `weight` to what is done. */
void progress_add(progress *p, double weight);
/* Removes the bar, before a message or at the end. */
void progress_clear(progress *p);

#endif
