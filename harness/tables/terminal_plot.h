/*
 * terminal_plot.h - points of several lines on logarithmic axes, drawn with characters
 */
#ifndef SCANBENCH_TABLES_TERMINAL_PLOT_H
#define SCANBENCH_TABLES_TERMINAL_PLOT_H

#include <stddef.h>
#include <stdio.h>

enum { PLOT_LINES = 26, PLOT_ROWS = 16 };

typedef struct plot_point {
    double x, y; /* above 0 */
    size_t line; /* below PLOT_LINES: drawn as 'a' + line; or PLOT_LIMIT */
} plot_point;

/* The line of the copy, drawn as "-". */
enum { PLOT_LIMIT = PLOT_LINES };

/* Draws the points, those of one line joined, `width` columns wide; nothing where the x are all
 * alike, or for less than 30 columns. Where lines meet, the one that comes first is seen.
 * `y_text` writes a label for an y. */
void plot_draw(const plot_point *points, size_t count, size_t width,
               const char *(*y_text)(double y, char *text), FILE *out);

#endif
