/*
 * crossover.h - between which sizes does one plugin begin to be faster than another?
 */
#ifndef SCANBENCH_REPORT_CROSSOVER_H
#define SCANBENCH_REPORT_CROSSOVER_H

#include "report/report.h"

/* X(name, word): what is known of a size. */
#define CROSSOVER_SIDE_MAP(X)                        \
    X(FASTER, "faster")                              \
    X(SLOWER, "slower")                              \
    X(TIED, "tied")       /* cannot be told apart */ \
    X(UNKNOWN, "unknown") /* no interval: the sign of `over` is all there is */

#define CROSSOVER_ENUMERATOR(name, word) CROSSOVER_##name,
typedef enum crossover_side { CROSSOVER_SIDE_MAP(CROSSOVER_ENUMERATOR) } crossover_side;
#undef CROSSOVER_ENUMERATOR

typedef struct crossover_point {
    uint64_t n;
    const result_row *row, *against;
    report_ratio speedup; /* the other's time over its own: above 1 if it is faster */
    crossover_side side;
} crossover_point;

/* Where it changes sides: somewhere between two measured sizes. */
typedef struct crossover {
    uint64_t from, to; /* the last size on the one side, the first on the other; in between all
                          are tied */
    double near;       /* where the line through the two nearest points of a logarithmic plot
                          crosses 1 */
    bool gains;        /* it becomes the faster one */
    bool certain;      /* by intervals; else by medians */
} crossover;

typedef struct crossover_line {
    size_t file;
    const char *plugin, *backend, *device;
    report_view view;
    crossover_point *points; /* ascending n */
    size_t count;
    crossover *crossings; /* ascending n */
    size_t crossing_count;
} crossover_line;

/* All lines of a sheet against the baseline of their file. */
typedef struct crossover_table {
    crossover_line *lines; /* by file, plugin and view */
    size_t count;
} crossover_table;

/* SCAN_OK and *table_p, which refers to the report, released with crossover_free; or
 * SCAN_NO_MEMORY. `sheet` is one of the report. */
scan_status crossover_make(const report *r, const report_sheet *sheet, crossover_table *table_p);
void crossover_free(crossover_table *table);

/* From which size is it faster? "from between 1e4 and 1e5 (about 2e4)", "at all sizes", "at no
 * size, or tied"; of one size "yes", "no", "tied". With "?" behind it where it goes by medians
 * alone. In `text`, which is returned. */
enum { CROSSOVER_TEXT_BYTES = 256 };
const char *crossover_text(const crossover_line *line, char text[CROSSOVER_TEXT_BYTES]);

#endif
