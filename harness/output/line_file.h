/*
 * line_file.h - a file, or stdout, that gets whole lines: one that does not fit on the disk is cut
 * off again
 */
#ifndef SCANBENCH_OUTPUT_LINE_FILE_H
#define SCANBENCH_OUTPUT_LINE_FILE_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct line_file {
    int fd;       /* -1: not open */
    bool regular; /* can be cut back to its last whole line */
    char *path;   /* for messages */
} line_file;

/* Opens `path` (NULL or "-": stdout), empty if `empty`, else to read as well. SCAN_OK and *file_p;
 * SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. line_file_close accepts it in every case. */
scan_status line_file_open(const char *path, bool empty, line_file *file_p, errmsg *error);

/* Writes the bytes, which end in LF: all, or none if the file is a regular one. SCAN_OK;
 * SCAN_ERROR, and `error` has the path and the system's reason. */
scan_status line_file_write(const line_file *file, const char *bytes, size_t count, errmsg *error);

/* SCAN_OK, or SCAN_ERROR if the system reports a late write error. `error` may be NULL. */
scan_status line_file_close(line_file *file, errmsg *error);

#endif
