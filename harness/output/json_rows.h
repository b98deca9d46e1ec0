/*
 * json_rows.h - the rows of a run as JSON lines: an object a line, with all columns in their order,
 * numbers as numbers, lists of numbers as arrays, `verified` as true or false, and null for what is
 * empty
 */
#ifndef SCANBENCH_OUTPUT_JSON_ROWS_H
#define SCANBENCH_OUTPUT_JSON_ROWS_H

#include "scan_plugin.h"
#include "text/errmsg.h"

typedef struct json_rows json_rows;

/* Opens `path` ("-": stdout), and changes nothing in it. SCAN_OK and *rows_p, released with
 * json_rows_close; SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. */
scan_status json_rows_open(const char *path, json_rows **rows_p, errmsg *error);
/* Empties it. SCAN_OK or SCAN_ERROR, and `error` says why. */
scan_status json_rows_begin(json_rows *rows, errmsg *error);
/* The file that the lines go to. */
struct line_file *json_rows_file(json_rows *rows);

/* Writes a row of the cells of all columns, a whole line or none. What is not the number or the
 * flag that its column has is written as a string. SCAN_OK; SCAN_ERROR, SCAN_NO_MEMORY, and `error`
 * says why. */
scan_status json_rows_add(json_rows *rows, const char *const *cells, errmsg *error);

/* Accepts NULL. SCAN_OK, or SCAN_ERROR if the system reports a late write error. `error` may be
 * NULL. */
scan_status json_rows_close(json_rows *rows, errmsg *error);

#endif
