#include "output/resume.h"

#include "output/csv_reader.h"
#include "system/hash_map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ROW SIZE_MAX

/* One row of the file. */
typedef struct old_row {
    size_t previous; /* the previous row of the same configuration, or NO_ROW */
    phase_kind phase;
    bool ok;
    double median_ns;
} old_row;

struct resume {
    hash_map *last; /* the last row of each configuration, by its key */
    old_row *rows;
    size_t keep;
};

/* The columns that are read; -1 if the file lacks one. */
typedef struct row_columns {
    int key[MEASUREMENT_KEY_COLUMNS];
    int phase, median, status;
} row_columns;

static row_columns find_columns(const csv_table *table)
{
    row_columns found = {.phase = csv_column(table, "phase"),
                         .median = csv_column(table, "median_ns"),
                         .status = csv_column(table, "status")};
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++)
        found.key[i] = csv_column(table, measurement_key_columns[i]);
    return found;
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const csv_table *table, size_t row, const int *columns,
                    char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 csv_cell(table, row, columns[i]));
}

static scan_status add_row(resume *r, const csv_table *table, size_t row, const row_columns *at)
{
    char key[MEASUREMENT_KEY_BYTES];
    phase_name phase;
    if (!phase_parse(csv_cell(table, row, at->phase), &phase))
        return SCAN_OK;
    row_key(table, row, at->key, key);
    size_t *last = hash_map_add(r->last, key, NO_ROW);
    if (!last)
        return SCAN_NO_MEMORY;
    r->rows[row] = (old_row){.previous = *last,
                             .phase = phase.kind,
                             .ok = row_status_find(csv_cell(table, row, at->status)) == ROW_OK,
                             .median_ns = strtod(csv_cell(table, row, at->median), NULL)};
    *last = row;
    return SCAN_OK;
}

/* Adds all complete rows. The row of the run is the last of its configuration, so rows after the
 * last such row belong to an interrupted configuration. */
static scan_status add_rows(resume *r, const csv_table *table)
{
    const row_columns at = find_columns(table);
    size_t complete = table->rows;
    scan_status status = SCAN_OK;
    while (complete > 0 && !phase_is(csv_cell(table, complete - 1, at.phase), PHASE_RUN))
        complete--;
    r->keep = csv_bytes(table, complete);
    r->last = hash_map_new();
    r->rows = calloc(complete + 1, sizeof *r->rows);
    if (!r->last || !r->rows)
        return SCAN_NO_MEMORY;
    for (size_t row = 0; row < complete && status == SCAN_OK; row++)
        status = add_row(r, table, row, &at);
    return status;
}

/* What is behind the last whole row is one that was cut short, which has no end of line. With
 * one it was edited: a quote that is never closed would take all rows behind it along. */
static scan_status check_tail(const char *path, const csv_table *table, errmsg *error)
{
    FILE *file = fopen(path, "rbe");
    const bool opened = file && fseeko(file, (off_t)csv_bytes(table, table->rows), SEEK_SET) == 0;
    bool begun = false, cut_short = true;
    for (int c; opened && cut_short && (c = getc(file)) != EOF;) {
        cut_short = !begun || c != '\n';
        begun = begun || (c != '\n' && c != '\r');
    }
    if (file)
        fclose(file);
    if (cut_short)
        return SCAN_OK;
    return errmsg_set(
        error, SCAN_INVALID,
        "%s: behind %zu rows there is one that does not end, with more lines; is there "
        "a quote that is never closed?",
        path, table->rows);
}

scan_status resume_read(const char *path, resume **resume_p, errmsg *error)
{
    csv_table table = {0};
    if (access(path, F_OK) == 0) {
        scan_status status = csv_read(path, CSV_TAIL_DROP, &table, error);
        if (status == SCAN_OK)
            status = check_tail(path, &table, error);
        if (status != SCAN_OK) {
            csv_free_table(&table);
            return status;
        }
    }
    resume *r = calloc(1, sizeof *r);
    scan_status status = r ? add_rows(r, &table) : SCAN_NO_MEMORY;
    csv_free_table(&table);
    if (status == SCAN_OK) {
        *resume_p = r;
        return SCAN_OK;
    }
    resume_free(r);
    return errmsg_set(error, status, "%s: not enough memory for its rows", path);
}

void resume_free(resume *r)
{
    if (!r)
        return;
    hash_map_free(r->last);
    free(r->rows);
    free(r);
}

size_t resume_keep(const resume *r)
{
    return r->keep;
}

/* The last row of a configuration, or NO_ROW. */
static size_t last_row(const resume *r, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    measurement_key(m, key);
    const size_t *row = hash_map_find(r->last, key);
    return row ? *row : NO_ROW;
}

bool resume_has(const resume *r, const measurement *m)
{
    size_t row = last_row(r, m);
    while (row != NO_ROW && r->rows[row].phase != PHASE_RUN)
        row = r->rows[row].previous;
    return row != NO_ROW;
}

scan_status resume_restore_times(const resume *r, const measurement *m, result_csv *csv)
{
    scan_status status = SCAN_OK;
    for (size_t row = last_row(r, m); row != NO_ROW && status == SCAN_OK;
         row = r->rows[row].previous)
        if (r->rows[row].ok)
            status = result_csv_add_time(csv, m, r->rows[row].phase, r->rows[row].median_ns);
    return status;
}
