/*
 * output_files.h - the files that a run writes: no two of them are the same, none is one that it
 * reads, and no other run writes them at the same time
 */
#ifndef SCANBENCH_OUTPUT_OUTPUT_FILES_H
#define SCANBENCH_OUTPUT_OUTPUT_FILES_H

#include "supervisor/registry.h"
#include "sweep/settings.h"
#include "text/errmsg.h"

/* What holds the locks; 0 or -1: none. */
typedef struct output_files {
    int csv, samples, json;
} output_files;

/* Are the files of --csv, --samples and --json, the metadata and stdout different files, under
 * whatever names? Opens nothing. SCAN_OK; SCAN_INVALID, `error` says which two are the same. */
scan_status output_files_check(const output_options *o, errmsg *error);

/* Is none of them a plugin's file? Opens nothing. The same returns. */
scan_status output_files_spare(const output_options *o, const registry *plugins, errmsg *error);

/* Creates the files if they are not there, and locks them until output_files_release. With --resume
 * the CSV must be a regular file. SCAN_OK and *files_p; SCAN_ERROR, and `error` says who holds the
 * file, or why it cannot be opened. */
scan_status output_files_lock(const output_options *o, output_files *files_p, errmsg *error);
void output_files_release(output_files *files);

/* Replaces the file by `path`.new, which is open as fd and gets its permissions, and moves the lock
 * there. Takes over fd. SCAN_OK; SCAN_ERROR, `error` says why, and the file is as it was. */
scan_status output_files_replace(const char *path, int fd, int *lock, errmsg *error);
/* Opens `path`.new for that, beside the file that `path` leads to. SCAN_OK, SCAN_ERROR. */
scan_status output_files_begin_new(const char *path, int *fd_p, errmsg *error);

#endif
