/*
 * message.h - the words of a failure beside its status, in one return statement
 */
#ifndef SCANBENCH_TEXT_ERRMSG_H
#define SCANBENCH_TEXT_ERRMSG_H

#include "scan_plugin.h"

#include <stddef.h>

/* Writes the text into message[0 ... size-1], cut where it is longer, and returns
 * `status`. The arguments must not lie in `message`. */
scan_status errmsg_set(char *message, size_t size, scan_status status, const char *format, ...)
    SCAN_PRINTF(4, 5);

#endif
