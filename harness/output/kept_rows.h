/*
 * kept_rows.h - keeps rows that would be lost, in files beside the run's own
 *
 * Before a run: the rows that its files already have, unless --resume continues them. During the
 * run: its own, where another process removes, replaces or changes the files. Their names have the
 * time of the rows: out.csv becomes out.20261123T101500Z.csv, or out.20261123T101500Z-2.csv where
 * that is taken.
 */
#ifndef SCANBENCH_OUTPUT_KEPT_ROWS_H
#define SCANBENCH_OUTPUT_KEPT_ROWS_H

#include "output/metadata.h"
#include "output/result_csv.h"
#include "output/resume.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

enum { KEPT_NAME_STAMP_BYTES = 24 };

/* When the first row of a text was measured, from its run_id, as 20261123T101500Z; the present time
 * if the text has none. */
void kept_name_stamp(const char *text, size_t bytes, char stamp[KEPT_NAME_STAMP_BYTES]);

/* Renames the files that have rows, with their metadata, and says so on stderr; new ones, empty and
 * locked, take their places. `before`, unless NULL, has the rows that --resume continues: then the
 * CSV and the samples stay, and only a file of --json with other rows is kept. SCAN_OK; SCAN_ERROR
 * or SCAN_NO_MEMORY, and `error` says why. */
scan_status earlier_rows_keep(result_csv *csv, const resume *before, bool may_resume,
                              errmsg *error);

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
