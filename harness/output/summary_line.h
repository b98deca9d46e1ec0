/*
 * summary_line.h - one line of the closing table, and how it is laid out
 */
#ifndef SCANBENCH_OUTPUT_SUMMARY_LINE_H
#define SCANBENCH_OUTPUT_SUMMARY_LINE_H

#include "output/rates.h"

#include <stdio.h>

/* What stands before a name. */
#define SUMMARY_WINNER '*'
#define SUMMARY_TIED '='
#define SUMMARY_CEILING '^'

typedef struct summary_line {
    char plugin[80], problem[48], setting[176], reason[96];
    bool ceiling, in_place;
    bool other_kind; /* inclusive, where both kinds compete */
    uint32_t dtype, cache;
    row_status status;
    uint64_t n;
    size_t settings; /* how many configurations were measured */
    phase_rates rates;
    stats_rounds interval; /* of the run */
    bool noisy;
    double *values; /* of each round */
    size_t value_count;
} summary_line;

/* SCAN_OK and *line_p, released with summary_line_free; or SCAN_NO_MEMORY. */
scan_status summary_line_make(const measurement *m, const phase_rates *rates, summary_line *line_p);
void summary_line_free(summary_line *l);

bool summary_line_is_measured(const summary_line *l);

/* Can its time not be told from the winner's? summary_table.h says when. */
bool summary_line_ties(const summary_line *l, const summary_line *winner, bool in_rounds);

/* The columns that a line may lack, the first to go first. */
typedef enum summary_column {
    SUMMARY_RATE,
    SUMMARY_COPY,
    SUMMARY_HALF,
    SUMMARY_SPEEDUP,
    SUMMARY_OPTIONAL
} summary_column;

/* The columns that the lines of a table share. */
typedef struct summary_layout {
    FILE *out;
    bool color;
    size_t name_width, time_width; /* of the longest name, and of times before the point */
    size_t width;                  /* of a line */
    bool lacks[SUMMARY_OPTIONAL];  /* columns for which a narrow terminal has no room */
} summary_layout;

/* The unit in which times from the fastest to the slowest are read best. */
unsigned summary_line_unit(double fastest_ns, double slowest_ns);

/* Makes the columns wide enough for a line. */
void summary_line_widen(const summary_line *l, unsigned unit, summary_layout *layout);

/* Leaves out columns, and shortens names, until lines fit the width. */
void summary_layout_fit(summary_layout *layout);

/* The heading of the problem that the line belongs to. */
void summary_line_print_header(const summary_line *l, const summary_layout *layout);
void summary_line_print(const summary_line *l, char mark, unsigned unit,
                        const summary_layout *layout);

/* Which marks a table has. */
typedef struct summary_legend {
    bool winner, tied, ceiling, noisy, other_kind, in_place, in_rounds;
} summary_legend;

/* Says what they mean. */
void summary_legend_print(const summary_legend *legend, size_t columns, FILE *out);

#endif
