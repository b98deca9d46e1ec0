/*
 * rescue.h - the files of a run that something else removed, replaced or changed while it goes on:
 * all their rows go into new files beside them
 */
#ifndef SCANBENCH_OUTPUT_RESCUE_H
#define SCANBENCH_OUTPUT_RESCUE_H

#include "output/metadata.h"
#include "output/result_csv.h"

#include <limits.h>

typedef struct rescue {
    bool resumes;  /* given: the command knows --resume */
    bool happened; /* the run should end */
    bool told;
    errmsg what;        /* and where the rows are */
    char csv[PATH_MAX]; /* the new file of --csv; "": it lies where it was */
} rescue;

/* Looks at the files. Where one was disturbed, its rows so far are written into a new file, with
 * the metadata, and those that follow too. */
void rescue_look(rescue *r, result_csv *csv, metadata *m);

/* After the last look: SCAN_OK if nothing happened or it was told before; SCAN_ERROR, and `error`
 * tells it. */
scan_status rescue_tell(rescue *r, errmsg *error);

#endif
