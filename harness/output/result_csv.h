/*
 * result_csv.h - the CSV files of a run: one row per configuration and phase, in the columns
 * of schema 1, those of a group when it is measured; with --json the same as JSON lines; and with
 * --samples, every sample
 */
#ifndef SCANBENCH_OUTPUT_RESULT_CSV_H
#define SCANBENCH_OUTPUT_RESULT_CSV_H

#include "output/csv_writer.h"
#include "output/json_rows.h"
#include "output/rates.h"
#include "sweep/settings.h"
#include "text/errmsg.h"

enum { RESULT_CSV_SCHEMA = 1 };

extern const char *const result_csv_columns[];
extern const size_t result_csv_column_count;

typedef struct result_csv {
    csv_writer *rows;
    json_rows *json;      /* the same rows with --json, or NULL */
    csv_writer *samples;  /* or NULL */
    const char *baseline; /* the plugin that speedups refer to */
    char run_id[64];
    char host[72];
    baseline_times *times;
} result_csv;

/* Opens the files and writes their headers, so that a file that cannot be written is
 * reported before anything is measured. With --json alone there is no CSV. keep: with --resume, the
 * bytes of the CSV to keep. SCAN_OK and *csv_p, closed with result_csv_close; else `error` says
 * why. */
scan_status result_csv_open(const output_options *o, size_t keep, result_csv *csv_p, errmsg *error);
/* SCAN_OK, or SCAN_ERROR if the last rows could not be written; `error` says why. */
scan_status result_csv_close(result_csv *csv, errmsg *error);

/* Waits until all that was written is on the disk. SCAN_OK; SCAN_ERROR, `error` says why. */
scan_status result_csv_sync(result_csv *csv, errmsg *error);

/* Writes the rows of a configuration, one without numbers if it failed. Its ratios are made
 * within the rounds of its group; where the ceiling or the baseline is not in that (or it is
 * NULL), from the medians that were kept. SCAN_OK and *rates_p, those of the run (0 if it
 * failed); SCAN_ERROR or SCAN_NO_MEMORY, `error` says why. */
scan_status result_csv_write(result_csv *csv, const group *g, const measurement *m,
                             phase_rates *rates_p, errmsg *error);

/* With --samples: writes those of the group's rows in the order of its visits. SCAN_OK;
 * SCAN_ERROR or SCAN_NO_MEMORY, `error` says why. */
scan_status result_csv_write_samples(result_csv *csv, const group *g, errmsg *error);

/* Keeps the median of a ceiling or the baseline, with which other rows are compared. SCAN_OK or
 * SCAN_NO_MEMORY. */
scan_status result_csv_add_time(result_csv *csv, const measurement *m, phase_kind phase,
                                double median_ns);

#endif
