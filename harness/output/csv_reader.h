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

/* What happens to a last row without an end of line: the writer was stopped inside
 * it, or an editor left the end of line out. */
typedef enum csv_tail {
    CSV_TAIL_KEEP, /* a row if it has all its fields, otherwise an error */
    CSV_TAIL_DROP  /* dropped, for --resume, which measures it again. If even the header is
                      incomplete, the table has no columns and no rows */
} csv_tail;

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
 * Reads `path` ("-": stdin): a header, then rows with the same number of fields. Blank
 * lines, a byte-order mark and spaces around an unquoted field are skipped. SCAN_OK and
 * *table_p, released with csv_free_table; SCAN_INVALID (with the line) if the text is not
 * CSV, SCAN_ERROR if the file cannot be read, SCAN_NO_MEMORY; `error` says why.
 */
scan_status csv_read(const char *path, csv_tail tail, csv_table *table_p, errmsg *error);

/* The same for text in memory; `name` stands for the path in messages. */
scan_status csv_read_text(const char *text, size_t bytes, const char *name, csv_tail tail,
                          csv_table *table_p, errmsg *error);

/* The column called `name`, or -1. */
int csv_column(const csv_table *table, const char *name);

/* The text of a cell, "" if it is empty; also "" for column -1, so that optional columns
 * need no special case. Valid until csv_free_table. */
const char *csv_cell(const csv_table *table, size_t row, int column);

/* Changes the texts of a column, which may become shorter; none for column -1. */
void csv_change(const csv_table *table, int column, void (*change)(char *cell));

/* The name of a column. */
const char *csv_column_name(const csv_table *table, size_t column);

/* The line of the file on which a row ends, from 1: for messages. */
size_t csv_line(const csv_table *table, size_t row);

/* The length in bytes of the header and the first `rows` rows in the file, with their ends of line.
 * 0 if there is no header. */
size_t csv_bytes(const csv_table *table, size_t rows);

/* Accepts a zeroed table. */
void csv_free_table(csv_table *table);

/*
 * Numbers in cells, in the form that a run writes and in those that other programs make of it.
 *
 * A whole number is read where its digits are certain: 64, and 64.0, which pandas makes of it in a
 * column with empty cells. An exponent stands for digits that may have been dropped (a spreadsheet
 * shows 123456789 as 1.23E+08 and saves that), and a comma separates
 * thousands in one country and decimals in another. A file is continued only in the form of a run:
 * its cells are compared as texts, and its metadata promise integers.
 */

/* Is it a whole number of 64 bits as a run writes it: digits without zeros in front, behind a "-"
 * where it is below 0? */
bool number_cell_is_whole(const char *cell);

/* Is it a finite number in the characters that a run writes? */
bool number_cell_is_real(const char *cell);

/* Is it a list with one space between its items, each a number, as is_number says, or "-"? */
bool number_cell_is_list(const char *cell, bool (*is_number)(const char *item));

/* Cuts the ".0" off a whole number; leaves any other text as it is. */
void number_cell_trim(char *cell);

#endif
