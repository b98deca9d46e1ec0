/*
 * csv_writer.c - collects a row in memory and writes it in one call
 */
#include "output/csv_writer.h"

#include "output/csv_end.h"
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
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_SIZE = 32 };

struct csv_writer {
    int fd;
    bool regular;     /* a file that can be cut back to its last whole row */
    bool no_memory;   /* a field of this row was lost */
    char *path;       /* for messages */
    locale_t numbers; /* the C locale, so that numbers have a "." */
    size_t columns;
    size_t fields; /* number of fields in the row so far */
    char *row;
    size_t used, capacity;
    errmsg error;
};

/* Makes room for `more` bytes at the end of the row and returns its address, or NULL. */
static char *reserve(csv_writer *writer, size_t more)
{
    if (more > writer->capacity - writer->used) {
        size_t capacity = 2 * (writer->used + more);
        char *row = realloc(writer->row, capacity);
        if (!row) {
            writer->no_memory = true;
            return NULL;
        }
        writer->row = row;
        writer->capacity = capacity;
    }
    return writer->row + writer->used;
}

static void append(csv_writer *writer, const char *text, size_t length)
{
    char *end = length > 0 ? reserve(writer, length) : NULL;
    if (end) {
        memcpy(end, text, length);
        writer->used += length;
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
    char *end = reserve(writer, most);
    if (end)
        writer->used += csv_write(end, most, text, length);
}

static void put_cell(csv_writer *writer, const char *text)
{
    size_t length = strlen(text);
    if (writer->fields++ > 0)
        append(writer, ",", 1);
    if (length > 0 ? needs_quotes(text, length) : writer->columns == 1)
        append_quoted(writer, text, length); /* a row of one empty field must not be a blank line */
    else
        append(writer, text, length);
}

bool csv_is_formula(const char *text)
{
    return *text && strchr("=+-@", *text);
}

void csv_text(csv_writer *writer, const char *text)
{
    if (!text || !*text) {
        put_cell(writer, "");
        return;
    }
    char *cell;
    if (asprintf(&cell, "%s%s", csv_is_formula(text) ? "'" : "", text) < 0) {
        writer->no_memory = true;
        writer->fields++;
        return;
    }
    utf8_clean(cell);
    put_cell(writer, cell);
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

void csv_double(csv_writer *writer, double value)
{
    char text[NUMBER_SIZE];
    if (!isfinite(value)) {
        csv_empty(writer);
        return;
    }
    locale_t before = uselocale(writer->numbers);
    snprintf(text, sizeof text, "%.10g", value);
    uselocale(before);
    put_cell(writer, text);
}

/* Writes all bytes; 0, or errno. */
static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

static scan_status write_row(csv_writer *writer)
{
    off_t whole = writer->regular ? lseek(writer->fd, 0, SEEK_CUR) : -1;
    int error = write_all(writer->fd, writer->row, writer->used);
    if (error == 0)
        return SCAN_OK;
    bool mended = whole >= 0 && ftruncate(writer->fd, whole) == 0 &&
                  lseek(writer->fd, whole, SEEK_SET) == whole;
    return errmsg_set(&writer->error, SCAN_ERROR, "writing %s: %s%s", writer->path, strerror(error),
                      mended || whole < 0 ? "" : "; the last row in it is incomplete");
}

scan_status csv_end_row(csv_writer *writer)
{
    scan_status status = SCAN_OK;
    writer->error.text[0] = '\0';
    append(writer, "\n", 1);
    if (writer->no_memory)
        status = errmsg_set(&writer->error, SCAN_NO_MEMORY, "%s: not enough memory for a row",
                            writer->path);
    else if (writer->fields != writer->columns)
        status = errmsg_set(&writer->error, SCAN_ERROR, "%s: a row of %zu fields under %zu columns",
                            writer->path, writer->fields, writer->columns);
    else
        status = write_row(writer);
    writer->used = 0;
    writer->fields = 0;
    writer->no_memory = false;
    return status;
}

const char *csv_message(const csv_writer *writer)
{
    return writer->error.text;
}

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Opens the file and finds out whether it is a regular file. */
static scan_status open_file(csv_writer *writer, const csv_target *target, errmsg *error)
{
    struct stat about;
    const int how = target->mode == CSV_CREATE ? O_WRONLY | O_TRUNC : O_RDWR;
    writer->fd = is_stdout(target->path)
                     ? STDOUT_FILENO
                     : open(target->path, how | O_CREAT | O_CLOEXEC, (mode_t)0666);
    if (writer->fd < 0 || fstat(writer->fd, &about) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", writer->path,
                          strerror(errno));
    writer->regular = S_ISREG(about.st_mode) && writer->fd != STDOUT_FILENO;
    return SCAN_OK;
}

/* Checks that the file begins with the header, or is a beginning of the header. */
static scan_status check_header(const csv_writer *writer, errmsg *error)
{
    char *start = malloc(writer->used + 1);
    if (!start || !writer->row) {
        free(start);
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write %s", writer->path);
    }
    const ssize_t got = pread(writer->fd, start, writer->used, 0);
    const int failed = errno;
    const bool same = got >= 0 && memcmp(start, writer->row, (size_t)got) == 0;
    const bool marked = got >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0;
    const bool crlf = writer->used > 0 && got == (ssize_t)writer->used &&
                      memcmp(start, writer->row, writer->used - 1) == 0 &&
                      start[writer->used - 1] == '\r';
    free(start);
    if (got < 0)
        return errmsg_set(error, SCAN_ERROR, "reading %s: %s", writer->path, strerror(failed));
    if (same)
        return SCAN_OK;
    if (marked || crlf)
        return errmsg_set(error, SCAN_INVALID,
                          "appending to %s: %s, as a spreadsheet or an editor saves it; save it as "
                          "plain UTF-8 with LF",
                          writer->path,
                          marked ? "it begins with a byte-order mark" : "its lines end in CRLF");
    return errmsg_set(error, SCAN_INVALID,
                      "appending to %s: its header is not this version's; choose another file name",
                      writer->path);
}

/* Cuts the file off after its last complete row. */
static scan_status continue_file(csv_writer *writer, const csv_target *target, bool *begun_p,
                                 errmsg *error)
{
    errmsg why;
    off_t end = (off_t)target->keep;
    scan_status status = check_header(writer, error);
    if (status != SCAN_OK)
        return status;
    if (target->mode == CSV_APPEND && csv_find_end(writer->fd, &end, &why) != SCAN_OK)
        return errmsg_set(error, SCAN_ERROR, "reading %s: %s", writer->path, why.text);
    if (ftruncate(writer->fd, end) != 0 || lseek(writer->fd, end, SEEK_SET) != end)
        return errmsg_set(error, SCAN_ERROR, "cutting an incomplete row off %s: %s", writer->path,
                          strerror(errno));
    *begun_p = end > 0;
    return SCAN_OK;
}

/* Puts the header into the row. */
static scan_status put_header(csv_writer *writer, const char *const *columns, errmsg *error)
{
    for (size_t i = 0; i < writer->columns; i++)
        put_cell(writer, columns[i]);
    append(writer, "\n", 1);
    writer->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!writer->path || !writer->numbers || writer->no_memory)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write CSV");
    return SCAN_OK;
}

static scan_status start(csv_writer *writer, const csv_target *target, const char *const *columns,
                         errmsg *error)
{
    bool begun = false;
    scan_status status = put_header(writer, columns, error);
    if (status == SCAN_OK)
        status = open_file(writer, target, error);
    if (status == SCAN_OK && target->mode != CSV_CREATE && writer->regular)
        status = continue_file(writer, target, &begun, error);
    if (status == SCAN_OK && !begun) {
        status = write_row(writer);
        if (status != SCAN_OK)
            errmsg_set(error, status, "%s", writer->error.text);
    }
    writer->used = 0;
    writer->fields = 0;
    return status;
}

scan_status csv_open(const csv_target *target, const char *const *columns, size_t column_count,
                     csv_writer **writer_p, errmsg *error)
{
    csv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to write CSV");
    writer->fd = -1;
    writer->columns = column_count;
    writer->path = strdup(is_stdout(target->path) ? "standard output" : target->path);
    scan_status status = start(writer, target, columns, error);
    if (status == SCAN_OK)
        *writer_p = writer;
    else
        csv_close(writer, NULL);
    return status;
}

scan_status csv_check_header(const char *path, const char *const *columns, size_t column_count,
                             errmsg *error)
{
    csv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to read %s", path);
    writer->columns = column_count;
    writer->path = strdup(path);
    scan_status status = put_header(writer, columns, error);
    writer->fd = status == SCAN_OK ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (status == SCAN_OK && writer->fd < 0)
        status = errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    if (status == SCAN_OK)
        status = check_header(writer, error);
    csv_close(writer, NULL);
    return status;
}

scan_status csv_close(csv_writer *writer, errmsg *error)
{
    scan_status status = SCAN_OK;
    if (!writer)
        return SCAN_OK;
    if (writer->fd >= 0 && writer->fd != STDOUT_FILENO && close(writer->fd) != 0)
        status = errmsg_set(error, SCAN_ERROR, "closing %s: %s", writer->path, strerror(errno));
    if (writer->numbers)
        freelocale(writer->numbers);
    free(writer->row);
    free(writer->path);
    free(writer);
    return status;
}
