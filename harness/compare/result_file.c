#include "compare/result_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file being read: one row of its table. */
typedef struct reading {
    const csv_table *table;
    const char *path;
    size_t row;
    scan_status status; /* the first failure */
    errmsg *error;
} reading;

/* The cell of a column; a file without it is refused if it is required. */
static const char *take_text(reading *r, const char *column, bool required)
{
    const int at = csv_column(r->table, column);
    if (at < 0 && required && r->status == SCAN_OK)
        r->status = errmsg_set(r->error, SCAN_INVALID,
                               "%s, line 1: no column \"%s\"; this is not the CSV of a run",
                               r->path, column);
    return csv_cell(r->table, r->row, at);
}

static void refuse(reading *r, const char *column, const char *text, const char *what)
{
    if (r->status == SCAN_OK)
        r->status = errmsg_set(r->error, SCAN_INVALID, "%s, line %zu: %s \"%.100s\" is not %s",
                               r->path, csv_line(r->table, r->row), column, text, what);
}

/* 0 for an empty cell. */
static double take_number(reading *r, const char *column)
{
    const char *text = take_text(r, column, false);
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0')
        return 0;
    if (*end == '\0' && isfinite(value) && value >= 0)
        return value;
    refuse(r, column, text, "a number of 0 or more");
    return 0;
}

/* A whole number with at most 18 digits as text, or "". */
static const char *take_whole(reading *r, const char *column)
{
    const char *text = take_text(r, column, false);
    const char *digits = text + (*text == '-');
    const size_t length = strspn(digits, "0123456789");
    if ((length == 0 && *text) || digits[length] || length > 18)
        refuse(r, column, text, "a whole number");
    return text;
}

static row_status take_status(reading *r)
{
    const char *word = take_text(r, "status", false);
    const row_status status = row_status_find(word);
    if (strcmp(row_status_word(status), word) != 0)
        refuse(r, "status", word, "a status");
    return status;
}

static verdict_estimate take_estimate(reading *r, const char *median, const char *lo,
                                      const char *hi)
{
    const double value = take_number(r, median), least = take_number(r, lo),
                 greatest = take_number(r, hi);
    return verdict_estimate_of(value, least, greatest);
}

/* The time over that of the copy: 100 over the percentage. That of the copy itself is always 100,
 * which says nothing. */
static verdict_estimate take_device_copy(reading *r)
{
    const double pct = take_number(r, "pct_copy"), lo = take_number(r, "pct_copy_lo"),
                 hi = take_number(r, "pct_copy_hi");
    return lo < hi ? verdict_estimate_of(100 / pct, 100 / hi, 100 / lo)
                   : (verdict_estimate){.known = false};
}

static void take_times(reading *r, result_row *row)
{
    row->median_ns = take_number(r, "median_ns");
    row->clock_mhz = take_number(r, "clock_mhz");
    /* Without rounds the interval is that of samples, which say nothing of the next second. */
    if (take_number(r, "rounds") > 0)
        row->absolute = take_estimate(r, "median_ns", "ci_lo_ns", "ci_hi_ns");
    row->per_spin = take_estimate(r, "time_per_spin", "time_per_spin_lo", "time_per_spin_hi");
    row->per_scan = take_estimate(r, "time_per_scan", "time_per_scan_lo", "time_per_scan_hi");
    row->per_copy = take_estimate(r, "time_per_copy", "time_per_copy_lo", "time_per_copy_hi");
    row->per_device_copy = take_device_copy(r);
    row->per_scan.calibrated = row->per_copy.calibrated = row->per_device_copy.calibrated = true;
}

#define TAKE_TEXT(column, required) .column = take_text(r, #column, false),

static result_row take_row(reading *r)
{
    result_row row = {RESULT_TEXT_MAP(TAKE_TEXT).status = take_status(r)};
    const char *n = take_whole(r, "n");
    row.block = take_whole(r, "block");
    row.vt = take_whole(r, "vt");
    row.n = strtoull(n, NULL, 10);
    if (!*n || *n == '-')
        refuse(r, "n", n, "a number of elements");
    take_times(r, &row);
    if (row.status == ROW_OK && row.median_ns <= 0)
        refuse(r, "median_ns", "", "a time, but the row is ok");
    return row;
}

#define CHECK_COLUMN(column, required) take_text(r, #column, required);

/* Whether the header is that of a run, and the schema of the rows is known. */
static void check_table(reading *r)
{
    const char *schema = take_text(r, "schema", true);
    RESULT_TEXT_MAP(CHECK_COLUMN)
    take_text(r, "n", true);
    take_text(r, "block", true);
    take_text(r, "vt", true);
    take_text(r, "status", true);
    take_text(r, "median_ns", true);
    if (r->table->rows > 0 && strcmp(schema, "1") != 0)
        refuse(r, "schema", schema, "one that this program knows; it knows 1");
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is it a processor that another backend offers as a device? */
static bool is_processor(const result_file *file, const char *device)
{
    bool found = begins(device, "cpu") || begins(device, "pthread");
    for (size_t i = 0; i < file->count && !found; i++)
        found = strcmp(file->rows[i].backend, "cpu") == 0 && *file->rows[i].device &&
                strcasestr(device, file->rows[i].device);
    return found;
}

static void find_devices(result_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        result_row *row = &file->rows[i];
        const result_row *before = i > 0 ? row - 1 : NULL;
        if (before && strcmp(before->backend, row->backend) == 0 &&
            strcmp(before->device, row->device) == 0)
            row->on_device = before->on_device;
        else
            row->on_device = strcmp(row->backend, "cpu") != 0 && !is_processor(file, row->device);
    }
}

scan_status result_file_take(csv_table table, const char *path, result_file *file_p, errmsg *error)
{
    result_file file = {.path = path, .table = table};
    reading r = {.table = &table, .path = path, .error = error};
    file.rows = calloc(table.rows + 1, sizeof *file.rows);
    if (!file.rows)
        return errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", path);
    check_table(&r);
    for (r.row = 0; r.row < table.rows && r.status == SCAN_OK; r.row++)
        file.rows[file.count++] = take_row(&r);
    if (r.status != SCAN_OK) {
        free(file.rows);
        return r.status;
    }
    find_devices(&file);
    *file_p = file;
    return SCAN_OK;
}

scan_status result_file_read(const char *path, result_file *file_p, errmsg *error)
{
    csv_table table;
    scan_status status = csv_read(path, CSV_TAIL_KEEP, &table, error);
    if (status != SCAN_OK)
        return status;
    status = result_file_take(table, path, file_p, error);
    if (status != SCAN_OK)
        csv_free_table(&table);
    return status;
}

void result_file_free(result_file *file)
{
    free(file->rows);
    csv_free_table(&file->table);
    *file = (result_file){0};
}
