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
    old_row *rows;
    size_t count, capacity;
    hash_map *last;       /* the last row of each configuration, by its key */
    hash_map *last_alike; /* the last row of each problem */
};

/* The text of a cell. */
#define ROW_CELL(row, column) ((row)->line.cells[COLUMN_AT_##column])

/* The columns of the key of a configuration, in the order of measurement_key, and bits for them. */
enum {
    KEY_PLUGIN,
    KEY_DEVICE,
    KEY_KIND,
    KEY_OP,
    KEY_DTYPE,
    KEY_N,
    KEY_BLOCK,
    KEY_VT,
    KEY_PARAMS,
    KEY_CACHE,
    KEY_KINDS,
    KEY_ROWS,
    KEY_INNER,
    KEY_RESULT,
    KEY_SEED, /* last: samples do not have it */
    KEY_ALL = (1 << MEASUREMENT_KEY_COLUMNS) - 1,
    KEY_TEXT_BYTES = MEASUREMENT_KEY_BYTES + 96 /* and a run_id */
};

/* The texts of those columns. */
typedef struct config_key {
    const char *of[MEASUREMENT_KEY_COLUMNS];
} config_key;

config_key resume_row_key(const old_row *row);
/* Writes the texts of these columns, as bits, behind a word. Returns `text`. */
const char *resume_key_text(const char *word, const config_key *key, uint32_t columns,
                            char text[KEY_TEXT_BYTES]);

#endif
