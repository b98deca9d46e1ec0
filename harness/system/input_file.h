/*
 * input_file.h - opens files for reading, and does not wait forever for the writer of a FIFO
 */
#ifndef SCANBENCH_SYSTEM_INPUT_FILE_H
#define SCANBENCH_SYSTEM_INPUT_FILE_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdio.h>

/* Opens a file, a device or a pipe that a user named. A FIFO needs a writer within some
 * seconds. NULL and errno, which is ETIMEDOUT for a FIFO without one. */
FILE *input_file_open(const char *path);

/* All of a regular file, as text for free. SCAN_OK and *text_p; SCAN_UNAVAILABLE if it is not
 * there; SCAN_ERROR, and `error` says that it is not a regular file, larger, or why it cannot be
 * read. */
scan_status input_file_read(const char *path, size_t most, char **text_p, errmsg *error);

#endif
