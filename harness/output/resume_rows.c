#include "output/resume_rows.h"

#include "protocol/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static row_columns find_columns(const csv_table *table)
{
    row_columns found = {.phase = csv_column(table, "phase"),
                         .median = csv_column(table, "median_ns"),
                         .status = csv_column(table, "status"),
                         .run_id = csv_column(table, "run_id"),
                         .host = csv_column(table, "host"),
                         .role = csv_column(table, "role")};
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++)
        found.key[i] = csv_column(table, measurement_key_columns[i]);
    return found;
}

const char *resume_cell(const resume *r, size_t row, int column)
{
    const char *cell = csv_cell(&r->table, row, column);
    return *cell == '\'' && csv_is_formula(cell + 1) ? cell + 1 : cell;
}

const char *resume_key_cell(const resume *r, size_t row, size_t i)
{
    const char *cell = resume_cell(r, row, r->at.key[i]);
    return i == KEY_KINDS && !*cell ? resume_cell(r, row, r->at.key[KEY_KIND]) : cell;
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const resume *r, size_t row, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 resume_key_cell(r, row, i));
}

/* Field `i` of a key. */
static const char *field_of(const char *key, size_t i)
{
    for (; i > 0; i--)
        key += strcspn(key, "\t") + 1;
    return key;
}

static bool is_any_kind(const char *key)
{
    const char *field = field_of(key, KEY_KINDS);
    return strncmp(field, JOB_ANY_KIND "\t", sizeof JOB_ANY_KIND) == 0;
}

void resume_alike_key(const char *key, bool with_kind, char text[RESUME_ALIKE_BYTES])
{
    size_t used = 0;
    const bool any_kind = is_any_kind(key);
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++) {
        const size_t length = strcspn(key, "\t");
        const bool of_settings = i >= KEY_BLOCK && i <= KEY_PARAMS;
        const bool of_kind = i == KEY_KIND || i == KEY_OP || i == KEY_KINDS;
        const bool open = i == KEY_KIND && any_kind;
        const bool kept = i != KEY_DEVICE && !of_settings && !open && (with_kind || !of_kind);
        if (kept)
            memcpy(text + used, key, length);
        used += kept ? length : 0;
        text[used++] = '\t';
        key += length + (key[length] == '\t');
    }
    text[used] = '\0';
}

static scan_status add_row(resume *r, size_t row)
{
    char key[MEASUREMENT_KEY_BYTES], alike[RESUME_ALIKE_BYTES];
    phase_name phase;
    r->rows[row] = (old_row){.previous = NO_ROW, .previous_alike = NO_ROW};
    if (!phase_parse(csv_cell(&r->table, row, r->at.phase), &phase))
        return SCAN_OK;
    row_key(r, row, key);
    resume_alike_key(key, true, alike);
    size_t *last = hash_map_add(r->last, key, NO_ROW);
    size_t *last_alike = hash_map_add(r->last_alike, alike, NO_ROW);
    if (!last || !last_alike)
        return SCAN_NO_MEMORY;
    r->rows[row] = (old_row){.previous = *last,
                             .previous_alike = *last_alike,
                             .phase = phase.kind,
                             .status = row_status_find(csv_cell(&r->table, row, r->at.status)),
                             .median_ns = strtod(csv_cell(&r->table, row, r->at.median), NULL)};
    *last = *last_alike = row;
    return SCAN_OK;
}

size_t resume_run_row(const resume *r, size_t row)
{
    while (row != NO_ROW && r->rows[row].phase != PHASE_RUN)
        row = r->rows[row].previous;
    return row;
}

/* Is its configuration complete? */
static bool is_complete(const resume *r, size_t row)
{
    char key[MEASUREMENT_KEY_BYTES];
    row_key(r, row, key);
    const size_t *last = hash_map_find(r->last, key);
    return !last || resume_run_row(r, *last) != NO_ROW;
}

/* The row of the run is the last of its configuration: one that lacks it was interrupted, and is
 * the last of the file. Elsewhere it is so in a file that was sorted. */
static scan_status drop_incomplete(resume *r, errmsg *error)
{
    bool behind = false; /* was there a complete one behind this row? */
    for (size_t row = r->table.rows; row-- > 0;) {
        if (is_complete(r, row)) {
            behind = true;
            continue;
        }
        if (behind)
            return errmsg_set(error, SCAN_INVALID,
                              "%s, line %zu: its configuration has no row of the run, and rows of "
                              "others follow; was the file sorted or edited? Take such lines out, "
                              "and --resume measures them again",
                              r->path, csv_line(&r->table, row));
        r->rows[row].replaced = true;
    }
    return SCAN_OK;
}

scan_status resume_add_rows(resume *r, errmsg *error)
{
    scan_status status = SCAN_OK;
    r->at = find_columns(&r->table);
    r->last = hash_map_new();
    r->last_alike = hash_map_new();
    r->rows = calloc(r->table.rows + 1, sizeof *r->rows);
    if (!r->last || !r->last_alike || !r->rows)
        status = SCAN_NO_MEMORY;
    for (size_t row = 0; row < r->table.rows && status == SCAN_OK; row++)
        status = add_row(r, row);
    if (status != SCAN_OK)
        return errmsg_set(error, status, "%s: not enough memory for its rows", r->path);
    return drop_incomplete(r, error);
}
