/*
 * result_csv.h - the CSV file of a run: one row per configuration and phase, in the
 * columns of schema 1, each row written through as it is made
 */
#ifndef SCANBENCH_OUTPUT_RESULT_CSV_H
#define SCANBENCH_OUTPUT_RESULT_CSV_H

#include "text/errmsg.h"

#include "output/baseline_times.h"
#include "output/csv_writer.h"
#include "stats/stats.h"
#include "sweep/plan.h"

enum { RESULT_CSV_SCHEMA = 1, RESULT_CSV_PHASES = 32 };

/* The samples of one phase of one case. */
typedef struct measurement_phase {
    phase_name name;
    char stop[16];
    unsigned batch;
    size_t count;
    double *samples; /* ns a run */
    stats_summary summary;
} measurement_phase;

/* A case that was done. */
typedef struct measurement {
    const session *session;
    const configuration *planned;
    job_result result;
    measurement_phase phases[RESULT_CSV_PHASES];
    size_t phase_count;
} measurement;

/* What the closing table shows of a `run` phase. */
typedef struct measurement_score {
    bool measured;
    double median_ns, bytes_per_s;
    double pct_copy, speedup; /* 0: unknown */
} measurement_score;

typedef struct result_csv {
    csv_writer *csv;
    csv_writer *samples; /* or NULL */
    const char *baseline;
    char run_id[40];
    char host[72];
    baseline_times *scores;
} result_csv;

/* Opens the outputs and writes their headers, so that a place that cannot be written
 * is known before anything is measured. SCAN_OK and *result_csv_p, closed with result_csv_close;
 * else `message`. */
scan_status result_csv_open(const output_options *o, result_csv *result_csv_p, errmsg *error);
/* SCAN_ERROR and `message` where the last rows could not be kept. */
scan_status result_csv_close(result_csv *s, errmsg *error);

/* Does the case copy rather than scan? Then it has no kind and no op. */
bool result_csv_is_ceiling(const measurement *c);

/* Takes one phase into a case, from its samples as text. Released with
 * measurement_free. */
void measurement_add(measurement *c, const phase_name *name, unsigned batch, const char *stop,
                     const char *samples);
void measurement_free(measurement *c);

/* Writes the rows of a case (one without numbers if it did not come out right) and
 * tells its score. SCAN_OK, or SCAN_ERROR and `message`. */
scan_status result_csv_write(result_csv *s, measurement *c, measurement_score *score_p,
                             errmsg *error);

/* Puts a median on the baseline_times, if later rows are compared with it. */
scan_status result_csv_note(result_csv *s, const measurement *c, phase_kind phase,
                            double median_ns);

/* What tells cases apart in a file: the columns plugin, device, kind, op, dtype, n,
 * block, vt, params and seed, with tabs between. */
void result_csv_key(const measurement *c, char *text, size_t size);

extern const char *const result_csv_columns[];
extern const size_t result_csv_column_count;

#endif
