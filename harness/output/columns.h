/*
 * columns.h - the columns of column_map.h as data, and the cells of a row
 */
#ifndef SCANBENCH_OUTPUT_COLUMNS_H
#define SCANBENCH_OUTPUT_COLUMNS_H

#include "output/column_map.h"
#include "output/csv_writer.h"
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

extern const column_entry column_table[];
extern const size_t column_count;
extern const char *const column_names[]; /* the header */

/* The header of --samples. */
extern const char *const sample_names[];
extern const size_t sample_column_count;

/* Puts the cells of a row, or of its sample, into the row of a CSV. */
void columns_put_row(csv_writer *out, measured_row *r);
void columns_put_sample(csv_writer *out, measured_row *r);

/* Is it written as a number in JSON? */
bool column_is_number(column_type type);

/* Writes the member "tableSchema" of CSVW, without what follows it. */
void columns_print_schema(FILE *out);

/* The same of --samples. */
void columns_print_sample_schema(FILE *out);

/* Writes the tables of docs/csv.md, each under its heading. */
void columns_print_markdown(FILE *out);

#endif
