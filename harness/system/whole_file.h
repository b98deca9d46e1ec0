/*
 * whole_file.h - reads a file that a user names, and writes a file that is whole or not there: a
 * new file beside it replaces it when all of it is on the disk, so that no failure and no kill
 * leaves half of it or costs the old one
 *
 *     whole_file f;
 *     if (whole_file_begin("page.html", NULL, &f, &error) == SCAN_OK) {
 *         fputs(text, f.out);
 *         whole_file_end(&f, &error);
 *     }
 *
 * The new file has an unpredictable name, so that no link can be planted there. A symbolic link
 * stays, and its target is replaced. Devices and FIFOs are written directly.
 */
#ifndef SCANBENCH_SYSTEM_WHOLE_FILE_H
#define SCANBENCH_SYSTEM_WHOLE_FILE_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdio.h>

typedef struct whole_file {
    FILE *out;        /* write to it */
    const char *name; /* for messages */
    char *real;       /* what is replaced; NULL: nothing is, it is stdout, a device or a FIFO */
    char *new;        /* the new file; NULL: it has no name, as the folder cannot be written */
} whole_file;

/* Begins the file; "-" is stdout. It gets the permissions of `like`, or if that is NULL, of the
 * file that it replaces. SCAN_OK and *file_p, which whole_file_end or whole_file_drop releases;
 * else `error` says why not. `path` must live as long. */
scan_status whole_file_begin(const char *path, const char *like, whole_file *file_p, errmsg *error);

/* Puts the file into its place. SCAN_OK; SCAN_ERROR, `error` says why, and the old file is
 * unchanged. */
scan_status whole_file_end(whole_file *file, errmsg *error);

/* Discards the new file. */
void whole_file_drop(whole_file *file);

/* Could the file be written? Leaves nothing. SCAN_OK; SCAN_ERROR, and `error` says why not. */
scan_status whole_file_check(const char *path, errmsg *error);

/* Makes sure that the names in the folder of the file are on the disk. */
void whole_file_sync_folder(const char *path);

/* All of a regular file, as text for free. SCAN_OK and *text_p; SCAN_UNAVAILABLE if it is not
 * there; SCAN_ERROR, and `error` says that it is not a regular file, larger, or why it cannot be
 * read. */
scan_status input_file_read(const char *path, size_t most, char **text_p, errmsg *error);

#endif
