/*
 * columns.h - the columns of column_map.h as data, and the cells of a row
 */
#ifndef SCANBENCH_OUTPUT_COLUMNS_H
#define SCANBENCH_OUTPUT_COLUMNS_H

#include "output/column_map.h"
#include "output/row.h"

#include <stdio.h>

#define COLUMN_ENUMERATOR(type, ...) COLUMN_##type,
typedef enum column_type { COLUMN_TYPE_MAP(COLUMN_ENUMERATOR) } column_type;
#undef COLUMN_ENUMERATOR

#define SECTION_ENUMERATOR(section, heading) SECTION_##section,
typedef enum column_section { SECTION_MAP(SECTION_ENUMERATOR) } column_section;
#undef SECTION_ENUMERATOR

/* A value of a row; a text is valid until the row is asked for another. */
typedef struct row_cell {
    enum { CELL_EMPTY, CELL_TEXT, CELL_COUNT, CELL_WHOLE, CELL_REAL, CELL_TIMES } kind;
    const char *text;
    uint64_t count; /* of CELL_TIMES: how many */
    int64_t whole;
    double real;
    const double *times;
} row_cell;

/* How a number that is not whole is written. */
#define CELL_REAL_FORMAT "%.10g"

/* A line of column_map.h. */
typedef struct column_entry {
    const char *name;
    column_section section;
    column_type type;
    const char *unit;    /* "": none */
    const char *meaning; /* Markdown */
    const char *empty;   /* NULL: it never is */
    row_cell (*get)(measured_row *r);
} column_entry;

/* The columns of a file, in their order. */
typedef struct column_list {
    const column_entry *const *entries;
    size_t count;
} column_list;

/* Those of --csv, which is also --json, and of --samples. */
extern const column_list row_columns, sample_columns;

/* Their places in row_columns, as COLUMN_AT_run_id, and in sample_columns, as SAMPLE_AT_run_id. */
#define COLUMN_PLACE(section, name, ...) COLUMN_AT_##name,
enum { COLUMN_MAP(COLUMN_PLACE) ROW_COLUMNS };
#undef COLUMN_PLACE
#define SAMPLE_PLACE(name) SAMPLE_AT_##name,
#define SAMPLE_OWN_PLACE(name, ...) SAMPLE_AT_##name,
enum {
    SAMPLE_SHARED_MAP(SAMPLE_PLACE) SAMPLE_OWN_MAP(SAMPLE_OWN_PLACE) SAMPLE_LATER_MAP(SAMPLE_PLACE)
        SAMPLE_COLUMNS
};
#undef SAMPLE_OWN_PLACE
#undef SAMPLE_PLACE

/* Writes the text of a cell, as it is before CSV or JSON: a line without control characters; a list
 * with spaces between its numbers, "-" where one is not finite, and empty where none is. */
void cell_print(FILE *out, const row_cell *c);

/* Writes the texts of a row as a member of JSON each: numbers as numbers, lists of numbers as
 * arrays, flags as true or false, and null for what is empty. */
void columns_print_json(FILE *out, const column_list *columns, const char *const *cells);

/* Writes the member "tableSchema" of CSVW, without what follows it. */
void columns_print_schema(FILE *out, const column_list *columns);

/* Writes the tables of docs/csv.md, each under its heading. */
void columns_print_markdown(FILE *out);

#endif
