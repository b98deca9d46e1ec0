#include "output/result_csv.h"

#include "output/columns.h"
#include "output/line_file.h"
#include "system/unpredictable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
    return json_rows_add(context, cells, error);
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
        status = json_rows_open(o->json, &csv->json, error);
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
    if (status == SCAN_OK && csv->json)
        status = json_rows_begin(csv->json, error);
    if (status == SCAN_OK && csv->json)
        csv_listen(csv->rows, &(csv_listener){.row = add_json, .context = csv->json});
    return status;
}

scan_status result_csv_open(const output_options *o, size_t keep, result_csv *csv_p, errmsg *error)
{
    result_csv csv = {.rows = NULL};
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
    if (status == SCAN_OK)
        *csv_p = csv;
    else
        result_csv_close(&csv, NULL);
    return status;
}

scan_status result_csv_close(result_csv *csv, errmsg *error)
{
    scan_status samples = csv_close(csv->samples, error);
    scan_status json = json_rows_close(csv->json, error);
    scan_status rows = csv_close(csv->rows, error);
    row_references_free(csv->references);
    *csv = (result_csv){0};
    return rows != SCAN_OK ? rows : json != SCAN_OK ? json : samples;
}

scan_status result_csv_sync(result_csv *csv, errmsg *error)
{
    scan_status status = line_file_sync(csv_file(csv->rows), error);
    if (status == SCAN_OK && csv->samples)
        status = line_file_sync(csv_file(csv->samples), error);
    if (status == SCAN_OK && csv->json)
        status = line_file_sync(json_rows_file(csv->json), error);
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
    uint32_t rounds;
} written;

/* The samples of a member's next visit, and any before it. */
static scan_status put_visit(const result_csv *csv, const measurement *m, written *w)
{
    const uint32_t round = w->rounds++;
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
