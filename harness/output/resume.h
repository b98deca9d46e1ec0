/*
 * resume.h - what an earlier run left in a CSV file: the configurations that need not be
 * measured again, and the medians that new rows are compared with
 */
#ifndef SCANBENCH_OUTPUT_RESUME_H
#define SCANBENCH_OUTPUT_RESUME_H

#include "output/result_csv.h"
#include "text/errmsg.h"

typedef struct resume resume;

/* Reads `path`; a missing file has no rows. SCAN_OK and *resume_p, released with resume_free;
 * else `error` says why. */
scan_status resume_read(const char *path, resume **resume_p, errmsg *error);
void resume_free(resume *r); /* takes NULL */

/* How many bytes of the file to keep: the rows of complete configurations. One that was
 * interrupted before its last row is measured again. */
size_t resume_keep(const resume *r);

/* Is the configuration in the file, with a result of any kind? */
bool resume_has(const resume *r, const measurement *m);

/* Adds the medians of its rows to those that other rows are compared with. SCAN_OK or
 * SCAN_NO_MEMORY. */
scan_status resume_restore_times(const resume *r, const measurement *m, result_csv *csv);

#endif
