/*
 * csv_reader.h - reads a whole CSV file into a table of strings, which knows where in the file each
 * row ends
 */
#ifndef SCANBENCH_OUTPUT_CSV_READER_H
#define SCANBENCH_OUTPUT_CSV_READER_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>

/* More text than this (1 GiB) is refused rather than read into memory. */
#define CSV_MAX_BYTES ((size_t)1 << 30)

typedef struct csv_place csv_place;

typedef struct csv_table {
    size_t columns;
    size_t rows; /* without the header */
    /* The other fields are private to csv_reader.c. */
    char *text;
    size_t *cells;
    csv_place *places;
} csv_table;

/*
 * Reads `path`: a header, then rows with the same number of fields. Blank lines, a byte-order mark
 * and spaces around an unquoted field are skipped, and so is a last row without an end of line: the
 * writer was stopped inside it. Without a whole header the table has no columns and no rows.
 * SCAN_OK and *table_p, released with csv_free_table; SCAN_INVALID (with the line) if the text is
 * not CSV, SCAN_ERROR if the file cannot be read, SCAN_NO_MEMORY; `error` says why.
 */
scan_status csv_read(const char *path, csv_table *table_p, errmsg *error);

/* The same for text in memory; `name` stands for the path in messages. */
scan_status csv_read_text(const char *text, size_t bytes, const char *name, csv_table *table_p,
                          errmsg *error);

/* The column called `name`, or -1. */
int csv_column(const csv_table *table, const char *name);

/* The text of a cell, "" if it is empty; also "" for column -1, so that optional columns
 * need no special case. Valid until csv_free_table. */
const char *csv_cell(const csv_table *table, size_t row, int column);

/* The name of a column. */
const char *csv_column_name(const csv_table *table, size_t column);

/* The line of the file on which a row ends, from 1: for messages. */
size_t csv_line(const csv_table *table, size_t row);

/* The length in bytes of the header and the first `rows` rows in the file, with their ends of line.
 * 0 if there is no header. */
size_t csv_bytes(const csv_table *table, size_t rows);

/* Accepts a zeroed table. */
void csv_free_table(csv_table *table);

/* Numbers in cells, in the form that a run writes: a file is continued only in that form, as its
 * cells are compared as texts and its metadata promise integers. */

/* Is it a whole number of 64 bits as a run writes it: digits without zeros in front, behind a "-"
 * where it is below 0? */
bool number_cell_is_whole(const char *cell);

/* Is it a finite number in the characters that a run writes? */
bool number_cell_is_real(const char *cell);

/* Is it a list with one space between its items, each a number, as is_number says, or "-"? */
bool number_cell_is_list(const char *cell, bool (*is_number)(const char *item));

#endif
