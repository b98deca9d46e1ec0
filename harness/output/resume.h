/*
 * resume.h - what an earlier run left in a CSV file: the cases that need not be
 * measured again, and the medians that new rows are compared with
 */
#ifndef SCANBENCH_OUTPUT_RESUME_H
#define SCANBENCH_OUTPUT_RESUME_H

#include "text/errmsg.h"

#include "output/result_csv.h"

typedef struct resume resume;

/* Reads `path`; a missing file holds nothing. The rows of a case that was left in the
 * middle are cut off the file. SCAN_OK and *resume_p, released with
 * resume_free; else `message`. */
scan_status resume_read(const char *path, resume **resume_p, errmsg *error);
void resume_free(resume *r); /* takes NULL */

/* Is the case in the file, with a result of any kind? Its medians then go on the
 * result_csv's baseline_times. */
bool resume_has(const resume *r, const measurement *c, result_csv *s);

#endif
