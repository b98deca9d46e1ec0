#include "output/resume.h"

#include "output/csv_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct resume {
    csv_table table;
    int phase, median, status;
    int key[10]; /* columns, in result_csv_key's order */
};

static const char *const key_columns[] = {"plugin", "device", "kind", "op",     "dtype",
                                          "n",      "block",  "vt",   "params", "seed"};

static bool is_run(const resume *r, size_t row)
{
    return phase_is(csv_cell(&r->table, row, r->phase), PHASE_RUN);
}

/* The file's offset behind its line-th line, or -1. */
static off_t offset_behind(FILE *file, size_t line)
{
    for (int c; line > 0;) {
        if ((c = getc(file)) == EOF)
            return -1;
        line -= c == '\n';
    }
    return ftello(file);
}

/* A case ends with its run's row: rows behind the last of those belong to a case that
 * was left in the middle and is measured again, so they go. Not from a file with other
 * columns, which is not ours. */
static scan_status drop_half_case(resume *r, const char *path, errmsg *error)
{
    bool ours = r->table.columns == result_csv_column_count;
    for (size_t i = 0; ours && i < result_csv_column_count; i++)
        ours = strcmp(csv_column_name(&r->table, i), result_csv_columns[i]) == 0;
    size_t whole = r->table.rows;
    while (whole > 0 && !is_run(r, whole - 1))
        whole--;
    if (!ours || whole == r->table.rows)
        return SCAN_OK;
    FILE *file = fopen(path, "r+e");
    off_t end = file ? offset_behind(file, whole ? csv_line(&r->table, whole - 1) : 1) : -1;
    bool cut = end >= 0 && ftruncate(fileno(file), end) == 0;
    if (!cut)
        errmsg_set(error, SCAN_INVALID, "cutting an incomplete configuration off %s: %s", path,
                   strerror(errno));
    if (file)
        fclose(file);
    r->table.rows = whole;
    return cut ? SCAN_OK : SCAN_ERROR;
}

scan_status resume_read(const char *path, resume **resume_p, errmsg *error)
{
    resume *r = calloc(1, sizeof *r);
    if (!r) {
        errmsg_set(error, SCAN_INVALID, "out of memory");
        return SCAN_NO_MEMORY;
    }
    if (access(path, F_OK) == 0) {
        scan_status status = csv_read(path, CSV_TAIL_DROP, &r->table, error);
        if (status != SCAN_OK) {
            free(r);
            return status;
        }
    }
    for (size_t i = 0; i < sizeof key_columns / sizeof *key_columns; i++)
        r->key[i] = r->table.rows ? csv_column(&r->table, key_columns[i]) : -1;
    r->phase = r->table.rows ? csv_column(&r->table, "phase") : -1;
    r->median = r->table.rows ? csv_column(&r->table, "median_ns") : -1;
    r->status = r->table.rows ? csv_column(&r->table, "status") : -1;
    scan_status status = drop_half_case(r, path, error);
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
    free(r);
}

static bool same_case(const resume *r, size_t row, const char *wanted)
{
    char text[640];
    size_t used = 0;
    for (size_t i = 0; i < 10 && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "\t" : "",
                                 csv_cell(&r->table, row, r->key[i]));
    return strcmp(text, wanted) == 0;
}

bool resume_has(const resume *r, const measurement *c, result_csv *s)
{
    char wanted[640];
    phase_name phase;
    bool whole = false;
    result_csv_key(c, wanted, sizeof wanted);
    for (size_t row = 0; row < r->table.rows && !whole; row++)
        whole = is_run(r, row) && same_case(r, row, wanted);
    for (size_t row = 0; row < r->table.rows && whole; row++)
        if (row_status_find(csv_cell(&r->table, row, r->status)) == ROW_OK &&
            same_case(r, row, wanted) && phase_parse(csv_cell(&r->table, row, r->phase), &phase))
            result_csv_note(s, c, phase.kind, strtod(csv_cell(&r->table, row, r->median), NULL));
    return whole;
}
