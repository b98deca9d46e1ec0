/*
 * input_file.h - opens what is read without waiting for what never comes: a FIFO that nobody writes
 */
#ifndef SCANBENCH_SYSTEM_INPUT_FILE_H
#define SCANBENCH_SYSTEM_INPUT_FILE_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdio.h>

/* Opens a file, a device or a pipe that a user named. A FIFO has some seconds until somebody writes
 * to it. NULL and errno, ETIMEDOUT if nobody does. */
FILE *input_file_open(const char *path);

/* All of a regular file, as text for free. SCAN_OK and *text_p; SCAN_UNAVAILABLE if it is not
 * there; SCAN_ERROR, and `error` says that it is not a regular file, larger, or why it cannot be
 * read. */
scan_status input_file_read(const char *path, size_t most, char **text_p, errmsg *error);

#endif
