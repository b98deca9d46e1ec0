/*
 * result_csv.h - the files of a run: one row per configuration and phase, in the columns of schema
 * 1, those of a group when it is measured; with --json the same as JSON lines; and with --samples,
 * every sample
 */
#ifndef SCANBENCH_OUTPUT_RESULT_CSV_H
#define SCANBENCH_OUTPUT_RESULT_CSV_H

#include "output/csv_file.h"
#include "output/line_file.h"
#include "output/row.h"
#include "scan_plugin.h"
#include "sweep/settings.h"
#include "text/errmsg.h"

/* Writes a row of the texts of its cells as a line of JSON, the whole or nothing: an object with
 * all columns in their order. SCAN_OK; SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. */
scan_status result_json_write(line_file *file, const char *const *cells, errmsg *error);

typedef struct result_csv {
    csv_file rows;
    line_file json;    /* the same rows with --json: fd -1 if it is not given */
    csv_file samples;  /* the same without --samples */
    row_origin origin; /* of the group that is written */
    row_references *references;
} result_csv;

/* Opens the files and locks them, creates those that are not there, and looks whether metadata
 * could be written beside them; changes nothing in them. With --resume the CSV must be a regular
 * file; with --json alone there is none. SCAN_OK and *csv_p, closed with result_csv_close; else
 * `error` says why. */
scan_status result_csv_open(const output_options *o, result_csv *csv_p, errmsg *error);
/* Empties the files and writes their headers, so that a file that cannot be written is reported
 * before anything is measured. keep: with --resume, the bytes of the CSV to keep; of the samples
 * all are kept. SCAN_OK; else `error` says why. */
scan_status result_csv_begin(result_csv *csv, const output_options *o, size_t keep, errmsg *error);
/* Removes what it created and did not begin. SCAN_OK, or SCAN_ERROR if the last rows could not be
 * written; `error` says why. */
scan_status result_csv_close(result_csv *csv, errmsg *error);

/* How many bytes the CSV has; 0: it is not a regular file. */
uint64_t result_csv_bytes(const result_csv *csv);

/* Waits until all that was written is on the disk. SCAN_OK; SCAN_ERROR, `error` says why. */
scan_status result_csv_sync(result_csv *csv, errmsg *error);

/* Begins a group: writes the rows of its calibrators, and with --samples the samples of the others,
 * in the order of its visits. SCAN_OK; SCAN_ERROR or SCAN_NO_MEMORY, `error` says why. */
scan_status result_csv_begin_group(result_csv *csv, const group *g, errmsg *error);

/* Writes the rows of a configuration of that group, one without numbers if it failed. SCAN_OK and
 * *row_p, that of its run or of its failure, which refers to m; SCAN_ERROR or SCAN_NO_MEMORY,
 * `error` says why. */
scan_status result_csv_write(result_csv *csv, const group *g, const measurement *m,
                             measured_row *row_p, errmsg *error);

#endif
