/*
 * csv_writer.h - rows of RFC 4180: comma, LF, quotes only where a field needs
 * them, "." in numbers whatever the locale, each row on disk when csv_end_row
 * returns
 *
 *     csv_writer *csv;
 *     csv_open("out.csv", columns, column_count, CSV_CREATE, &csv, &error);
 *     csv_text(csv, "cpu_serial"); csv_u64(csv, n); csv_empty(csv);
 *     if (csv_end_row(csv) != SCAN_OK) puts(csv_message(csv));
 *     csv_close(csv, &error);
 *
 * A row is written in one piece, or not at all: what a full disk cut short is taken
 * back from a regular file.
 */
#ifndef SCANBENCH_OUTPUT_CSV_WRITER_H
#define SCANBENCH_OUTPUT_CSV_WRITER_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdint.h>

typedef struct csv_writer csv_writer;

typedef enum csv_mode {
    CSV_CREATE, /* an existing file is replaced */
    CSV_APPEND  /* for --resume: rows are added to a file with the same header; a last
                   row that was cut short is removed. Creates the file if need be */
} csv_mode;

/*
 * Opens `path` (NULL or "-": stdout) and writes the header at once, so a place that
 * cannot be written is known before anything is measured. SCAN_OK and *writer_p,
 * given back with csv_close; SCAN_INVALID where the file to append to has another
 * header, SCAN_ERROR, SCAN_NO_MEMORY; then `message` says path, what was tried and
 * the system's reason.
 */
scan_status csv_open(const char *path, const char *const *columns, size_t column_count,
                     csv_mode mode, csv_writer **writer_p, errmsg *error);

/* The next field of the row. What goes wrong is told by csv_end_row. */
void csv_text(csv_writer *writer, const char *text); /* NULL: empty */
void csv_u64(csv_writer *writer, uint64_t value);
void csv_i64(csv_writer *writer, int64_t value);
void csv_double(csv_writer *writer, double value); /* 10 digits; empty if not finite */
void csv_empty(csv_writer *writer);

/* Writes the row. SCAN_OK; or SCAN_ERROR (the system's reason, or a row with too few
 * or too many fields) or SCAN_NO_MEMORY, in words in csv_message. The row is dropped;
 * later rows are tried again. */
scan_status csv_end_row(csv_writer *writer);

/* Why the last csv_end_row failed, "" if it did not. Valid until the next call. */
const char *csv_message(const csv_writer *writer);

/* Closes and frees; a row not ended is dropped. NULL is nothing. SCAN_OK, or
 * SCAN_ERROR where the system reports a late write error: message (may be NULL). */
scan_status csv_close(csv_writer *writer, errmsg *error);

#endif
