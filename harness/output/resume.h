/*
 * resume.h - reads what an earlier run left in a CSV file: the configurations that need not be
 * measured again, and the medians with which new rows are compared
 */
#ifndef SCANBENCH_OUTPUT_RESUME_H
#define SCANBENCH_OUTPUT_RESUME_H

#include "output/result_csv.h"
#include "text/errmsg.h"

typedef struct resume resume;

/* Reads `path`; a missing file has no rows. SCAN_OK and *resume_p, released with resume_free;
 * else `error` says why. */
scan_status resume_read(const char *path, resume **resume_p, errmsg *error);
void resume_free(resume *r); /* accepts NULL */

/* How many bytes of the file to keep: those of complete configurations. A configuration that lacks
 * its last row is measured again. */
size_t resume_keep(const resume *r);

/* Is the configuration in the file, whatever its status? */
bool resume_has(const resume *r, const measurement *m);

/* Adds the medians of the configuration's rows to those of `csv`, if other rows are compared with
 * them. SCAN_OK or SCAN_NO_MEMORY. */
scan_status resume_restore_times(const resume *r, const measurement *m, result_csv *csv);

#endif
