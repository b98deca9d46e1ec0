/*
 * earlier_rows.h - the rows that the files of a run have before it, when --resume does not go on
 * with them: they are kept beside, under names made of their time
 */
#ifndef SCANBENCH_OUTPUT_EARLIER_ROWS_H
#define SCANBENCH_OUTPUT_EARLIER_ROWS_H

#include "output/output_files.h"
#include "output/resume.h"

/*
 * Renames the files that have rows, with their metadata, and says so on stderr; new ones, empty and
 * locked, take their places. With --overwrite nothing is kept. `before`, with --resume: what the
 * CSV has, which goes on, as do the samples; then only a file of --json with other rows is kept.
 * SCAN_OK; SCAN_ERROR or SCAN_NO_MEMORY, and `error` says why.
 */
scan_status earlier_rows_keep(const output_options *o, const resume *before, bool may_resume,
                              output_files *files, errmsg *error);

#endif
