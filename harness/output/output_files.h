/*
 * output_files.h - the files that a run writes row by row: no other run writes them at the same
 * time
 */
#ifndef SCANBENCH_OUTPUT_OUTPUT_FILES_H
#define SCANBENCH_OUTPUT_OUTPUT_FILES_H

#include "sweep/settings.h"
#include "system/whole_file.h"
#include "text/errmsg.h"

/* What holds the locks; 0 or -1: none. */
typedef struct output_files {
    int csv, samples, json;
    bool made_csv, made_samples, made_json; /* it was not there */
} output_files;

/* Creates the files if they are not there, locks them until output_files_release, and looks whether
 * metadata could be written beside them; changes nothing in them. With --resume the CSV must be a
 * regular file. SCAN_OK and *files_p; SCAN_ERROR, SCAN_INVALID, and `error` says who holds the
 * file, or why it cannot be opened. */
scan_status output_files_lock(const output_options *o, output_files *files_p, errmsg *error);
void output_files_release(output_files *files);
/* The same for a run that did not begin: also removes files that it created and that are empty. */
void output_files_abandon(const output_options *o, output_files *files);

/* whole_file_end for one of these files: what replaces it is locked, too. */
scan_status output_files_replace(whole_file *by, int *lock, errmsg *error);

#endif
