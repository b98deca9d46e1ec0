/*
 * resume_rows.h - the rows of the file that is resumed, by their configurations and problems
 *
 * resume.c reads them, asks whether they are sound and where they come from, and decides which of
 * them stay; resume_apply.c takes out the others.
 */
#ifndef SCANBENCH_OUTPUT_RESUME_ROWS_H
#define SCANBENCH_OUTPUT_RESUME_ROWS_H

#include "output/csv_file.h"
#include "output/resume.h"
#include "text/hash_map.h"

#define NO_ROW SIZE_MAX

/* One row of the file. */
typedef struct old_row {
    csv_line line;
    size_t previous;       /* the previous row of the same configuration, or NO_ROW */
    size_t previous_alike; /* the previous one of the same problem, whatever device and settings */
    phase_kind phase;
    row_status status;
    bool replaced; /* it is taken out of the file */
    double median_ns;
} old_row;

struct resume {
    char *path;
    csv_line header;
    old_row *rows;
    size_t count, capacity;
    hash_map *last;       /* the last row of each configuration, by its key */
    hash_map *last_alike; /* the last row of each problem */
    size_t keep;
};

/* The text of a cell. */
#define ROW_CELL(row, column) ((row)->line.cells[COLUMN_AT_##column])

/* The text of a column of the key. Who asked for one kind may leave `kinds` empty. */
const char *resume_key_cell(const old_row *row, size_t i);

/* The line of a row in the file, each being one. */
size_t resume_line(const resume *r, const old_row *row);

#endif
