/*
 * csv_writer.c - collects a row in memory and writes it in one call
 */
#include "output/csv_writer.h"

#include "output/line_file.h"
#include "text/errmsg.h"
#include "text/utf8.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER_SIZE = 32 };

/* A text that grows. */
typedef struct buffer {
    char *text;
    size_t used, capacity;
} buffer;

struct csv_writer {
    line_file file;
    bool no_memory;   /* a field of this row was lost */
    locale_t numbers; /* the C locale, so that numbers have a "." */
    size_t columns;
    size_t fields; /* number of fields in the row so far */
    size_t keep;   /* bytes of the file that stay when it is begun */
    buffer row;    /* as it is in the file */
    buffer plain;  /* with a listener: the fields as texts, one behind another */
    csv_listener listener;
    errmsg error;
};

/* Makes room for `more` bytes at the end of the buffer and returns its address, or NULL. */
static char *reserve(csv_writer *writer, buffer *to, size_t more)
{
    if (more > to->capacity - to->used) {
        size_t capacity = 2 * (to->used + more);
        char *text = realloc(to->text, capacity);
        if (!text) {
            writer->no_memory = true;
            return NULL;
        }
        to->text = text;
        to->capacity = capacity;
    }
    return to->text + to->used;
}

static void append(csv_writer *writer, buffer *to, const char *text, size_t length)
{
    char *end = length > 0 ? reserve(writer, to, length) : NULL;
    if (end) {
        memcpy(end, text, length);
        to->used += length;
    }
}

static bool needs_quotes(const char *text, size_t length)
{
    return strpbrk(text, ",\"\r\n") ||
           (length > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1])));
}

/* csv_write doubles every quote and adds one at each end. */
static void append_quoted(csv_writer *writer, const char *text, size_t length)
{
    size_t most = 2 * length + 2;
    char *end = reserve(writer, &writer->row, most);
    if (end)
        writer->row.used += csv_write(end, most, text, length);
}

/* The first `guard` bytes are for spreadsheets alone. */
static void put_guarded(csv_writer *writer, const char *text, size_t guard)
{
    size_t length = strlen(text);
    if (writer->listener.row)
        append(writer, &writer->plain, text + guard, length - guard + 1);
    if (writer->fields++ > 0)
        append(writer, &writer->row, ",", 1);
    if (length > 0 ? needs_quotes(text, length) : writer->columns == 1)
        append_quoted(writer, text, length); /* a row of one empty field must not be a blank line */
    else
        append(writer, &writer->row, text, length);
}

static void put_cell(csv_writer *writer, const char *text)
{
    put_guarded(writer, text, 0);
}

static bool is_formula(const char *text)
{
    return *text && strchr("=+-@", *text);
}

const char *csv_unguarded(const char *cell)
{
    return *cell == '\'' && is_formula(cell + 1) ? cell + 1 : cell;
}

void csv_text(csv_writer *writer, const char *text)
{
    if (!text || !*text) {
        put_cell(writer, "");
        return;
    }
    char *cell;
    const bool guarded = is_formula(text);
    if (asprintf(&cell, "%s%s", guarded ? "'" : "", text) < 0) {
        writer->no_memory = true;
        writer->fields++;
        return;
    }
    utf8_clean(cell);
    put_guarded(writer, cell, guarded);
    free(cell);
}

void csv_empty(csv_writer *writer)
{
    put_cell(writer, "");
}

void csv_u64(csv_writer *writer, uint64_t value)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_cell(writer, text);
}

void csv_i64(csv_writer *writer, int64_t value)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRId64, value);
    put_cell(writer, text);
}

/* Returns how many characters it has written. */
static size_t print_double(const csv_writer *writer, double value, char text[NUMBER_SIZE])
{
    locale_t before = uselocale(writer->numbers);
    const int length = snprintf(text, NUMBER_SIZE, "%.10g", value);
    uselocale(before);
    return (size_t)length;
}

void csv_double(csv_writer *writer, double value)
{
    char text[NUMBER_SIZE];
    if (!isfinite(value)) {
        csv_empty(writer);
        return;
    }
    print_double(writer, value, text);
    put_cell(writer, text);
}

void csv_doubles(csv_writer *writer, const double *values, size_t count)
{
    char *text = malloc(count * NUMBER_SIZE + 1);
    size_t used = 0, known = 0;
    if (!text) {
        writer->no_memory = true;
        writer->fields++;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text[used++] = ' ';
        known += isfinite(values[i]) ? 1 : 0;
        if (isfinite(values[i]))
            used += print_double(writer, values[i], text + used);
        else
            text[used++] = '-';
    }
    text[known > 0 ? used : 0] = '\0';
    put_cell(writer, text);
    free(text);
}

/* Tells the listener the cells, which stand one behind another. */
static scan_status tell_row(csv_writer *writer)
{
    const char **cells = calloc(writer->columns, sizeof *cells);
    const char *at = writer->plain.text;
    if (!cells)
        return errmsg_set(&writer->error, SCAN_NO_MEMORY, "not enough memory for a row");
    for (size_t i = 0; i < writer->columns; i++) {
        cells[i] = at;
        at += strlen(at) + 1;
    }
    scan_status status = writer->listener.row(writer->listener.context, cells, &writer->error);
    free(cells);
    return status;
}

static void clear_row(csv_writer *writer)
{
    writer->row.used = writer->plain.used = 0;
    writer->fields = 0;
    writer->no_memory = false;
}

scan_status csv_end_row(csv_writer *writer)
{
    scan_status status = SCAN_OK;
    writer->error.text[0] = '\0';
    append(writer, &writer->row, "\n", 1);
    if (writer->no_memory)
        status = errmsg_set(&writer->error, SCAN_NO_MEMORY, "%s: not enough memory for a row",
                            writer->file.path);
    else if (writer->fields != writer->columns)
        status = errmsg_set(&writer->error, SCAN_ERROR, "%s: a row of %zu fields under %zu columns",
                            writer->file.path, writer->fields, writer->columns);
    else
        status = line_file_write(&writer->file, writer->row.text, writer->row.used, &writer->error);
    if (status == SCAN_OK && writer->listener.row)
        status = tell_row(writer);
    clear_row(writer);
    return status;
}

const char *csv_message(const csv_writer *writer)
{
    return writer->error.text;
}

/* Checks that the file begins with the header, or is a beginning of the header. */
static scan_status check_header(const csv_writer *writer, errmsg *error)
{
    char *start = malloc(writer->row.used + 1);
    if (!start || !writer->row.text) {
        free(start);
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write %s",
                          writer->file.path);
    }
    const ssize_t got = pread(writer->file.fd, start, writer->row.used, 0);
    const int failed = errno;
    const bool same = got >= 0 && memcmp(start, writer->row.text, (size_t)got) == 0;
    const bool marked = got >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0;
    const bool crlf = writer->row.used > 0 && got == (ssize_t)writer->row.used &&
                      memcmp(start, writer->row.text, writer->row.used - 1) == 0 &&
                      start[writer->row.used - 1] == '\r';
    free(start);
    if (got < 0)
        return errmsg_set(error, SCAN_ERROR, "reading %s: %s", writer->file.path, strerror(failed));
    if (same)
        return SCAN_OK;
    if (marked || crlf)
        return errmsg_set(error, SCAN_INVALID,
                          "appending to %s: %s, as a spreadsheet or an editor saves it; save it as "
                          "plain UTF-8 with LF",
                          writer->file.path,
                          marked ? "it begins with a byte-order mark" : "its lines end in CRLF");
    return errmsg_set(error, SCAN_INVALID,
                      "appending to %s: its header is not this version's; choose another file name "
                      "(scanbench report takes both files)",
                      writer->file.path);
}

/* Puts the header into the row. */
static scan_status put_header(csv_writer *writer, const char *const *columns, errmsg *error)
{
    for (size_t i = 0; i < writer->columns; i++)
        put_cell(writer, columns[i]);
    append(writer, &writer->row, "\n", 1);
    writer->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!writer->numbers || writer->no_memory)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write CSV");
    return SCAN_OK;
}

/* Opens the file. What is continued must have the same header. */
static scan_status prepare(csv_writer *writer, const csv_target *target, const char *const *columns,
                           errmsg *error)
{
    scan_status status = put_header(writer, columns, error);
    if (status == SCAN_OK)
        status = line_file_open(target->path, &writer->file, error);
    if (status != SCAN_OK || target->mode == CSV_CREATE || !writer->file.regular)
        return status;
    const off_t end = lseek(writer->file.fd, 0, SEEK_END);
    writer->keep = target->mode == CSV_CONTINUE ? target->keep : end > 0 ? (size_t)end : 0;
    return check_header(writer, error);
}

scan_status csv_prepare(const csv_target *target, const char *const *columns, size_t column_count,
                        csv_writer **writer_p, errmsg *error)
{
    csv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write CSV");
    writer->file.fd = -1;
    writer->columns = column_count;
    scan_status status = prepare(writer, target, columns, error);
    if (status == SCAN_OK)
        *writer_p = writer;
    else
        csv_close(writer, NULL);
    return status;
}

scan_status csv_begin(csv_writer *writer, errmsg *error)
{
    scan_status status = line_file_begin(&writer->file, writer->keep, error);
    if (status == SCAN_OK && writer->keep == 0)
        status = line_file_write(&writer->file, writer->row.text, writer->row.used, error);
    clear_row(writer);
    return status;
}

line_file *csv_file(csv_writer *writer)
{
    return &writer->file;
}

void csv_listen(csv_writer *writer, const csv_listener *listener)
{
    writer->listener = *listener;
}

scan_status csv_check_header(const char *path, const char *const *columns, size_t column_count,
                             errmsg *error)
{
    csv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to read %s", path);
    writer->columns = column_count;
    writer->file = (line_file){.fd = open(path, O_RDONLY | O_CLOEXEC), .path = strdup(path)};
    scan_status status = SCAN_OK;
    if (writer->file.fd < 0)
        status = errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    if (status == SCAN_OK)
        status = put_header(writer, columns, error);
    if (status == SCAN_OK)
        status = check_header(writer, error);
    csv_close(writer, NULL);
    return status;
}

scan_status csv_close(csv_writer *writer, errmsg *error)
{
    if (!writer)
        return SCAN_OK;
    scan_status status = line_file_close(&writer->file, error);
    if (writer->numbers)
        freelocale(writer->numbers);
    free(writer->row.text);
    free(writer->plain.text);
    free(writer);
    return status;
}
