#include "output/json_rows.h"

#include "output/columns.h"
#include "output/line_file.h"
#include "output/number_cell.h"
#include "system/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_rows {
    line_file file;
};

scan_status json_rows_open(const char *path, json_rows **rows_p, errmsg *error)
{
    json_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write JSON");
    scan_status status = line_file_open(path, &rows->file, error);
    if (status == SCAN_OK)
        *rows_p = rows;
    else
        json_rows_close(rows, NULL);
    return status;
}

scan_status json_rows_begin(json_rows *rows, errmsg *error)
{
    return line_file_begin(&rows->file, 0, error);
}

line_file *json_rows_file(json_rows *rows)
{
    return &rows->file;
}

static const char *skip_digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

/* Is the text a number of JSON, which has no leading zero and digits around the point? */
static bool is_number(const char *text)
{
    const char *at = text + (*text == '-');
    const char *end = skip_digits(at);
    if (end == at || (*at == '0' && end > at + 1))
        return false;
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    return *end == '\0';
}

/* As an array, with null for what is not there. */
static void put_times(FILE *out, const char *cell)
{
    char before = '[';
    for (const char *at = cell; *at; at += strcspn(at, " "), at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        const bool none = length == 1 && *at == '-';
        fprintf(out, "%c%.*s", before, none ? 4 : (int)length, none ? "null" : at);
        before = ',';
    }
    fputc(']', out);
}

static void put_value(FILE *out, column_type type, const char *cell)
{
    if (!*cell)
        fputs("null", out);
    else if (type == COLUMN_TIMES && number_cell_is_list(cell, is_number))
        put_times(out, cell);
    else if (column_is_number(type) && is_number(cell))
        fputs(cell, out);
    else if (type == COLUMN_FLAG && (strcmp(cell, "0") == 0 || strcmp(cell, "1") == 0))
        fputs(*cell == '1' ? "true" : "false", out);
    else
        json_string(out, cell);
}

scan_status json_rows_add(json_rows *rows, const char *const *cells, errmsg *error)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    for (size_t i = 0; out && i < column_count; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "{", column_table[i].name);
        put_value(out, column_table[i].type, cells[i]);
    }
    if (out)
        fputs("}\n", out);
    scan_status status = SCAN_OK;
    if (!out || fclose(out) != 0)
        status =
            errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for a row", rows->file.path);
    if (status == SCAN_OK)
        status = line_file_write(&rows->file, line, bytes, error);
    free(line);
    return status;
}

scan_status json_rows_close(json_rows *rows, errmsg *error)
{
    if (!rows)
        return SCAN_OK;
    scan_status status = line_file_close(&rows->file, error);
    free(rows);
    return status;
}
