/*
 * rescue.h - saves the rows of a run's files in new files beside them if another process removes,
 * replaces or changes the files during the run
 */
#ifndef SCANBENCH_OUTPUT_RESCUE_H
#define SCANBENCH_OUTPUT_RESCUE_H

#include "output/metadata.h"
#include "output/result_csv.h"

#include <limits.h>

typedef struct rescue {
    bool resumes;  /* given: the command knows --resume */
    bool happened; /* the run should end */
    bool reported;
    errmsg what;        /* and where the rows are */
    char csv[PATH_MAX]; /* the new file of --csv; "": it lies where it was */
} rescue;

/* Examines the files. The rows of a disturbed one so far, its metadata and all later rows go into
 * a new file. */
void rescue_look(rescue *r, result_csv *csv, metadata *m);

/* SCAN_OK if nothing has happened since the last report; SCAN_ERROR, and `error` says what did. */
scan_status rescue_report(rescue *r, errmsg *error);

#endif
