/*
 * line_file.h - a file, or stdout, that gets whole lines and that no other run writes at the same
 * time: a line that does not fit on the disk is cut off again. A copy in memory saves the lines if
 * another process changes the file
 */
#ifndef SCANBENCH_OUTPUT_LINE_FILE_H
#define SCANBENCH_OUTPUT_LINE_FILE_H

#include "scan_plugin.h"
#include "system/whole_file.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

typedef struct line_file {
    int fd;       /* -1: not open */
    bool regular; /* it is locked, and can be cut back to its last whole line */
    bool begun;
    char *path; /* for messages */
    /* Only for a regular file: */
    bool made;               /* it was not there */
    char *real;              /* where it lies */
    bool linked;             /* it has a name */
    size_t written;          /* its bytes, if nothing else writes it */
    struct timespec changed; /* when it was last written */
    char *copy;              /* its first bytes once more */
    size_t copied, capacity;
} line_file;

/* Opens `path` (NULL or "-": stdout), locks it, and changes nothing in it. SCAN_OK and *file_p;
 * SCAN_ERROR, SCAN_NO_MEMORY, and `error` says who holds the file, or why it cannot be opened.
 * line_file_close accepts it in every case. */
scan_status line_file_open(const char *path, line_file *file_p, errmsg *error);

/* Two ways to go on in another file in its place, before the lines begin: a new and empty one,
 * after the file was renamed, and one that replaces it, by whole_file_end. SCAN_OK; SCAN_ERROR, and
 * `error` says why. */
scan_status line_file_anew(line_file *file, mode_t mode, errmsg *error);
scan_status line_file_replace(line_file *file, whole_file *by, errmsg *error);

/* Cuts a regular file off after the first `keep` bytes, which end in LF; what is written follows
 * them. SCAN_OK; SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. */
scan_status line_file_begin(line_file *file, size_t keep, errmsg *error);

/* Writes the bytes, which end in LF: all, or none if the file is a regular one. SCAN_OK;
 * SCAN_ERROR, and `error` has the path and the system's reason. */
scan_status line_file_write(line_file *file, const char *bytes, size_t count, errmsg *error);

/* Waits until the lines are on the disk. SCAN_OK, or SCAN_ERROR and `error` says why. */
scan_status line_file_sync(line_file *file, errmsg *error);

/* Writes all bytes to any descriptor. 0, or errno. */
int line_file_put(int fd, const char *bytes, size_t count);

/* Removes a file that was created for nothing. SCAN_OK, or SCAN_ERROR if the system reports a late
 * write error. `error` may be NULL. */
scan_status line_file_close(line_file *file, errmsg *error);

#endif
