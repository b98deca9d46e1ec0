/*
 * csv_reader.c - libcsv parses the text, one line at a time, so that messages can name the
 * line and each row knows where it ends. All fields are stored in one block of text; cells
 * are offsets into it, because the block moves while it grows
 */
#include "output/csv_reader.h"

#include "system/whole_file.h"
#include "text/errmsg.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a row ends. */
struct csv_place {
    size_t line;
    size_t bytes; /* number of bytes of the file up to there */
};

typedef struct csv_reading {
    csv_table table; /* rows counts the header too */
    size_t text_used, text_capacity;
    size_t cells_used, cells_capacity;
    size_t places_capacity;
    size_t row_cells; /* where the row being read begins */
    size_t row_text;
    csv_place here; /* the end of the line being read */
    const char *name;
    scan_status status; /* the first failure; the parser cannot be stopped and goes on */
    errmsg *error;
} csv_reading;

/* Returns the block, grown to have room for `count` > 0 more elements of `element` bytes after
 * `used`. NULL if out of memory; the block is then unchanged. */
static void *grow(void *block, size_t used, size_t *capacity, size_t count, size_t element)
{
    if (count <= *capacity - used)
        return block;
    size_t larger = 2 * (used + count);
    void *moved = larger <= SIZE_MAX / 2 / element ? realloc(block, larger * element) : NULL;
    if (moved)
        *capacity = larger;
    return moved;
}

static void no_memory(csv_reading *reading)
{
    reading->status =
        errmsg_set(reading->error, SCAN_NO_MEMORY, "%s, line %zu: not enough memory for the table",
                   reading->name, reading->here.line);
}

static void take_field(void *field, size_t length, void *data)
{
    csv_reading *reading = data;
    csv_table *table = &reading->table;
    if (reading->status != SCAN_OK)
        return;
    char *text = grow(table->text, reading->text_used, &reading->text_capacity, length + 1, 1);
    if (text)
        table->text = text;
    size_t *cells =
        grow(table->cells, reading->cells_used, &reading->cells_capacity, 1, sizeof *table->cells);
    if (cells)
        table->cells = cells;
    if (!text || !cells) {
        no_memory(reading);
        return;
    }
    cells[reading->cells_used++] = reading->text_used;
    if (length > 0)
        memcpy(text + reading->text_used, field, length);
    text[reading->text_used + length] = '\0';
    reading->text_used += length + 1;
}

/* Has the row that was read the names of the first columns? */
static bool is_header_again(const csv_reading *reading, size_t fields)
{
    const csv_table *table = &reading->table;
    if (table->rows == 0 || fields == 0 || table->columns == 0)
        return false;
    const char *name = csv_column_name(table, 0);
    if (*name >= '0' && *name <= '9') /* a row: the names are missing */
        return false;
    for (size_t i = 0; i < 2 && i < fields && i < table->columns; i++)
        if (strcmp(table->text + table->cells[reading->row_cells + i], csv_column_name(table, i)) !=
            0)
            return false;
    return true;
}

/* `ending` is the character that ended the row, -1 for the end of the file. */
static void take_row(int ending, void *data)
{
    csv_reading *reading = data;
    csv_table *table = &reading->table;
    size_t fields = reading->cells_used - reading->row_cells;
    if (reading->status != SCAN_OK)
        return;
    if (ending < 0) { /* cut short */
        reading->cells_used = reading->row_cells;
        reading->text_used = reading->row_text;
        return;
    }
    if (table->rows == 0)
        table->columns = fields;
    if (is_header_again(reading, fields)) {
        reading->status =
            errmsg_set(reading->error, SCAN_INVALID,
                       "%s, line %zu: the names of the columns again: files were joined here; "
                       "take them apart, and name each",
                       reading->name, reading->here.line);
        return;
    }
    if (fields != table->columns) {
        reading->status = errmsg_set(reading->error, SCAN_INVALID,
                                     "%s, line %zu: %zu fields, but the header has %zu columns",
                                     reading->name, reading->here.line, fields, table->columns);
        return;
    }
    csv_place *places =
        grow(table->places, table->rows, &reading->places_capacity, 1, sizeof *table->places);
    if (!places) {
        no_memory(reading);
        return;
    }
    places[table->rows++] = reading->here;
    table->places = places;
    reading->row_cells = reading->cells_used;
    reading->row_text = reading->text_used;
}

static void not_csv(csv_reading *reading, struct csv_parser *parser)
{
    int error = csv_error(parser);
    if (error == CSV_ENOMEM)
        no_memory(reading);
    else
        reading->status = errmsg_set(
            reading->error, SCAN_INVALID, "%s, line %zu: %s", reading->name, reading->here.line,
            error == CSV_EPARSE ? "a quote inside a field, or one that is never closed"
                                : csv_strerror(error));
}

/* Reads up to the next end of line. A lone CR ends a row too, but does not count as a line, because
 * most editors do not count it. */
static size_t line_bytes(const char *text, size_t bytes)
{
    size_t end = 0;
    while (end < bytes && text[end] != '\n' && text[end] != '\r')
        end++;
    if (end + 1 < bytes && text[end] == '\r' && text[end + 1] == '\n')
        end++;
    return end < bytes ? end + 1 : bytes;
}

static void parse_text(csv_reading *reading, const char *text, size_t bytes)
{
    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT) != 0) {
        no_memory(reading);
        return;
    }
    for (bool new_line = true; bytes > 0 && reading->status == SCAN_OK;) {
        const size_t length = line_bytes(text, bytes);
        reading->here.line += new_line;
        reading->here.bytes += length;
        new_line = text[length - 1] == '\n';
        if (memchr(text, '\0', length)) { /* else the message would be that a quote is not closed */
            reading->status = errmsg_set(reading->error, SCAN_INVALID,
                                         "%s, line %zu: a zero byte; this is not a text file",
                                         reading->name, reading->here.line);
            break;
        }
        size_t parsed = csv_parse(&parser, text, length, take_field, take_row, reading);
        if (parsed != length && reading->status == SCAN_OK)
            not_csv(reading, &parser);
        text += length;
        bytes -= length;
    }
    if (reading->status == SCAN_OK && csv_fini(&parser, take_field, take_row, reading) != 0 &&
        reading->status == SCAN_OK)
        not_csv(reading, &parser);
    csv_free(&parser);
}

static bool begins(const char *text, size_t bytes, const char *with, size_t length)
{
    return bytes >= length && memcmp(text, with, length) == 0;
}

/* What the file is instead of a CSV, or NULL. A CSV of one column has no separator. */
static const char *something_else(const char *text, size_t bytes)
{
    const size_t first = line_bytes(text, bytes);
    if (begins(text, bytes, "\xff\xfe", 2) || begins(text, bytes, "\xfe\xff", 2))
        return "it is UTF-16; save it as UTF-8";
    if (begins(text, bytes, "PK\3\4", 4))
        return "it is a zip archive, as .xlsx and .ods are; export it as CSV";
    if (begins(text, bytes, "\x1f\x8b", 2))
        return "it is compressed; unpack it with gunzip";
    if (first == 0 || memchr(text, ',', first))
        return NULL;
    if (memchr(text, ';', first))
        return "semicolons separate its columns, as in a spreadsheet's CSV; save it with commas, "
               "and "
               "with points in numbers";
    if (memchr(text, '\t', first))
        return "tabs separate its columns; save it with commas";
    return NULL;
}

scan_status csv_read_text(const char *text, size_t bytes, const char *name, csv_table *table_p,
                          errmsg *error)
{
    csv_reading reading = {.name = name, .error = error};
    if (bytes > CSV_MAX_BYTES)
        return errmsg_set(error, SCAN_INVALID, "%s is longer than %zu bytes", name, CSV_MAX_BYTES);
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        bytes -= 3;
        reading.here.bytes = 3;
    }
    const char *what = something_else(text, bytes);
    if (what)
        return errmsg_set(error, SCAN_INVALID, "%s, line 1: %s", name, what);
    parse_text(&reading, text, bytes);
    if (reading.status != SCAN_OK) {
        csv_free_table(&reading.table);
        return reading.status;
    }
    reading.table.rows -= reading.table.rows > 0;
    *table_p = reading.table;
    return SCAN_OK;
}

/* Reads a stream to its end, but at most one byte more than csv_read_text accepts. */
static scan_status read_stream(FILE *stream, char **text_p, size_t *bytes_p)
{
    char *text = NULL;
    size_t used = 0;
    size_t capacity = 0;
    while (!feof(stream) && !ferror(stream) && used <= CSV_MAX_BYTES) {
        char *larger = grow(text, used, &capacity, 65536, 1);
        if (!larger) {
            free(text);
            return SCAN_NO_MEMORY;
        }
        text = larger;
        used += fread(text + used, 1, capacity - used, stream);
    }
    if (ferror(stream)) {
        free(text);
        return SCAN_ERROR;
    }
    *text_p = text;
    *bytes_p = used;
    return SCAN_OK;
}

scan_status csv_read(const char *path, csv_table *table_p, errmsg *error)
{
    FILE *stream = input_file_open(path);
    char *text;
    size_t bytes;
    if (!stream)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", path,
                          errno == ETIMEDOUT ? "it is a FIFO, and nobody writes to it"
                                             : strerror(errno));
    errno = 0;
    scan_status status = read_stream(stream, &text, &bytes);
    const int failed = errno;
    fclose(stream);
    if (status != SCAN_OK)
        return errmsg_set(error, status, "reading %s: %s", path,
                          strerror(failed ? failed : ENOMEM));
    status = csv_read_text(text, bytes, path, table_p, error);
    free(text);
    return status;
}

int csv_column(const csv_table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(csv_column_name(table, i), name) == 0)
            return (int)i;
    return -1;
}

const char *csv_cell(const csv_table *table, size_t row, int column)
{
    if (column < 0 || row >= table->rows || (size_t)column >= table->columns)
        return "";
    return table->text + table->cells[(row + 1) * table->columns + (size_t)column];
}

const char *csv_column_name(const csv_table *table, size_t column)
{
    return column < table->columns ? table->text + table->cells[column] : "";
}

size_t csv_line(const csv_table *table, size_t row)
{
    return row < table->rows ? table->places[row + 1].line : 0;
}

size_t csv_bytes(const csv_table *table, size_t rows)
{
    return table->columns > 0 && rows <= table->rows ? table->places[rows].bytes : 0;
}

void csv_free_table(csv_table *table)
{
    free(table->text);
    free(table->cells);
    free(table->places);
    *table = (csv_table){0};
}

bool number_cell_is_whole(const char *cell)
{
    const bool negative = *cell == '-';
    const char *digits = cell + negative;
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] || (*digits == '0' && (count > 1 || negative)))
        return false;
    errno = 0;
    if (negative)
        strtoll(cell, NULL, 10);
    else
        strtoull(cell, NULL, 10);
    return errno == 0;
}

bool number_cell_is_real(const char *cell)
{
    char *end;
    if (!*cell || strspn(cell, "+-.0123456789eE") != strlen(cell))
        return false;
    return isfinite(strtod(cell, &end)) && !*end;
}

bool number_cell_is_list(const char *cell, bool (*is_number)(const char *item))
{
    for (const char *at = cell;; at++) {
        char item[64];
        const size_t length = strcspn(at, " ");
        if (length == 0 || length >= sizeof item)
            return false;
        memcpy(item, at, length);
        item[length] = '\0';
        if (strcmp(item, "-") != 0 && !is_number(item))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}
