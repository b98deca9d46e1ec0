/*
 * row.h - a row of the CSV in memory: one configuration in one phase, with its rounds, and what is
 * computed from them beside the copy and the baseline of its group. columns.h has its cells.
 *
 * Ratios are made within the rounds of a group, so that drift cancels. Where the copy or the
 * baseline is not in the group (with --order sequential, or as --resume has kept it), the ratio is
 * that of the medians, without an interval.
 */
#ifndef SCANBENCH_OUTPUT_ROW_H
#define SCANBENCH_OUTPUT_ROW_H

#include "sweep/group.h"

enum { ROW_SCHEMA = 1, ROW_TEXT_BYTES = FAULT_SENTENCE_BYTES + 256 };

/* What the rows of a group share. */
typedef struct row_origin {
    char run_id[64], host[72];
    char now[32]; /* when they are written, ISO 8601 in UTC */
    uint64_t group_id;
} row_origin;

typedef struct measured_row {
    const row_origin *origin;
    const measurement *m;
    const measurement_phase *p; /* NULL: the configuration has no numbers */
    const job *problem;         /* whose n and dtype it has: of a calibrator those of its group */
    bool calibrator;
    double elems_per_s, bytes_per_s; /* 0: unknown */
    stats_rounds copy;         /* the time of the fastest copy over this one; median 0: unknown */
    stats_rounds speedup;      /* the baseline's time over this one */
    bool above_copy;           /* faster than the copy by more than noise */
    size_t sample;             /* of --samples: which one */
    char text[ROW_TEXT_BYTES]; /* of the cell that was asked for last */
} measured_row;

#define ROW_USUAL_BASELINE "cpu_serial"

/* The medians of copies and of the baseline, with which rows of other groups are compared. */
typedef struct row_references row_references;

/* An empty table; NULL if out of memory. `baseline` is the id of a plugin. Released with
 * row_references_free, which accepts NULL. */
row_references *row_references_new(const char *baseline);
void row_references_free(row_references *known);

/* Keeps the median of a phase, if other rows are compared with it. SCAN_OK or SCAN_NO_MEMORY. */
scan_status row_references_add(row_references *known, const measurement *m, phase_kind phase,
                               double median_ns);

/* The row of phase p of m (NULL: it has no numbers), which was measured in group g, or alone
 * (NULL). */
measured_row row_make(const row_origin *origin, const row_references *known, const group *g,
                      const measurement *m, const measurement_phase *p);

#endif
