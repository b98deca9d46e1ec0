#include "output/result_csv.h"

#include "output/circumstance_columns.h"
#include "output/column_map.h"
#include "output/configuration_columns.h"
#include "output/line_file.h"
#include "output/samples_csv.h"
#include "problem/names.h"
#include "system/unpredictable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COLUMN_NAME(section, name, ...) #name,
const char *const result_csv_columns[] = {COLUMN_MAP(COLUMN_NAME)};
#undef COLUMN_NAME
const size_t result_csv_column_count = sizeof result_csv_columns / sizeof *result_csv_columns;

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
    const csv_target rows = {.path = o->json && !o->csv ? "/dev/null" : o->csv,
                             .mode = o->resume ? CSV_CONTINUE : CSV_CREATE,
                             .keep = keep};
    result_csv s = {.baseline = o->baseline};
    char now[32];
    utc_now(false, now, sizeof now);
    /* Every container has a process 7, and two may start in one second. */
    snprintf(s.run_id, sizeof s.run_id, "%s-%d-%08" PRIx32, now, (int)getpid(),
             (uint32_t)unpredictable());
    gethostname(s.host, sizeof s.host - 1);
    scan_status status =
        csv_prepare(&rows, result_csv_columns, result_csv_column_count, &s.rows, error);
    if (status == SCAN_OK && o->samples)
        status = samples_csv_open(o, &s.samples, error);
    if (status == SCAN_OK && o->json)
        status = json_rows_open(o->json, &s.json, error);
    if (status == SCAN_OK)
        status = begin(&s, error);
    s.times = status == SCAN_OK ? baseline_times_new() : NULL;
    if (status == SCAN_OK && !s.times)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK) {
        *csv_p = s;
    } else {
        json_rows_close(s.json, NULL);
        csv_close(s.samples, NULL);
        csv_close(s.rows, NULL);
    }
    return status;
}

scan_status result_csv_close(result_csv *csv, errmsg *error)
{
    scan_status samples = csv_close(csv->samples, error);
    scan_status json = json_rows_close(csv->json, error);
    scan_status rows = csv_close(csv->rows, error);
    baseline_times_free(csv->times);
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

/* Writes the columns samples to outliers. */
enum { SUMMARY_COLUMNS = 12 };

static void put_summary(csv_writer *out, const measurement_phase *p)
{
    const stats_summary *s = &p->summary;
    csv_u64(out, s->n);
    csv_double(out, p->interval.median);
    csv_positive(out, p->interval.has_ci ? p->interval.lo : 0);
    csv_positive(out, p->interval.has_ci ? p->interval.hi : 0);
    csv_double(out, s->min);
    csv_double(out, s->q1);
    csv_double(out, s->q3);
    csv_double(out, s->max);
    csv_double_or_empty(out, s->has_stddev, s->mad);
    csv_double(out, s->mean);
    csv_double_or_empty(out, s->has_stddev, s->stddev);
    csv_u64(out, s->outliers);
}

/* Writes the columns schema to cache. */
static void put_start(const result_csv *csv, const measurement *m)
{
    const plugin_info *plugin = m->session->plugin;
    csv_writer *out = csv->rows;
    char now[32];
    utc_now(true, now, sizeof now);
    csv_u64(out, RESULT_CSV_SCHEMA);
    csv_text(out, csv->run_id);
    csv_text(out, now);
    csv_text(out, csv->host);
    csv_text(out, plugin->id);
    csv_text(out, plugin->version);
    csv_text(out, plugin->problem ? "" : role_name(plugin->role));
    csv_text(out, plugin->backend);
    csv_text(out, m->session->device.name);
    csv_text(out, m->session->device.driver);
    configuration_columns_put(out, m);
}

/* Adds a remark to `text`. */
static void add_flag(char *text, size_t size, const char *flag)
{
    const size_t used = strlen(text);
    if (*flag)
        snprintf(text + used, size - used, "%s%s", used ? ";" : "", flag);
}

/* A core that others use, too, matters to what is computed on it. */
static bool shares_core(const measurement *m, const measurement_phase *p)
{
    return p && !m->session->plugin->device_memory && measurement_shared_core(m);
}

#define COARSE "coarse_clock"

/* The remarks on a row: whether its time is precise, those on its configuration, and on its rate.
 */
static void put_flags(csv_writer *out, const measurement *m, const measurement_phase *p,
                      bool above_copy)
{
    char text[sizeof m->result.flags + 80 + CIRCUMSTANCE_FLAGS_BYTES] = "";
    char machine[CIRCUMSTANCE_FLAGS_BYTES];
    const bool noisy = p && p->stop != STOP_ONCE && !p->interval.precise;
    add_flag(text, sizeof text, noisy ? "noisy" : "");
    add_flag(text, sizeof text, shares_core(m, p) ? "shared_core" : "");
    add_flag(text, sizeof text, m->result.flags);
    const bool coarse = m->has_zero_phase && !strstr(text, COARSE);
    add_flag(text, sizeof text, coarse ? COARSE : "");
    add_flag(text, sizeof text, p ? circumstance_flags(m, p, machine) : "");
    add_flag(text, sizeof text, above_copy ? "above_copy" : "");
    csv_text(out, text);
}

/* The columns rounds to pct_copy_hi. */
static void put_rounds(csv_writer *out, const measurement_phase *p, const phase_rates *rates)
{
    csv_i64_or_empty(out, p != NULL, p ? (int64_t)p->interval.n : 0);
    csv_positive(out, rates->speedup_lo);
    csv_positive(out, rates->speedup_hi);
    csv_positive(out, rates->pct_copy_lo);
    csv_positive(out, rates->pct_copy_hi);
}

static void put_ratio(csv_writer *out, const stats_rounds *ratio)
{
    csv_positive(out, ratio->n > 0 ? ratio->median : 0);
    csv_positive(out, ratio->has_ci ? ratio->lo : 0);
    csv_positive(out, ratio->has_ci ? ratio->hi : 0);
}

/* The columns time_per_spin to time_per_copy_hi. */
static void put_calibration(csv_writer *out, const phase_rates *rates)
{
    put_ratio(out, &rates->per_spin);
    put_ratio(out, &rates->per_scan);
    put_ratio(out, &rates->per_copy);
}

/* One row: of a phase and its rates, or with NULL of a configuration without numbers. */
static scan_status put_row(const result_csv *csv, const measurement *m, const measurement_phase *p,
                           const phase_rates *rates)
{
    csv_writer *out = csv->rows;
    const job *j = &m->configuration->job;
    const job_result *r = &m->result;
    char phase[PHASE_TEXT_BYTES], reason[FAULT_SENTENCE_BYTES];
    put_start(csv, m);
    csv_text(out, p ? phase_print(&p->name, phase) : phase_word(PHASE_RUN));
    csv_text(out, row_status_word(r->status));
    csv_text(out, fault_text(&r->fault, reason, sizeof reason));
    csv_i64_or_empty(out, (p && r->verified) || r->status == ROW_WRONG, r->verified);
    csv_double_or_empty(out, p && r->has_error && dtype_is_float(j->dtype), r->max_rel_error);
    if (p)
        put_summary(out, p);
    for (int i = 0; !p && i < SUMMARY_COLUMNS; i++)
        csv_empty(out);
    bool per_element = p && rates->median_ns > 0 && phase_scope_of(p->name.kind) != PHASE_SETUP;
    csv_positive(out, per_element ? (double)j->n / (rates->median_ns * 1e-9) : 0);
    csv_positive(out, rates->bytes_per_s);
    csv_positive(out, rates->pct_copy);
    csv_positive(out, rates->speedup);
    csv_text(out, m->session->binding);
    csv_positive(out, p ? circumstance_clock_mhz(m) : 0);
    put_flags(out, m, p, rates->above_copy);
    csv_text(out, p ? stop_reason_word(p->stop) : "");
    csv_u64(out, j->seed);
    put_rounds(out, p, rates);
    put_calibration(out, rates);
    circumstance_columns_put(out, m, p);
    configuration_columns_put_parts(out, m);
    configuration_columns_put_kinds(out, m);
    configuration_columns_put_in_place(out, m);
    return csv_end_row(out);
}

scan_status result_csv_add_time(result_csv *csv, const measurement *m, phase_kind phase,
                                double median_ns)
{
    scan_status status = SCAN_OK;
    if (measurement_is_ceiling(m) && phase_scope_of(phase) == PHASE_WHOLE) {
        const ceiling_key key = rates_ceiling_key(m, phase);
        status = baseline_times_add_ceiling(csv->times, &key, median_ns);
    }
    if (strcmp(m->session->plugin->id, csv->baseline) == 0 && phase == PHASE_RUN) {
        const baseline_key key = rates_baseline_key(m);
        status = baseline_times_add_baseline(csv->times, &key, median_ns);
    }
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

scan_status result_csv_write_samples(result_csv *csv, const group *g, errmsg *error)
{
    const scan_status status =
        csv->samples ? samples_csv_write(csv->samples, csv->run_id, g) : SCAN_OK;
    return status == SCAN_OK ? status : explain(csv, status, error);
}

/* The row of the run comes last: a configuration that has it is complete. */
static scan_status put_phases(result_csv *csv, const group *g, const measurement *m,
                              phase_rates *rates_p)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++)
        status = result_csv_add_time(csv, m, m->phases[i].name.kind, m->phases[i].interval.median);
    for (int of_run = 0; of_run < 2; of_run++)
        for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++) {
            const measurement_phase *p = &m->phases[i];
            if ((p->name.kind == PHASE_RUN) != of_run)
                continue;
            *rates_p = rates_of(&(rates_reference){csv->times, csv->baseline}, g, m, p);
            status = put_row(csv, m, p, rates_p);
        }
    return status;
}

scan_status result_csv_write(result_csv *csv, const group *g, const measurement *m,
                             phase_rates *rates_p, errmsg *error)
{
    phase_rates rates = {0};
    scan_status status =
        m->result.status == ROW_OK ? put_phases(csv, g, m, &rates) : put_row(csv, m, NULL, &rates);
    if (status != SCAN_OK)
        return explain(csv, status, error);
    *rates_p = rates;
    return SCAN_OK;
}
