#include "output/result_csv.h"

#include "output/columns.h"
#include "output/line_file.h"
#include "output/metadata.h"
#include "system/file_identity.h"
#include "system/unpredictable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

scan_status result_json_write(line_file *file, const char *const *cells, errmsg *error)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    if (out) {
        fputc('{', out);
        columns_print_json(out, &row_columns, cells);
        fputs("}\n", out);
    }
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

static scan_status check_resumed(const char *csv, errmsg *error)
{
    struct stat about;
    if (!csv || stat(csv, &about) != 0 || S_ISREG(about.st_mode))
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID, "--resume: %s is %s, which keeps no rows to go on with",
                      csv, file_identity_word(&about));
}

static scan_status open_files(const output_options *o, result_csv *csv, errmsg *error)
{
    const char *rows = o->json && !o->csv ? "/dev/null" : o->csv;
    scan_status status = o->resume ? check_resumed(o->csv, error) : SCAN_OK;
    if (status == SCAN_OK)
        status = csv_open(rows, &row_columns, &csv->rows, error);
    if (status == SCAN_OK && o->samples)
        status = csv_open(o->samples, &sample_columns, &csv->samples, error);
    if (status == SCAN_OK && o->json)
        status = line_file_open(o->json, &csv->json, error);
    if (status == SCAN_OK)
        status = metadata_check(o->csv, error);
    if (status == SCAN_OK)
        status = metadata_check(o->samples, error);
    csv->references = status == SCAN_OK ? row_references_new(o->baseline) : NULL;
    if (status == SCAN_OK && !csv->references)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    return status;
}

#define CLOSED         \
    {                  \
        .lines.fd = -1 \
    }

scan_status result_csv_open(const output_options *o, result_csv *csv_p, errmsg *error)
{
    result_csv csv = {.rows = CLOSED, .json.fd = -1, .samples = CLOSED};
    row_origin *origin = &csv.origin;
    char now[32];
    utc_now(false, now, sizeof now);
    /* Every container has a process 7, and two may start in one second. */
    snprintf(origin->run_id, sizeof origin->run_id, "%s-%d-%08" PRIx32, now, (int)getpid(),
             (uint32_t)unpredictable());
    gethostname(origin->host, sizeof origin->host - 1);
    const scan_status status = open_files(o, &csv, error);
    if (status == SCAN_OK)
        *csv_p = csv;
    else
        result_csv_close(&csv, NULL);
    return status;
}

scan_status result_csv_begin(result_csv *csv, const output_options *o, size_t keep, errmsg *error)
{
    struct stat samples;
    const bool keeps =
        o->resume && csv->samples.lines.regular && fstat(csv->samples.lines.fd, &samples) == 0;
    scan_status status = csv_begin(&csv->rows, keep, error);
    if (status == SCAN_OK && o->samples) /* resume_apply has taken out the others */
        status = csv_begin(&csv->samples, keeps ? (size_t)samples.st_size : 0, error);
    if (status == SCAN_OK && o->json)
        status = line_file_begin(&csv->json, 0, error);
    return status;
}

scan_status result_csv_close(result_csv *csv, errmsg *error)
{
    scan_status samples = line_file_close(&csv->samples.lines, error);
    scan_status json = line_file_close(&csv->json, error);
    scan_status rows = line_file_close(&csv->rows.lines, error);
    row_references_free(csv->references);
    *csv = (result_csv){.rows = CLOSED, .json.fd = -1, .samples = CLOSED};
    return rows != SCAN_OK ? rows : json != SCAN_OK ? json : samples;
}

uint64_t result_csv_bytes(const result_csv *csv)
{
    struct stat about;
    const bool known = fstat(csv->rows.lines.fd, &about) == 0 && S_ISREG(about.st_mode);
    return known ? (uint64_t)about.st_size : 0;
}

scan_status result_csv_sync(result_csv *csv, errmsg *error)
{
    scan_status status = line_file_sync(&csv->rows.lines, error);
    if (status == SCAN_OK)
        status = line_file_sync(&csv->samples.lines, error);
    if (status == SCAN_OK)
        status = line_file_sync(&csv->json, error);
    return status;
}

/* Writes the row into the files: the CSV, and as JSON too unless that is NULL. */
static scan_status put(csv_file *file, line_file *json, measured_row *r, errmsg *error)
{
    _Static_assert((int)SAMPLE_COLUMNS <= (int)ROW_COLUMNS, "the cells of either row");
    const char *cells[ROW_COLUMNS];
    const column_list *columns = file->columns;
    char *texts = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&texts, &bytes);
    for (size_t i = 0; out && i < columns->count; i++) {
        const row_cell c = columns->entries[i]->get(r);
        cell_print(out, &c);
        fputc('\0', out);
    }
    if (!out || fclose(out) != 0) {
        free(texts);
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    const char *at = texts;
    for (size_t i = 0; i < columns->count; i++, at += strlen(at) + 1)
        cells[i] = at;
    scan_status status = csv_put(file, cells, error);
    if (status == SCAN_OK && json && json->fd >= 0)
        status = result_json_write(json, cells, error);
    free(texts);
    return status;
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
static scan_status put_visit(result_csv *csv, const measurement *m, written *w, errmsg *error)
{
    const uint32_t round = next_round(m, w);
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count; i++) {
        const measurement_phase *p = &m->phases[i];
        measured_row r = {
            .origin = &csv->origin, .m = m, .p = p, .problem = &m->configuration->job};
        for (r.sample = w->samples[i];
             status == SCAN_OK && r.sample < p->count && p->rounds[r.sample] <= round; r.sample++)
            status = put(&csv->samples, NULL, &r, error);
        w->samples[i] = r.sample;
    }
    return status;
}

static scan_status put_samples(result_csv *csv, const group *g, errmsg *error)
{
    written *done = calloc(g->count + 1, sizeof *done);
    scan_status status = SCAN_OK;
    if (!done)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = 0; status == SCAN_OK && i < g->visit_count; i++) {
        const group_entry *m = &g->members[g->visits[i]];
        if (m->role == MEMBER_OWN && m->measurement.result.status == ROW_OK)
            status = put_visit(csv, &m->measurement, &done[g->visits[i]], error);
    }
    free(done);
    return status;
}

static scan_status put_row(result_csv *csv, measured_row *r, errmsg *error)
{
    utc_now(true, csv->origin.now, sizeof csv->origin.now);
    return put(&csv->rows, &csv->json, r, error);
}

static scan_status put_calibrators(result_csv *csv, const group *g, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (size_t i = g->count - g->calibrators; i < g->count && status == SCAN_OK; i++) {
        const measurement *m = &g->members[i].measurement;
        const measurement_phase *run = m->result.status == ROW_OK ? measurement_run(m) : NULL;
        if (!run && !row_status_is_failure(m->result.status))
            continue;
        measured_row r = row_make(&csv->origin, csv->references, g, m, run);
        status = put_row(csv, &r, error);
    }
    return status;
}

scan_status result_csv_begin_group(result_csv *csv, const group *g, errmsg *error)
{
    csv->origin.group_id++;
    scan_status status = csv->samples.lines.fd >= 0 ? put_samples(csv, g, error) : SCAN_OK;
    return status == SCAN_OK ? put_calibrators(csv, g, error) : status;
}

/* The row of the run comes last: a configuration that has it is complete. */
static scan_status put_phases(result_csv *csv, const group *g, const measurement *m,
                              measured_row *row_p, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++)
        if (row_references_add(csv->references, m, m->phases[i].name.kind,
                               m->phases[i].interval.median) != SCAN_OK)
            status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (int of_run = 0; of_run < 2; of_run++)
        for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++) {
            const measurement_phase *p = &m->phases[i];
            if ((p->name.kind == PHASE_RUN) != of_run)
                continue;
            *row_p = row_make(&csv->origin, csv->references, g, m, p);
            status = put_row(csv, row_p, error);
        }
    return status;
}

scan_status result_csv_write(result_csv *csv, const group *g, const measurement *m,
                             measured_row *row_p, errmsg *error)
{
    *row_p = row_make(&csv->origin, csv->references, g, m, NULL);
    return m->result.status == ROW_OK ? put_phases(csv, g, m, row_p, error)
                                      : put_row(csv, row_p, error);
}
