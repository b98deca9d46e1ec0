#include "results/result_file.h"

#include "output/csv_reader.h"
#include "text/hash_map.h"
#include "text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(column, whether a file without it is refused): the columns that are neither kept as texts nor
 * as numbers of that name. */
#define OTHER_COLUMN_MAP(X) \
    X(schema, true)         \
    X(n, true)              \
    X(block, true)          \
    X(vt, true)             \
    X(status, true)         \
    X(median_ns, true)      \
    X(clock_mhz, false)

#define COLUMN(name) COLUMN_##name,
#define COLUMN_NEEDED(name, required) COLUMN(name)
typedef enum column {
    RESULT_TEXT_MAP(COLUMN_NEEDED) RESULT_NUMBER_MAP(COLUMN) OTHER_COLUMN_MAP(COLUMN_NEEDED) COLUMNS
} column;
#undef COLUMN
#undef COLUMN_NEEDED

typedef struct known_column {
    const char *name;
    bool required;
} known_column;

#define TEXT_COLUMN(name, needed) {#name, needed},
#define NUMBER_COLUMN(name) {#name, false},
static const known_column known_columns[COLUMNS] = {
    RESULT_TEXT_MAP(TEXT_COLUMN) RESULT_NUMBER_MAP(NUMBER_COLUMN) OTHER_COLUMN_MAP(TEXT_COLUMN)};

/* A file being read: one row of its table. */
typedef struct reading {
    const csv_table *table;
    const char *path;
    int places[COLUMNS]; /* in the table; -1: not there */
    size_t row;
    scan_status status; /* the first failure */
    errmsg *error;
} reading;

static const char *take_text(const reading *r, column c)
{
    return csv_cell(r->table, r->row, r->places[c]);
}

static void refuse(reading *r, column c, const char *text, const char *what)
{
    if (r->status == SCAN_OK)
        r->status =
            errmsg_set(r->error, SCAN_INVALID, "%s, line %zu: %s \"%.100s\" is not %s", r->path,
                       csv_line(r->table, r->row), known_columns[c].name, text, what);
}

/* NaN for an empty cell. */
static double take_number(reading *r, column c)
{
    const char *text = take_text(r, c);
    char *end;
    if (*text == '\0')
        return NAN;
    const double value = strtod(text, &end);
    if (*end == '\0' && number_cell_is_real(text) && value >= 0)
        return value;
    refuse(r, c, text, "a number of 0 or more");
    return NAN;
}

/* 0 for an empty cell. */
static double take_measured(reading *r, column c)
{
    const double value = take_number(r, c);
    return value > 0 ? value : 0;
}

/* A whole number as text, or "". */
static const char *take_whole(reading *r, column c)
{
    const char *text = take_text(r, c);
    if (!*text || number_cell_is_whole(text))
        return text;
    refuse(r, c, text,
           number_cell_is_real(text) ? "a whole number with all its digits: a spreadsheet may have "
                                       "dropped some; use the file that scanbench wrote"
                                     : "a whole number");
    return text;
}

static row_status take_status(reading *r)
{
    const char *word = take_text(r, COLUMN_status);
    const row_status status = row_status_find(word);
    if (strcmp(row_status_word(status), word) != 0)
        refuse(r, COLUMN_status, word, "a status");
    return status;
}

/* The time over that of the copy: 100 over the percentage. That of the copy itself is always 100,
 * which says nothing. */
static verdict_estimate device_copy_of(const result_row *row)
{
    return row->pct_copy_lo < row->pct_copy_hi
               ? verdict_estimate_of(100 / row->pct_copy, 100 / row->pct_copy_hi,
                                     100 / row->pct_copy_lo)
               : (verdict_estimate){.known = false};
}

#define ESTIMATE(row, member) \
    verdict_estimate_of((row)->member, (row)->member##_lo, (row)->member##_hi)

static void find_estimates(result_row *row)
{
    /* Without rounds the interval is that of samples, which say nothing of the next second. */
    if (row->rounds > 0)
        row->absolute = verdict_estimate_of(row->median_ns, row->ci_lo_ns, row->ci_hi_ns);
    row->per_spin = ESTIMATE(row, time_per_spin);
    row->per_scan = ESTIMATE(row, time_per_scan);
    row->per_copy = ESTIMATE(row, time_per_copy);
    row->per_device_copy = device_copy_of(row);
    row->per_scan.calibrated = row->per_copy.calibrated = row->per_device_copy.calibrated = true;
}

static void check_schema(reading *r)
{
    const char *schema = take_text(r, COLUMN_schema);
    if (strcmp(schema, "1") != 0)
        refuse(r, COLUMN_schema, schema, "one that this program knows; it knows 1");
}

#define TAKE_TEXT(column, required) .column = take_text(r, COLUMN_##column),
#define TAKE_NUMBER(column) .column = take_number(r, COLUMN_##column),

static result_row take_row(reading *r)
{
    result_row row = {RESULT_TEXT_MAP(TAKE_TEXT) RESULT_NUMBER_MAP(TAKE_NUMBER).status =
                          take_status(r)};
    const char *n = take_whole(r, COLUMN_n);
    row.line = csv_line(r->table, r->row);
    if (strcmp(row.kinds, RESULT_ANY_KIND) != 0)
        row.kinds = row.kind; /* also in older files, without the column */
    row.block = take_whole(r, COLUMN_block);
    row.vt = take_whole(r, COLUMN_vt);
    row.n = strtoull(n, NULL, 10);
    if (!*n || *n == '-')
        refuse(r, COLUMN_n, n, "a number of elements");
    row.median_ns = take_measured(r, COLUMN_median_ns);
    row.clock_mhz = take_measured(r, COLUMN_clock_mhz);
    find_estimates(&row);
    if (row.status == ROW_OK && row.median_ns <= 0)
        refuse(r, COLUMN_median_ns, "", "a time, but the row is ok");
    return row;
}

bool result_row_is_other_kind(const result_row *row)
{
    return strcmp(row->kinds, RESULT_ANY_KIND) == 0 && strcmp(row->kind, "inclusive") == 0;
}

/* The columns whose whole numbers are compared as text. */
static const column whole_columns[] = {COLUMN_schema, COLUMN_n, COLUMN_block, COLUMN_vt,
                                       COLUMN_parts};

/* Says what is wrong with a file without the column. Each row of a run begins with its schema. */
static const char *what_it_is(const csv_table *table)
{
    return number_cell_is_whole(csv_column_name(table, 0))
               ? "the line with the names of the columns is missing, put it back"
               : "this is not the CSV of a run";
}

/* Finds the columns. Is the header that of a run? */
static void find_columns(reading *r)
{
    for (column c = 0; c < COLUMNS; c++) {
        r->places[c] = csv_column(r->table, known_columns[c].name);
        if (r->places[c] < 0 && known_columns[c].required && r->status == SCAN_OK)
            r->status = errmsg_set(r->error, SCAN_INVALID, "%s, line 1: no column \"%s\"; %s",
                                   r->path, known_columns[c].name, what_it_is(r->table));
        csv_change(r->table, r->places[c], utf8_clean); /* any program may have written it */
    }
    for (size_t i = 0; i < sizeof whole_columns / sizeof *whole_columns; i++)
        csv_change(r->table, r->places[whole_columns[i]], number_cell_trim);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The first rows of each device of the file. */
typedef struct devices {
    result_row **first;
    size_t *of; /* for each row of the file, which of these */
    size_t count;
    result_row **processors; /* those of backend cpu that have a name */
    size_t processor_count;
} devices;

/* The number of the row's device, which is `next` if it is new; NULL: out of memory. */
static const size_t *number_device(hash_map *numbers, const result_row *row, size_t next)
{
    char *key;
    if (asprintf(&key, "%s\n%s", row->backend, row->device) < 0)
        return NULL;
    const size_t *number = hash_map_add(numbers, key, next);
    free(key);
    return number;
}

static scan_status list_devices(result_file *file, devices *d)
{
    hash_map *numbers = hash_map_new();
    d->first = calloc(file->count + 1, sizeof *d->first);
    d->processors = calloc(file->count + 1, sizeof *d->processors);
    d->of = calloc(file->count + 1, sizeof *d->of);
    bool good = numbers && d->first && d->processors && d->of;
    for (size_t i = 0; i < file->count && good; i++) {
        result_row *row = &file->rows[i];
        const size_t *number = number_device(numbers, row, d->count);
        good = number != NULL;
        if (!good)
            break;
        d->of[i] = *number;
        if (*number < d->count)
            continue;
        d->first[d->count++] = row;
        if (strcmp(row->backend, "cpu") == 0 && *row->device)
            d->processors[d->processor_count++] = row;
    }
    hash_map_free(numbers);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

/* Is it a processor that another backend offers as a device? */
static bool is_processor(const devices *d, const char *device)
{
    bool found = begins(device, "cpu") || begins(device, "pthread");
    for (size_t i = 0; i < d->processor_count && !found; i++)
        found = strcasestr(device, d->processors[i]->device) != NULL;
    return found;
}

static scan_status find_devices(result_file *file)
{
    devices d = {.count = 0};
    const scan_status status = list_devices(file, &d);
    for (size_t i = 0; i < d.count && status == SCAN_OK; i++)
        d.first[i]->on_device =
            strcmp(d.first[i]->backend, "cpu") != 0 && !is_processor(&d, d.first[i]->device);
    for (size_t i = 0; i < file->count && status == SCAN_OK; i++)
        file->rows[i].on_device = d.first[d.of[i]]->on_device;
    free(d.first);
    free(d.processors);
    free(d.of);
    return status;
}

scan_status result_file_take(csv_table table, const char *path, result_file *file_p, errmsg *error)
{
    result_file file = {.path = path, .table = table};
    reading r = {.table = &table, .path = path, .error = error};
    file.rows = calloc(table.rows + 1, sizeof *file.rows);
    if (!file.rows)
        return errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", path);
    find_columns(&r);
    for (r.row = 0; r.row < table.rows && r.status == SCAN_OK; r.row++) {
        check_schema(&r);
        result_row *row = &file.rows[file.count++];
        *row = take_row(&r);
        if (strcmp(row->role, "calibrator") == 0) {
            file.count--;
            continue;
        }
        if (strcmp(row->role, "peer") == 0)
            row->plugin_version = library_version(row->plugin_version, row->library);
    }
    if (r.status == SCAN_OK && find_devices(&file) != SCAN_OK)
        r.status = errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", path);
    if (r.status != SCAN_OK) {
        free(file.rows);
        return r.status;
    }
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

bool result_row_in_place(const result_row *row)
{
    return row->in_place && strcmp(row->in_place, "1") == 0;
}

void result_file_free(result_file *file)
{
    free(file->rows);
    csv_free_table(&file->table);
    *file = (result_file){0};
}
