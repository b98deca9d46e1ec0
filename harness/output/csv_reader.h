/*
 * csv_reader.h - a whole CSV file as a table of strings, for --resume, compare and
 * report
 */
#ifndef SCANBENCH_OUTPUT_CSV_READER_H
#define SCANBENCH_OUTPUT_CSV_READER_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>

/* More text than this (1 GiB) is refused rather than read into memory. */
#define CSV_MAX_BYTES ((size_t)1 << 30)

/* What becomes of a last row without an end of line: the writer was stopped inside
 * it, or an editor left the end of line out. */
typedef enum csv_tail {
    CSV_TAIL_KEEP, /* a row if it has all its fields, else an error: compare, report */
    CSV_TAIL_DROP  /* dropped: --resume, which measures it again. Where not even the
                      header is whole, the table has no columns and no rows */
} csv_tail;

typedef struct csv_table {
    size_t columns;
    size_t rows; /* without the header */
    /* The rest is csv_reader's. */
    char *text;
    size_t *cells;
    size_t *lines;
} csv_table;

/*
 * Reads `path` ("-": stdin): a header and rows of as many fields; blank lines and a
 * byte-order mark are skipped, spaces around an unquoted field too. SCAN_OK and
 * *table_p, given back with csv_free_table; SCAN_INVALID (with the line) for what is
 * not CSV, SCAN_ERROR for what cannot be read, SCAN_NO_MEMORY; why in `message`.
 */
scan_status csv_read(const char *path, csv_tail tail, csv_table *table_p, errmsg *error);

/* The same for text in memory; `name` stands for the path in messages. */
scan_status csv_read_text(const char *text, size_t bytes, const char *name, csv_tail tail,
                          csv_table *table_p, errmsg *error);

/* The column called `name`, or -1. */
int csv_column(const csv_table *table, const char *name);

/* The text of a cell, "" if empty; "" also for column -1, so optional columns need
 * no special case. Valid until csv_free_table. */
const char *csv_cell(const csv_table *table, size_t row, int column);

/* The name of a column. */
const char *csv_column_name(const csv_table *table, size_t column);

/* The line of the file on which a row ends, from 1: for messages. */
size_t csv_line(const csv_table *table, size_t row);

/* A zeroed table is nothing. */
void csv_free_table(csv_table *table);

#endif
