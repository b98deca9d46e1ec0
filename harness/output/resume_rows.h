/*
 * resume_rows.h - the rows of the file that is resumed, by their configurations and problems
 *
 * resume.c reads them, asks whether they are sound and where they come from, and decides which of
 * them stay; resume_apply.c takes out the others.
 */
#ifndef SCANBENCH_OUTPUT_RESUME_ROWS_H
#define SCANBENCH_OUTPUT_RESUME_ROWS_H

#include "output/csv_reader.h"
#include "output/resume.h"
#include "text/hash_map.h"

#define NO_ROW SIZE_MAX

/* One row of the file. */
typedef struct old_row {
    size_t previous;       /* the previous row of the same configuration, or NO_ROW */
    size_t previous_alike; /* the previous one of the same problem, whatever device and settings */
    phase_kind phase;
    row_status status;
    bool replaced; /* it is taken out of the file */
    double median_ns;
} old_row;

/* The columns that are read; -1 if the file lacks one. */
typedef struct row_columns {
    int key[MEASUREMENT_KEY_COLUMNS];
    int phase, median, status, run_id, host, role;
} row_columns;

struct resume {
    char *path;
    csv_table table;
    row_columns at;
    hash_map *last;       /* the last row of each configuration, by its key */
    hash_map *last_alike; /* the last row of each problem */
    old_row *rows;
    size_t keep;
};

/* A cell without the quote that keeps it from being a formula. */
const char *resume_cell(const resume *r, size_t row, int column);

/* That of a column of the key. Who asked for one kind may leave `kinds` empty. */
const char *resume_key_cell(const resume *r, size_t row, size_t i);

#endif
