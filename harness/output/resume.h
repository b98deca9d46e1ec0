/*
 * resume.h - reads what an earlier run left in a CSV file: the configurations that need not be
 * measured again, and the medians with which new rows are compared
 *
 * resume_read, resume_consider for each configuration of the plan, resume_check_origin; nothing is
 * written up to here. Then resume_apply takes out of the files what is measured again.
 */
#ifndef SCANBENCH_OUTPUT_RESUME_H
#define SCANBENCH_OUTPUT_RESUME_H

#include "output/result_csv.h"
#include "supervisor/session_set.h"
#include "text/errmsg.h"
#include "text/json.h"

typedef struct resume resume;

/* Reads `path`; a missing file has no rows. SCAN_OK and *resume_p, released with resume_free;
 * else `error` says why. */
scan_status resume_read(const char *path, resume **resume_p, errmsg *error);
void resume_free(resume *r); /* accepts NULL */

/* Decides which rows a configuration of the plan replaces: those of a device or a plugin that was
 * not there and now is, and with `retry` those of a failure or of what was too large for the memory
 * that was free. */
void resume_consider(resume *r, const measurement *m, bool retry);

/* Are the rows that stay of this host, this scanbench and these plugin files? before: the text
 * that the file beside the CSV has, or NULL. Where that does not describe a run, a warning on
 * stderr says so. SCAN_OK; SCAN_INVALID, `error` says what differs. */
scan_status resume_check_origin(const resume *r, const char *before, const session_set *set,
                                errmsg *error);

/* Writes the rows that stay as JSON lines. SCAN_OK; SCAN_ERROR, SCAN_NO_MEMORY, and `error` says
 * why. */
scan_status resume_put_rows(const resume *r, line_file *rows, errmsg *error);

/* Does a row that stays have this run_id? */
bool resume_has_run(const resume *r, json_value run_id);
/* Does any row, or the text of the metadata (or NULL), name this run? */
bool resume_knows_run(const resume *r, const char *before, const char *run_id);
/* Does one of this plugin? */
bool resume_has_plugin(const resume *r, const char *plugin, json_value run_id);

/* Is what is there (nothing, or no regular file, is fine) a file of --samples in the form that a
 * run writes, so that its lines are known by their configurations, and are all runs in it of the
 * CSV that is resumed? before: the text of the CSV's metadata, or NULL, which names also a run that
 * was killed before its first row. Changes nothing. SCAN_OK; SCAN_INVALID, SCAN_ERROR,
 * SCAN_NO_MEMORY, `error` says why. */
scan_status resume_samples_check(const char *path, const resume *r, const char *before,
                                 errmsg *error);

/* Takes the replaced rows out of the CSV, and out of the samples those without a row. SCAN_OK and
 * *keep_p, the bytes of the CSV that stay; SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. */
scan_status resume_apply(const resume *r, result_csv *csv, size_t *keep_p, errmsg *error);

/* Is the configuration in the file, whatever its status? That of a device that has gone is. */
bool resume_has(const resume *r, const measurement *m);
/* Its status there. */
row_status resume_status(const resume *r, const measurement *m);

/* Adds the medians of the configuration's rows to those of `known`, if other rows are compared with
 * them. SCAN_OK or SCAN_NO_MEMORY. */
scan_status resume_restore_times(const resume *r, const measurement *m, row_references *known);

#endif
