#include "output/result_csv.h"

#include "problem/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const result_csv_columns[] = {
    "schema",      "run_id",   "timestamp_utc", "host",      "plugin",        "plugin_version",
    "role",        "backend",  "device",        "driver",    "kind",          "op",
    "dtype",       "n",        "block",         "vt",        "params",        "cache",
    "phase",       "status",   "reason",        "verified",  "max_rel_error", "samples",
    "median_ns",   "ci_lo_ns", "ci_hi_ns",      "min_ns",    "q1_ns",         "q3_ns",
    "max_ns",      "mad_ns",   "mean_ns",       "stddev_ns", "outliers",      "elems_per_s",
    "bytes_per_s", "pct_copy", "speedup",       "binding",   "clock_mhz",     "flags",
    "stop_reason", "seed",
};
const size_t result_csv_column_count = sizeof result_csv_columns / sizeof *result_csv_columns;

static const char *const sample_columns[] = {
    "schema", "run_id", "plugin", "backend", "device", "kind",  "op",    "dtype", "n",
    "block",  "vt",     "params", "cache",   "phase",  "batch", "index", "ns",
};

/* UTC now; separators: with them as ISO 8601 for people, else for names. */
static void utc_now(bool separators, char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, size, separators ? "%Y-%m-%dT%H:%M:%SZ" : "%Y%m%dT%H%M%SZ", &utc);
}

scan_status result_csv_open(const output_options *o, result_csv *result_csv_p, errmsg *error)
{
    result_csv s = {.baseline = o->baseline};
    char now[32];
    utc_now(false, now, sizeof now);
    snprintf(s.run_id, sizeof s.run_id, "%s-%d", now, (int)getpid());
    gethostname(s.host, sizeof s.host - 1);
    scan_status status = csv_open(o->csv, result_csv_columns, result_csv_column_count,
                                  o->resume ? CSV_APPEND : CSV_CREATE, &s.csv, error);
    if (status == SCAN_OK && o->samples)
        status =
            csv_open(o->samples, sample_columns, sizeof sample_columns / sizeof *sample_columns,
                     o->resume ? CSV_APPEND : CSV_CREATE, &s.samples, error);
    s.scores = status == SCAN_OK ? baseline_times_new() : NULL;
    if (status == SCAN_OK && !s.scores) {
        errmsg_set(error, SCAN_INVALID, "out of memory");
        status = SCAN_NO_MEMORY;
    }
    if (status == SCAN_OK)
        *result_csv_p = s;
    else {
        csv_close(s.samples, NULL);
        csv_close(s.csv, NULL);
    }
    return status;
}

scan_status result_csv_close(result_csv *s, errmsg *error)
{
    scan_status samples = csv_close(s->samples, error);
    scan_status rows = csv_close(s->csv, error);
    baseline_times_free(s->scores);
    *s = (result_csv){0};
    return rows != SCAN_OK ? rows : samples;
}

static void put_optional(csv_writer *csv, bool there, int64_t value)
{
    if (there)
        csv_i64(csv, value);
    else
        csv_empty(csv);
}

static void put_positive(csv_writer *csv, double value)
{
    if (value > 0)
        csv_double(csv, value);
    else
        csv_empty(csv);
}

/* From kind to cache. */
static void put_configuration(csv_writer *csv, const measurement *c)
{
    const configuration *planned = c->planned;
    csv_text(csv, result_csv_is_ceiling(c) ? "" : kind_name(planned->job.kind));
    csv_text(csv, result_csv_is_ceiling(c) ? "" : op_name(planned->job.op));
    csv_text(csv, dtype_name(planned->job.dtype));
    csv_u64(csv, planned->job.n);
    put_optional(csv, planned->has_block, planned->block);
    put_optional(csv, planned->has_vt, planned->vt);
    csv_text(csv, planned->params);
    csv_text(csv, "hot");
}

/* From samples to outliers. */
static void put_summary(csv_writer *csv, const stats_summary *s)
{
    csv_u64(csv, s->n);
    csv_double(csv, s->median);
    put_positive(csv, s->has_ci ? s->ci_lo : 0);
    put_positive(csv, s->has_ci ? s->ci_hi : 0);
    csv_double(csv, s->min);
    csv_double(csv, s->q1);
    csv_double(csv, s->q3);
    csv_double(csv, s->max);
    if (s->has_stddev)
        csv_double(csv, s->mad);
    else
        csv_empty(csv);
    csv_double(csv, s->mean);
    if (s->has_stddev)
        csv_double(csv, s->stddev);
    else
        csv_empty(csv);
    csv_u64(csv, s->outliers);
}

static measurement_score score_of(const result_csv *s, const measurement *c,
                                  const measurement_phase *p)
{
    const job *j = &c->planned->job;
    measurement_score score = {.measured = true, .median_ns = p->summary.median};
    const phase_scope scope = phase_scope_of(p->name.kind);
    bool timed = p->summary.median > 0 && j->n > 0;
    if (!timed || scope == PHASE_TRANSFER || scope == PHASE_SETUP)
        return score;
    double seconds = p->summary.median * 1e-9;
    score.bytes_per_s = 2.0 * (double)j->n * (double)dtype_bytes(j->dtype) / seconds;
    const ceiling_key key = {.backend = c->session->plugin->backend,
                             .device = c->session->device.name,
                             .threads = c->planned->threads,
                             .dtype = j->dtype,
                             .n = j->n,
                             .phase = p->name.kind};
    score.pct_copy = 100 * baseline_times_ceiling(s->scores, &key) / p->summary.median;
    if (scope == PHASE_WHOLE && !result_csv_is_ceiling(c))
        score.speedup =
            baseline_times_baseline(s->scores, j->dtype, j->n, j->op, j->kind) / p->summary.median;
    return score;
}

static void put_start(const result_csv *s, const measurement *c)
{
    const plugin_info *plugin = c->session->plugin;
    char now[32];
    utc_now(true, now, sizeof now);
    csv_u64(s->csv, RESULT_CSV_SCHEMA);
    csv_text(s->csv, s->run_id);
    csv_text(s->csv, now);
    csv_text(s->csv, s->host);
    csv_text(s->csv, plugin->id);
    csv_text(s->csv, plugin->version);
    csv_text(s->csv, plugin->problem ? "" : role_name(plugin->role));
    csv_text(s->csv, plugin->backend);
    csv_text(s->csv, c->session->device.name);
    csv_text(s->csv, c->session->device.driver);
    put_configuration(s->csv, c);
}

/* One row: of a phase, or with NULL of a case without numbers. */
static scan_status put_row(const result_csv *s, const measurement *c, const measurement_phase *p)
{
    csv_writer *csv = s->csv;
    const job_result *r = &c->result;
    char phase[PHASE_TEXT_BYTES], reason[FAULT_SENTENCE_BYTES];
    put_start(s, c);
    csv_text(csv, p ? phase_print(&p->name, phase) : phase_word(PHASE_RUN));
    csv_text(csv, row_status_word(r->status));
    csv_text(csv, fault_text(&r->fault, reason, sizeof reason));
    if (p || r->status == ROW_WRONG)
        csv_u64(csv, r->verified);
    else
        csv_empty(csv);
    if (p && r->has_error && dtype_is_float(c->planned->job.dtype))
        csv_double(csv, r->max_rel_error);
    else
        csv_empty(csv);
    measurement_score score = {0};
    if (p) {
        put_summary(csv, &p->summary);
        score = score_of(s, c, p);
    } else {
        for (int i = 0; i < 12; i++)
            csv_empty(csv);
    }
    bool rate = p && score.median_ns > 0 && phase_scope_of(p->name.kind) != PHASE_SETUP;
    put_positive(csv, rate ? (double)c->planned->job.n / (score.median_ns * 1e-9) : 0);
    put_positive(csv, score.bytes_per_s);
    put_positive(csv, score.pct_copy);
    put_positive(csv, score.speedup);
    csv_text(csv, c->session->binding);
    put_optional(csv, p && r->clock_mhz > 0, r->clock_mhz);
    csv_text(csv, r->flags);
    csv_text(csv, p ? p->stop : "");
    csv_u64(csv, c->planned->job.seed);
    return csv_end_row(csv);
}

static scan_status put_samples(const result_csv *s, const measurement *c,
                               const measurement_phase *p)
{
    const plugin_info *plugin = c->session->plugin;
    char phase[PHASE_TEXT_BYTES];
    phase_print(&p->name, phase);
    for (size_t i = 0; i < p->count; i++) {
        csv_u64(s->samples, RESULT_CSV_SCHEMA);
        csv_text(s->samples, s->run_id);
        csv_text(s->samples, plugin->id);
        csv_text(s->samples, plugin->backend);
        csv_text(s->samples, c->session->device.name);
        put_configuration(s->samples, c);
        csv_text(s->samples, phase);
        csv_u64(s->samples, p->batch);
        csv_u64(s->samples, i);
        csv_double(s->samples, p->samples[i]);
        scan_status status = csv_end_row(s->samples);
        if (status != SCAN_OK)
            return status;
    }
    return SCAN_OK;
}

scan_status result_csv_note(result_csv *s, const measurement *c, phase_kind phase, double median_ns)
{
    const job *j = &c->planned->job;
    const ceiling_key key = {.backend = c->session->plugin->backend,
                             .device = c->session->device.name,
                             .threads = c->planned->threads,
                             .dtype = j->dtype,
                             .n = j->n,
                             .phase = phase};
    scan_status status = SCAN_OK;
    if (result_csv_is_ceiling(c) && phase_scope_of(phase) == PHASE_WHOLE)
        status = baseline_times_add_ceiling(s->scores, &key, median_ns);
    if (strcmp(c->session->plugin->id, s->baseline) == 0 && phase == PHASE_RUN)
        status = baseline_times_add_baseline(s->scores, j->dtype, j->n, j->op, j->kind, median_ns);
    return status;
}

scan_status result_csv_write(result_csv *s, measurement *c, measurement_score *score_p,
                             errmsg *error)
{
    bool ok = c->result.status == ROW_OK;
    measurement_score score = {0};
    scan_status status = ok ? SCAN_OK : put_row(s, c, NULL);
    for (size_t i = 0; ok && status == SCAN_OK && i < c->phase_count; i++)
        status = result_csv_note(s, c, c->phases[i].name.kind, c->phases[i].summary.median);
    /* The run's row is the last of its case: where it is, the case is whole. */
    for (int run = 0; run < 2 && ok; run++)
        for (size_t i = 0; i < c->phase_count && status == SCAN_OK; i++) {
            const measurement_phase *p = &c->phases[i];
            if ((p->name.kind == PHASE_RUN) != (run == 1))
                continue;
            status = s->samples ? put_samples(s, c, p) : SCAN_OK;
            if (status != SCAN_OK)
                break;
            status = put_row(s, c, p);
            if (run == 1)
                score = score_of(s, c, p);
        }
    if (status != SCAN_OK) {
        const char *why = csv_message(s->csv);
        if (!*why && s->samples)
            why = csv_message(s->samples);
        errmsg_set(error, SCAN_INVALID, "%s", *why ? why : "out of memory");
        return status;
    }
    *score_p = score;
    return SCAN_OK;
}
