/*
 * csv_writer.h - writes rows as in RFC 4180: comma, LF, quotes only where a field needs
 * them, "." in numbers in every locale, each row in the file when csv_end_row returns
 *
 *     csv_writer *csv;
 *     csv_prepare(&(csv_target){.path = "out.csv"}, columns, column_count, &csv, &error);
 *     csv_begin(csv, &error);
 *     csv_text(csv, "cpu_serial"); csv_u64(csv, n); csv_empty(csv);
 *     if (csv_end_row(csv) != SCAN_OK) puts(csv_message(csv));
 *     csv_close(csv, &error);
 *
 * A row is written whole or not at all: if the disk is full, a part of a row is removed
 * from a regular file.
 */
#ifndef SCANBENCH_OUTPUT_CSV_WRITER_H
#define SCANBENCH_OUTPUT_CSV_WRITER_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct csv_writer csv_writer;

typedef enum csv_mode {
    CSV_CREATE,  /* an existing file is replaced */
    CSV_APPEND,  /* rows are added to a file of whole rows with the same header, which is created if
                    there is none */
    CSV_CONTINUE /* the same, but only `keep` bytes of the file are kept */
} csv_mode;

/* Where rows go. */
typedef struct csv_target {
    const char *path; /* NULL or "-": stdout */
    csv_mode mode;
    size_t keep; /* CSV_CONTINUE: the bytes at the start of the file, up to the end of a
                    row; 0: not even the header is complete */
} csv_target;

/*
 * Opens the target and looks at its header, and changes nothing in it. SCAN_OK and *writer_p,
 * released with csv_close; SCAN_INVALID if the file to append to has another header; SCAN_ERROR,
 * SCAN_NO_MEMORY. `error` says the path, what was tried and the system's reason.
 */
scan_status csv_prepare(const csv_target *target, const char *const *columns, size_t column_count,
                        csv_writer **writer_p, errmsg *error);
/* Empties the file, or cuts it off, and writes the header at once, so that a file that cannot be
 * written is reported before anything is measured. The same returns. */
scan_status csv_begin(csv_writer *writer, errmsg *error);

/* The file that the rows go to. */
struct line_file *csv_file(csv_writer *writer);

/* Called with each row that was written: the texts of its cells, without quotes and without what
 * keeps one from being a formula. What it returns, csv_end_row does. */
typedef struct csv_listener {
    scan_status (*row)(void *context, const char *const *cells, errmsg *error);
    void *context;
} csv_listener;

/* From the next row on. */
void csv_listen(csv_writer *writer, const csv_listener *listener);

/* Does the file begin with this header, or is it a beginning of it? SCAN_OK; SCAN_INVALID,
 * SCAN_ERROR, SCAN_NO_MEMORY: `error` says why not. */
scan_status csv_check_header(const char *path, const char *const *columns, size_t column_count,
                             errmsg *error);

/* The text of a cell without the quote that keeps a spreadsheet from running it as a formula. */
const char *csv_unguarded(const char *cell);

/* The next field of the row. csv_end_row reports what went wrong. A text is written as utf8_clean
 * leaves it, behind a "'" where it would be a formula. */
void csv_text(csv_writer *writer, const char *text); /* NULL: empty */
void csv_u64(csv_writer *writer, uint64_t value);
void csv_i64(csv_writer *writer, int64_t value);
void csv_double(csv_writer *writer, double value); /* 10 digits; empty if not finite */
/* All of them, separated by spaces, each as csv_double writes it; "-" where one is not finite.
 * Empty where none is finite. */
void csv_doubles(csv_writer *writer, const double *values, size_t count);
void csv_empty(csv_writer *writer);

/* Writes the row. SCAN_OK; SCAN_ERROR (the system's reason, or too few or too many fields)
 * or SCAN_NO_MEMORY: csv_message says why. The row is then dropped; later rows are tried. */
scan_status csv_end_row(csv_writer *writer);

/* Why the last csv_end_row failed, "" if it did not. Valid until the next call. */
const char *csv_message(const csv_writer *writer);

/* Closes and frees the writer; a row without csv_end_row is dropped. Accepts NULL. SCAN_OK, or
 * SCAN_ERROR if the system reports a late write error. `error` may be NULL. */
scan_status csv_close(csv_writer *writer, errmsg *error);

#endif
