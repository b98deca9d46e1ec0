/*
 * errmsg.h - the message of a failure: one line that says what was tried, what was
 * found and what to do
 *
 * Functions that can fail take an `errmsg *error` as their last parameter and write it
 * only when they fail.
 */
#ifndef SCANBENCH_TEXT_ERRMSG_H
#define SCANBENCH_TEXT_ERRMSG_H

#include "scan_plugin.h"

enum { ERRMSG_BYTES = 1280 }; /* with the final 0; longer messages are cut */

typedef struct errmsg {
    char text[ERRMSG_BYTES];
} errmsg;

/* Writes the message, as utf8_clean leaves it, and returns `status`, so that a failure is one
 * return statement. `error` may be NULL; the arguments must not point into it. */
scan_status errmsg_set(errmsg *error, scan_status status, const char *format, ...)
    SCAN_PRINTF(3, 4);

#endif
