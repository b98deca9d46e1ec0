/*
 * csv_file.h - a CSV file of a run, as RFC 4180: comma, LF, quotes only where a field needs them,
 * "." in numbers. Rows are written whole, one a line; and the lines of such a file are read again
 *
 *     csv_file csv;
 *     csv_open("out.csv", &row_columns, &csv, &error);
 *     csv_begin(&csv, 0, &error);
 *     csv_put(&csv, cells, &error);
 *     line_file_close(&csv.lines, &error);
 *
 * If the disk is full, a part of a row is removed from a regular file.
 */
#ifndef SCANBENCH_OUTPUT_CSV_FILE_H
#define SCANBENCH_OUTPUT_CSV_FILE_H

#include "output/columns.h"
#include "output/line_file.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct csv_file {
    line_file lines; /* fd -1: it is not open */
    const column_list *columns;
} csv_file;

/* Opens the file (NULL or "-": stdout) and changes nothing in it. SCAN_OK; SCAN_ERROR,
 * SCAN_NO_MEMORY, and `error` says why. line_file_close accepts its lines in every case. */
scan_status csv_open(const char *path, const column_list *columns, csv_file *file_p, errmsg *error);

/* Cuts a regular file off after `keep` bytes, which are its header and whole rows. 0: writes the
 * header at once, so that a file that cannot be written is reported before anything is measured.
 * The same returns. */
scan_status csv_begin(csv_file *file, size_t keep, errmsg *error);

/* Writes a row of the texts of its cells, each as cell_print makes it. A text that a spreadsheet
 * would take for a formula gets a "'" in front. The same returns; after a failure later rows are
 * tried. */
scan_status csv_put(csv_file *file, const char *const *cells, errmsg *error);

/* ---- reading what was written ---- */

/* Does the file begin with the header of these columns, or is it a beginning of it? SCAN_OK;
 * SCAN_INVALID, SCAN_ERROR, SCAN_NO_MEMORY: `error` says why not. */
scan_status csv_check_header(const char *path, const column_list *columns, errmsg *error);

/* A line, which is a row: no field has an end of line in it. */
typedef struct csv_line {
    char *text; /* as it is in the file, with its LF */
    size_t bytes, capacity;
    const char **cells; /* of each column, without quotes and without the "'" of a formula */
    char *fields;       /* where they lie */
} csv_line;

/* A file that is read line by line. */
typedef struct csv_reader {
    const char *path;
    const column_list *columns;
    FILE *in;
    csv_line header, line; /* the last that was read, as it is in the file */
    size_t number;         /* of `line`, from 1 */
} csv_reader;

/* Opens a file that begins with the header of these columns, or is a beginning of it, and reads
 * that. SCAN_OK; SCAN_INVALID, SCAN_ERROR, SCAN_NO_MEMORY: `error` says why not. csv_reader_close
 * accepts it in every case. */
scan_status csv_reader_open(const char *path, const column_list *columns, csv_reader *reader_p,
                            errmsg *error);
/* Reads the next row into reader->line. SCAN_OK and *there_p, which is false at the end and for a
 * row that was cut short; SCAN_INVALID, SCAN_NO_MEMORY, `error` names the file and the line. */
scan_status csv_reader_next(csv_reader *reader, bool *there_p, errmsg *error);
void csv_reader_close(csv_reader *reader);

/* Reads the next line; false at the end, and for one that was cut short, which has no LF. */
bool csv_next(FILE *in, csv_line *line);
/* Cuts the line into the cells of its columns. SCAN_OK; SCAN_INVALID, SCAN_NO_MEMORY, `error` names
 * the file and the line. */
scan_status csv_split(const char *path, size_t number, const column_list *columns, csv_line *line,
                      errmsg *error);
void csv_line_free(csv_line *line);

/* Are the cells as a run writes them? The same returns. */
scan_status csv_check_cells(const char *path, size_t number, const column_list *columns,
                            const csv_line *line, errmsg *error);
/* Refuses a row for one of its cells, and says `why`. SCAN_INVALID. */
scan_status csv_refuse(const char *path, size_t number, const char *column, const char *cell,
                       const char *why, errmsg *error);

#endif
