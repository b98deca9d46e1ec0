/*
 * page_rows.c - the rows as columns: texts that repeat stand once, in dictionaries, and a column
 * holds their places; numbers have no more digits than a plot or a table shows
 */
#include "page/page_json.h"
#include "page/page_members.h"
#include "report/words.h"
#include "system/json.h"
#include "text/hash_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row and what the report knows of it. */
typedef struct page_row {
    const result_row *row;
    size_t file;
    report_use use;
} page_row;

typedef struct page_rows {
    page_row *rows;
    size_t count;
    FILE *columns; /* written in memory: they follow the dictionaries */
    FILE *out;
} page_rows;

/* ---- dictionaries -------------------------------------------------------------------------- */

static void put_series(FILE *out, const page_row *p)
{
    char name[WORDS_PLUGIN_BYTES];
    fprintf(out, "{\"file\":%zu", p->file);
    page_text(out, "plugin", p->row->plugin);
    page_text(out, "name", words_plugin(p->row, name));
    page_text(out, "version", p->row->plugin_version);
    page_text(out, "role", p->row->role);
    page_text(out, "backend", p->row->backend);
    page_text(out, "device", p->row->device);
    page_text(out, "driver", p->row->driver);
    if (result_row_is_other_kind(p->row))
        page_text(out, "kind", p->row->kind);
    fprintf(out, ",\"accelerator\":%s", p->row->on_device ? "true" : "false");
    fprintf(out, ",\"inPlace\":%s}", result_row_in_place(p->row) ? "true" : "false");
}

static void put_problem(FILE *out, const page_row *p)
{
    fputs("{\"dtype\":", out);
    json_string(out, p->row->dtype);
    page_text(out, "op", p->row->op);
    page_text(out, "kind", p->row->kinds);
    page_text(out, "cache", p->row->cache);
    fputc('}', out);
}

/* A whole number as text: "-007" is no number of JSON. */
static void put_whole(FILE *out, const char *key, const char *text)
{
    int64_t value;
    if (sscanf(text, "%" SCNd64, &value) == 1)
        fprintf(out, "\"%s\":%" PRId64 ",", key, value);
    else
        fprintf(out, "\"%s\":null,", key);
}

static void put_setting(FILE *out, const page_row *p)
{
    fputc('{', out);
    put_whole(out, "block", p->row->block);
    put_whole(out, "vt", p->row->vt);
    fputs("\"params\":", out);
    json_string(out, p->row->params);
    fputc('}', out);
}

static void put_outcome(FILE *out, const page_row *p)
{
    fputs("{\"status\":", out);
    json_string(out, row_status_word(p->row->status));
    page_text(out, "reason", p->row->reason);
    page_text(out, "use", report_use_word(p->use));
    fputc('}', out);
}

static void put_size(FILE *out, const page_row *p)
{
    fprintf(out, "%" PRIu64, p->row->n);
}

static void put_phase(FILE *out, const page_row *p)
{
    json_string(out, p->row->phase);
}

static void put_flags(FILE *out, const page_row *p)
{
    json_string(out, p->row->flags);
}

static void put_throttle(FILE *out, const page_row *p)
{
    json_string(out, p->row->gpu_throttle);
}

static void put_stop(FILE *out, const page_row *p)
{
    json_string(out, p->row->stop_reason);
}

/* An entry's text is its key, too. */
static const struct {
    const char *list, *column;
    void (*put)(FILE *out, const page_row *p);
} dictionaries[] = {
    {"series", "series", put_series},
    {"problems", "problem", put_problem},
    {"sizes", "size", put_size},
    {"settings", "setting", put_setting},
    {"phases", "phase", put_phase},
    {"outcomes", "outcome", put_outcome},
    {"flags", "flags", put_flags},
    {"stops", "stop", put_stop},
    {"throttles", "throttle", put_throttle},
};
enum { DICTIONARIES = sizeof dictionaries / sizeof *dictionaries };

/* Writes a column of places; all alike are written once. */
static void put_places(FILE *out, const char *column, const size_t *places, size_t count)
{
    bool alike = true;
    for (size_t i = 1; i < count && alike; i++)
        alike = places[i] == places[0];
    fprintf(out, ",\n\"%s\":", column);
    if (alike) {
        fprintf(out, "%zu", count > 0 ? places[0] : 0);
        return;
    }
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%c%zu", i > 0 ? ',' : '[', places[i]);
    fputc(']', out);
}

/* Finds the place of each row's text in a dictionary, and writes the dictionary. */
static scan_status find_places(const page_rows *p, size_t dictionary, size_t *places)
{
    hash_map *map = hash_map_new();
    char *text = NULL;
    size_t bytes = 0, count = 0;
    FILE *entry = open_memstream(&text, &bytes);
    scan_status status = map && entry ? SCAN_OK : SCAN_NO_MEMORY;
    fprintf(p->out, "\"%s\":[", dictionaries[dictionary].list);
    for (size_t i = 0; i < p->count && status == SCAN_OK; i++) {
        rewind(entry);
        dictionaries[dictionary].put(entry, &p->rows[i]);
        fputc('\0', entry);
        if (fflush(entry) != 0) {
            status = SCAN_NO_MEMORY;
            break;
        }
        const size_t *place = hash_map_add(map, text, count);
        if (!place) {
            status = SCAN_NO_MEMORY;
            break;
        }
        places[i] = *place;
        if (*place == count)
            fprintf(p->out, "%s%s", count++ > 0 ? ",\n" : "", text);
    }
    fputs("],\n", p->out);
    if (entry)
        fclose(entry);
    free(text);
    hash_map_free(map);
    return status;
}

static scan_status put_dictionaries(const page_rows *p, size_t *problem_ids)
{
    size_t *places = calloc(p->count + 1, sizeof *places);
    scan_status status = places ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; i < DICTIONARIES && status == SCAN_OK; i++) {
        status = find_places(p, i, places);
        put_places(p->columns, dictionaries[i].column, places, p->count);
        if (strcmp(dictionaries[i].column, "problem") == 0)
            memcpy(problem_ids, places, p->count * sizeof *places);
    }
    free(places);
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* X(column, significant digits) */
#define PAGE_NUMBER_MAP(X)     \
    X(median_ns, 6)            \
    X(ci_lo_ns, 6)             \
    X(ci_hi_ns, 6)             \
    X(pct_copy, 5)             \
    X(pct_copy_lo, 5)          \
    X(pct_copy_hi, 5)          \
    X(speedup, 5)              \
    X(speedup_lo, 5)           \
    X(speedup_hi, 5)           \
    X(max_rel_error, 4)        \
    X(samples, 9)              \
    X(rounds, 9)               \
    X(clock_mhz, 5)            \
    X(cpu_mhz, 5)              \
    X(load, 4)                 \
    X(steal_pct, 4)            \
    X(involuntary_switches, 9) \
    X(page_faults, 9)          \
    X(gpu_temperature_c, 4)    \
    X(gpu_processes, 9)

#define NUMBER_ENTRY(column, digits) {#column, digits, offsetof(result_row, column)},
static const struct {
    const char *column;
    int digits;
    size_t offset;
} numbers[] = {PAGE_NUMBER_MAP(NUMBER_ENTRY)};
enum { NUMBERS = sizeof numbers / sizeof *numbers, NUMBER_BYTES = 32 };

/* The number as JSON; "null" if it is not known. Without an exponent where that is shorter. */
static void print_number(const result_row *row, size_t number, char text[NUMBER_BYTES])
{
    double value;
    memcpy(&value, (const char *)row + numbers[number].offset, sizeof value);
    const bool is_time = strcmp(numbers[number].column, "median_ns") == 0 ||
                         strcmp(numbers[number].column, "clock_mhz") == 0;
    if (!isfinite(value) || (is_time && value == 0)) {
        snprintf(text, NUMBER_BYTES, "null");
        return;
    }
    snprintf(text, NUMBER_BYTES, "%.*g", numbers[number].digits, value);
    snprintf(text, NUMBER_BYTES, "%.12g", strtod(text, NULL));
}

/* A column that is nowhere known is left out, one that is the same everywhere is one number. */
static void put_numbers(const page_rows *p, size_t number)
{
    char first[NUMBER_BYTES] = "null", text[NUMBER_BYTES] = "";
    bool alike = true;
    for (size_t i = 0; i < p->count && alike; i++) {
        print_number(p->rows[i].row, number, i == 0 ? first : text);
        alike = i == 0 || strcmp(first, text) == 0;
    }
    if (alike && strcmp(first, "null") == 0)
        return;
    fprintf(p->columns, ",\n\"%s\":", numbers[number].column);
    if (alike) {
        fputs(first, p->columns);
        return;
    }
    for (size_t i = 0; i < p->count; i++) {
        print_number(p->rows[i].row, number, text);
        fprintf(p->columns, "%c%s", i > 0 ? ',' : '[', text);
    }
    fputc(']', p->columns);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Sets the use of rows of a list, which is sorted by file. */
static void mark(const report *r, page_row *rows, const result_row *const *list, report_use use)
{
    size_t file = 0, first = 0;
    for (size_t i = 0; i < r->uses[use]; i++) {
        while (list[i] < r->files[file].results->rows ||
               list[i] >= r->files[file].results->rows + r->files[file].results->count)
            first += r->files[file++].results->count;
        rows[first + (size_t)(list[i] - r->files[file].results->rows)].use = use;
    }
}

static scan_status take_rows(const report *r, page_rows *p)
{
    p->rows = calloc(r->rows + 1, sizeof *p->rows);
    if (!p->rows)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < r->file_count; i++)
        for (size_t k = 0; k < r->files[i].results->count; k++) {
            const result_row *row = &r->files[i].results->rows[k];
            p->rows[p->count++] = (page_row){
                .row = row, .file = i, .use = row->status == ROW_OK ? REPORT_SHOWN : REPORT_FAILED};
        }
    mark(r, p->rows, r->incomplete, REPORT_INCOMPLETE);
    mark(r, p->rows, r->repeated, REPORT_REPEATED);
    return SCAN_OK;
}

size_t page_row_number(const report *r, size_t file, const result_row *row)
{
    size_t before = 0;
    for (size_t i = 0; i < file; i++)
        before += r->files[i].results->count;
    return before + (size_t)(row - r->files[file].results->rows);
}

scan_status page_rows_write(const report *r, size_t *problem_ids, FILE *out)
{
    char *columns = NULL;
    size_t bytes = 0;
    page_rows p = {.columns = open_memstream(&columns, &bytes), .out = out};
    scan_status status = p.columns ? take_rows(r, &p) : SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        status = put_dictionaries(&p, problem_ids);
    for (size_t i = 0; i < NUMBERS && status == SCAN_OK; i++)
        put_numbers(&p, i);
    if (p.columns && fclose(p.columns) != 0)
        status = SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        fprintf(out, "\"rows\":{\"count\":%zu,\"columns\":{%s}}", p.count,
                columns[0] ? columns + 1 : "");
    free(columns);
    free(p.rows);
    return status;
}
