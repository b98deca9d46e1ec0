#include "output/result_csv.h"

#include "output/columns.h"
#include "output/csv_reader.h"
#include "output/line_file.h"
#include "system/json.h"
#include "system/unpredictable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *skip_digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

/* Is the text a number of JSON, which has no leading zero and digits around the point? */
static bool is_number(const char *text)
{
    const char *at = text + (*text == '-');
    const char *end = skip_digits(at);
    if (end == at || (*at == '0' && end > at + 1))
        return false;
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    return *end == '\0';
}

/* As an array, with null for what is not there. */
static void put_times(FILE *out, const char *cell)
{
    char before = '[';
    for (const char *at = cell; *at; at += strcspn(at, " "), at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        const bool none = length == 1 && *at == '-';
        fprintf(out, "%c%.*s", before, none ? 4 : (int)length, none ? "null" : at);
        before = ',';
    }
    fputc(']', out);
}

static void put_value(FILE *out, column_type type, const char *cell)
{
    if (!*cell)
        fputs("null", out);
    else if (type == COLUMN_TIMES && number_cell_is_list(cell, is_number))
        put_times(out, cell);
    else if (column_is_number(type) && is_number(cell))
        fputs(cell, out);
    else if (type == COLUMN_FLAG && (strcmp(cell, "0") == 0 || strcmp(cell, "1") == 0))
        fputs(*cell == '1' ? "true" : "false", out);
    else
        json_string(out, cell);
}

scan_status result_json_write(line_file *file, const char *const *cells, errmsg *error)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    for (size_t i = 0; out && i < column_count; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "{", column_table[i].name);
        put_value(out, column_table[i].type, cells[i]);
    }
    if (out)
        fputs("}\n", out);
    scan_status status = SCAN_OK;
    if (!out || fclose(out) != 0)
        status = errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for a row", file->path);
    if (status == SCAN_OK)
        status = line_file_write(file, line, bytes, error);
    free(line);
    return status;
}

/* The current time in UTC: with separators as in ISO 8601, or without them, for a name. */
static void utc_now(bool separators, char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, size, separators ? "%Y-%m-%dT%H:%M:%SZ" : "%Y%m%dT%H%M%SZ", &utc);
}

static scan_status add_json(void *context, const char *const *cells, errmsg *error)
{
    return result_json_write(context, cells, error);
}

/* Opens the files, and changes nothing in them. */
static scan_status prepare(const output_options *o, size_t keep, result_csv *csv, errmsg *error)
{
    const csv_target rows = {.path = o->json && !o->csv ? "/dev/null" : o->csv,
                             .mode = o->resume ? CSV_CONTINUE : CSV_CREATE,
                             .keep = keep};
    const csv_target samples = {.path = o->samples, .mode = o->resume ? CSV_APPEND : CSV_CREATE};
    scan_status status = csv_prepare(&rows, column_names, column_count, &csv->rows, error);
    if (status == SCAN_OK && o->samples)
        status = csv_prepare(&samples, sample_names, sample_column_count, &csv->samples, error);
    if (status == SCAN_OK && o->json)
        status = line_file_open(o->json, &csv->json, error);
    csv->references = status == SCAN_OK ? row_references_new(o->baseline) : NULL;
    if (status == SCAN_OK && !csv->references)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    return status;
}

/* Empties the files, or cuts them off, when all of them are open. */
static scan_status begin(result_csv *csv, errmsg *error)
{
    scan_status status = csv_begin(csv->rows, error);
    if (status == SCAN_OK && csv->samples)
        status = csv_begin(csv->samples, error);
    if (status == SCAN_OK && csv->json.fd >= 0)
        status = line_file_begin(&csv->json, 0, error);
    return status;
}

scan_status result_csv_open(const output_options *o, size_t keep, result_csv *csv_p, errmsg *error)
{
    result_csv csv = {.json.fd = -1};
    row_origin *origin = &csv.origin;
    char now[32];
    utc_now(false, now, sizeof now);
    /* Every container has a process 7, and two may start in one second. */
    snprintf(origin->run_id, sizeof origin->run_id, "%s-%d-%08" PRIx32, now, (int)getpid(),
             (uint32_t)unpredictable());
    gethostname(origin->host, sizeof origin->host - 1);
    scan_status status = prepare(o, keep, &csv, error);
    if (status == SCAN_OK)
        status = begin(&csv, error);
    if (status != SCAN_OK) {
        result_csv_close(&csv, NULL);
        return status;
    }
    *csv_p = csv;
    if (csv.json.fd >= 0)
        csv_listen(csv.rows, &(csv_listener){.row = add_json, .context = &csv_p->json});
    return SCAN_OK;
}

scan_status result_csv_close(result_csv *csv, errmsg *error)
{
    scan_status samples = csv_close(csv->samples, error);
    scan_status json = line_file_close(&csv->json, error);
    scan_status rows = csv_close(csv->rows, error);
    row_references_free(csv->references);
    *csv = (result_csv){.json.fd = -1};
    return rows != SCAN_OK ? rows : json != SCAN_OK ? json : samples;
}

scan_status result_csv_sync(result_csv *csv, errmsg *error)
{
    scan_status status = line_file_sync(csv_file(csv->rows), error);
    if (status == SCAN_OK && csv->samples)
        status = line_file_sync(csv_file(csv->samples), error);
    if (status == SCAN_OK && csv->json.fd >= 0)
        status = line_file_sync(&csv->json, error);
    return status;
}

/* Why a row could not be written. */
static scan_status explain(const result_csv *csv, scan_status status, errmsg *error)
{
    const char *why = csv_message(csv->rows);
    if (!*why && csv->samples)
        why = csv_message(csv->samples);
    return errmsg_set(error, status, "%s", *why ? why : "out of memory");
}

/* How many samples of each phase of a member are written. */
typedef struct written {
    size_t samples[MEASUREMENT_PHASES];
} written;

/* The first round of which samples are not written; a slow member is not visited in each. */
static uint32_t next_round(const measurement *m, const written *w)
{
    uint32_t round = UINT32_MAX;
    for (size_t i = 0; i < m->phase_count; i++) {
        const measurement_phase *p = &m->phases[i];
        if (w->samples[i] < p->count && p->rounds[w->samples[i]] < round)
            round = p->rounds[w->samples[i]];
    }
    return round;
}

/* The samples of a member's next visit. */
static scan_status put_visit(const result_csv *csv, const measurement *m, written *w)
{
    const uint32_t round = next_round(m, w);
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count; i++) {
        const measurement_phase *p = &m->phases[i];
        measured_row r = {
            .origin = &csv->origin, .m = m, .p = p, .problem = &m->configuration->job};
        for (r.sample = w->samples[i];
             status == SCAN_OK && r.sample < p->count && p->rounds[r.sample] <= round; r.sample++) {
            columns_put_sample(csv->samples, &r);
            status = csv_end_row(csv->samples);
        }
        w->samples[i] = r.sample;
    }
    return status;
}

static scan_status put_samples(const result_csv *csv, const group *g)
{
    written *done = calloc(g->count + 1, sizeof *done);
    scan_status status = done ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; status == SCAN_OK && i < g->visit_count; i++) {
        const group_entry *m = &g->members[g->visits[i]];
        if (m->role == MEMBER_OWN && m->measurement.result.status == ROW_OK)
            status = put_visit(csv, &m->measurement, &done[g->visits[i]]);
    }
    free(done);
    return status;
}

static scan_status put_row(result_csv *csv, measured_row *r)
{
    utc_now(true, csv->origin.now, sizeof csv->origin.now);
    columns_put_row(csv->rows, r);
    return csv_end_row(csv->rows);
}

static scan_status put_calibrators(result_csv *csv, const group *g)
{
    scan_status status = SCAN_OK;
    for (size_t i = g->count - g->calibrators; i < g->count && status == SCAN_OK; i++) {
        const measurement *m = &g->members[i].measurement;
        const measurement_phase *run = m->result.status == ROW_OK ? measurement_run(m) : NULL;
        if (!run)
            continue;
        measured_row r = row_make(&csv->origin, csv->references, g, m, run);
        status = put_row(csv, &r);
    }
    return status;
}

scan_status result_csv_begin_group(result_csv *csv, const group *g, errmsg *error)
{
    csv->origin.group_id++;
    scan_status status = csv->samples ? put_samples(csv, g) : SCAN_OK;
    if (status == SCAN_OK)
        status = put_calibrators(csv, g);
    return status == SCAN_OK ? status : explain(csv, status, error);
}

/* The row of the run comes last: a configuration that has it is complete. */
static scan_status put_phases(result_csv *csv, const group *g, const measurement *m,
                              measured_row *row_p)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++)
        status = row_references_add(csv->references, m, m->phases[i].name.kind,
                                    m->phases[i].interval.median);
    for (int of_run = 0; of_run < 2; of_run++)
        for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++) {
            const measurement_phase *p = &m->phases[i];
            if ((p->name.kind == PHASE_RUN) != of_run)
                continue;
            *row_p = row_make(&csv->origin, csv->references, g, m, p);
            status = put_row(csv, row_p);
        }
    return status;
}

scan_status result_csv_write(result_csv *csv, const group *g, const measurement *m,
                             measured_row *row_p, errmsg *error)
{
    scan_status status = SCAN_OK;
    *row_p = row_make(&csv->origin, csv->references, g, m, NULL);
    if (m->result.status == ROW_OK)
        status = put_phases(csv, g, m, row_p);
    else
        status = put_row(csv, row_p);
    return status == SCAN_OK ? status : explain(csv, status, error);
}
