/*
 * earlier_rows.h - keeps the rows that the files of a run already have, unless --resume continues
 * them, in files beside them whose names have the time of the rows
 */
#ifndef SCANBENCH_OUTPUT_EARLIER_ROWS_H
#define SCANBENCH_OUTPUT_EARLIER_ROWS_H

#include "output/output_files.h"
#include "output/resume.h"

/*
 * Renames the files that have rows, with their metadata, and says so on stderr; new ones, empty and
 * locked, take their places. With --overwrite nothing is kept. `before`, unless NULL, has the rows
 * that
 * --resume continues: then the CSV and the samples stay, and only a file of --json with other rows
 * is kept.
 * SCAN_OK; SCAN_ERROR or SCAN_NO_MEMORY, and `error` says why.
 */
scan_status earlier_rows_keep(const output_options *o, const resume *before, bool may_resume,
                              output_files *files, errmsg *error);

#endif
