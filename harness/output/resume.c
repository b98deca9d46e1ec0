#include "output/resume_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ROW SIZE_MAX

/* The places of some columns among those of the key. */
enum { KEY_DEVICE = 1, KEY_KIND = 2, KEY_OP = 3, KEY_BLOCK = 6, KEY_PARAMS = 8 };

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

/* A cell without the quote that keeps it from being a formula. */
static const char *cell_text(const csv_table *table, size_t row, int column)
{
    const char *cell = csv_cell(table, row, column);
    return *cell == '\'' && csv_is_formula(cell + 1) ? cell + 1 : cell;
}

const char *resume_cell(const resume *r, size_t row, int column)
{
    return cell_text(&r->table, row, column);
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const resume *r, size_t row, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 resume_cell(r, row, r->at.key[i]));
}

/* What of a key is the problem: without the device, the settings and, if wanted, kind and operator,
 * which a ceiling has not. */
static void alike_key(const char *key, bool with_kind, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++) {
        const size_t length = strcspn(key, "\t");
        const bool of_settings = i >= KEY_BLOCK && i <= KEY_PARAMS;
        const bool of_kind = i == KEY_KIND || i == KEY_OP;
        const bool kept = i != KEY_DEVICE && !of_settings && (with_kind || !of_kind);
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
    char key[MEASUREMENT_KEY_BYTES], alike[MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS];
    phase_name phase;
    r->rows[row] = (old_row){.previous = NO_ROW, .previous_alike = NO_ROW};
    if (!phase_parse(csv_cell(&r->table, row, r->at.phase), &phase))
        return SCAN_OK;
    row_key(r, row, key);
    alike_key(key, true, alike);
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

/* The row of the run of a configuration, from one of its rows on; or NO_ROW. */
static size_t run_row(const resume *r, size_t row)
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
    return !last || run_row(r, *last) != NO_ROW;
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

static scan_status add_rows(resume *r, errmsg *error)
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
    status = drop_incomplete(r, error);
    return status == SCAN_OK ? resume_check_cells(r, error) : status;
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

static scan_status read_table(const char *path, csv_table *table, errmsg *error)
{
    if (access(path, F_OK) != 0)
        return SCAN_OK;
    scan_status status = csv_check_header(path, result_csv_columns, result_csv_column_count, error);
    if (status == SCAN_OK)
        status = csv_read(path, CSV_TAIL_DROP, table, error);
    return status == SCAN_OK ? check_tail(path, table, error) : status;
}

scan_status resume_read(const char *path, resume **resume_p, errmsg *error)
{
    resume *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(path))) {
        free(r);
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    scan_status status = read_table(path, &r->table, error);
    if (status == SCAN_OK)
        status = add_rows(r, error);
    if (status == SCAN_OK)
        *resume_p = r;
    else
        resume_free(r);
    return status;
}

void resume_free(resume *r)
{
    if (!r)
        return;
    csv_free_table(&r->table);
    hash_map_free(r->last);
    hash_map_free(r->last_alike);
    free(r->rows);
    free(r->path);
    free(r);
}

size_t resume_keep(const resume *r)
{
    return r->keep;
}

/* Is the row of the configuration's settings? A plugin that was or is not loaded has none. */
static bool same_settings(const resume *r, size_t row, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    const char *field = key;
    if (m->session->plugin->problem || !*resume_cell(r, row, r->at.role))
        return true;
    measurement_key(m, key);
    for (size_t i = 0; i <= KEY_PARAMS; i++) {
        const size_t length = strcspn(field, "\t");
        const char *its = resume_cell(r, row, r->at.key[i]);
        if (i >= KEY_BLOCK && (strlen(its) != length || strncmp(its, field, length) != 0))
            return false;
        field += length + 1;
    }
    return true;
}

/* The last row of the same problem: with kind and operator, or of a ceiling, which has none. */
static size_t last_alike(const resume *r, const measurement *m, bool with_kind)
{
    char key[MEASUREMENT_KEY_BYTES], alike[MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS];
    const session *one = m->session;
    const plugin_info *plugin = one->plugin;
    plugin_info other = *plugin;
    session with = *one;
    measurement n = *m;
    other.role = SCAN_ROLE_ALGORITHM; /* whose key has kind and operator */
    with.plugin = &other;
    n.session = &with;
    measurement_key(&n, key);
    alike_key(key, with_kind, alike);
    const size_t *row = hash_map_find(r->last_alike, alike);
    return row ? *row : NO_ROW;
}

/* The last row of a configuration, or NO_ROW. */
static size_t exact_row(const resume *r, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    measurement_key(m, key);
    const size_t *row = hash_map_find(r->last, key);
    return row && !r->rows[*row].replaced ? *row : NO_ROW;
}

/* The same, or that of a device that was there and is not any more. */
static size_t last_row(const resume *r, const measurement *m)
{
    const size_t exact = exact_row(r, m);
    if (exact != NO_ROW || m->session->status != ROW_UNAVAILABLE)
        return exact;
    for (int with_kind = 1; with_kind >= 0; with_kind--)
        for (size_t row = last_alike(r, m, with_kind); row != NO_ROW;
             row = r->rows[row].previous_alike)
            if (!r->rows[row].replaced && same_settings(r, row, m))
                return row;
    return NO_ROW;
}

bool resume_has(const resume *r, const measurement *m)
{
    return run_row(r, last_row(r, m)) != NO_ROW;
}

row_status resume_status(const resume *r, const measurement *m)
{
    const size_t row = run_row(r, last_row(r, m));
    return row != NO_ROW ? r->rows[row].status : ROW_OK;
}

/* Replaces the rows of a configuration. */
static void replace(resume *r, size_t row)
{
    for (; row != NO_ROW; row = r->rows[row].previous)
        r->rows[row].replaced = true;
}

void resume_consider(resume *r, const measurement *m, bool retry)
{
    const size_t exact = exact_row(r, m);
    if (retry && exact != NO_ROW && row_status_is_failure(resume_status(r, m)))
        replace(r, exact);
    if (exact != NO_ROW || m->session->status == ROW_UNAVAILABLE)
        return;
    for (int with_kind = 1; with_kind >= 0; with_kind--)
        for (size_t row = last_alike(r, m, with_kind); row != NO_ROW;
             row = r->rows[row].previous_alike)
            if (!*resume_cell(r, row, r->at.key[KEY_DEVICE]) && r->rows[row].status != ROW_OK &&
                same_settings(r, row, m))
                r->rows[row].replaced = true;
}

scan_status resume_restore_times(const resume *r, const measurement *m, result_csv *csv)
{
    scan_status status = SCAN_OK;
    for (size_t row = last_row(r, m); row != NO_ROW && status == SCAN_OK;
         row = r->rows[row].previous)
        if (r->rows[row].status == ROW_OK)
            status = result_csv_add_time(csv, m, r->rows[row].phase, r->rows[row].median_ns);
    return status;
}
