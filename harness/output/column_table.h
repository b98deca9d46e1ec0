/*
 * column_table.h - the columns of column_map.h as data
 */
#ifndef SCANBENCH_OUTPUT_COLUMN_TABLE_H
#define SCANBENCH_OUTPUT_COLUMN_TABLE_H

#include "output/column_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define COLUMN_ENUMERATOR(type, ...) COLUMN_##type,
typedef enum column_type { COLUMN_TYPE_MAP(COLUMN_ENUMERATOR) } column_type;
#undef COLUMN_ENUMERATOR

#define SECTION_ENUMERATOR(section, heading) SECTION_##section,
typedef enum column_section { SECTION_MAP(SECTION_ENUMERATOR) } column_section;
#undef SECTION_ENUMERATOR

/* A line of column_map.h. */
typedef struct column_entry {
    const char *name;
    column_section section;
    column_type type;
    const char *unit;    /* "": none */
    const char *meaning; /* Markdown */
    const char *empty;   /* NULL: it never is */
} column_entry;

extern const column_entry column_table[];
extern const size_t column_count;

/* The header of --samples. */
extern const char *const sample_columns[];
extern const size_t sample_column_count;

/* Is it written as a number in JSON? */
bool column_is_number(column_type type);

/* Writes the member "tableSchema" of CSVW, without what follows it. */
void column_table_schema(FILE *out);

/* The same of --samples. */
void column_table_sample_schema(FILE *out);

/* Writes the tables of docs/csv.md, each under its heading. */
void column_table_markdown(FILE *out);

#endif
