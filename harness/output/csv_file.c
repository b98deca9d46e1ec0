/*
 * csv_file.c - libcsv quotes fields and takes lines apart
 */
#include "output/csv_file.h"

#include "protocol/phase.h"
#include "protocol/status.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ---- */

/* In quotes only where the field needs them. */
static void put_field(FILE *out, const char *text)
{
    const size_t length = strlen(text);
    const bool has_blank_end =
        length > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
    if (has_blank_end || strpbrk(text, ",\"\r\n"))
        csv_fwrite(out, text, length);
    else
        fputs(text, out);
}

static bool is_formula(const char *text)
{
    return *text && strchr("=+-@", *text);
}

static void put_guarded(FILE *out, const char *text)
{
    char guarded[ROW_TEXT_BYTES + 1];
    snprintf(guarded, sizeof guarded, "'%s", text);
    put_field(out, guarded);
}

/* The line of a row, or of the header where cells is NULL; for free. NULL if out of memory. */
static char *make_line(const column_list *columns, const char *const *cells, size_t *bytes_p)
{
    char *line = NULL;
    FILE *out = open_memstream(&line, bytes_p);
    for (size_t i = 0; out && i < columns->count; i++) {
        const column_entry *c = columns->entries[i];
        const char *text = cells ? cells[i] : c->name;
        if (i > 0)
            fputc(',', out);
        if (c->type == COLUMN_TEXT && is_formula(text))
            put_guarded(out, text);
        else
            put_field(out, text);
    }
    if (out)
        fputc('\n', out);
    if (out && fclose(out) == 0)
        return line;
    free(line);
    return NULL;
}

scan_status csv_open(const char *path, const column_list *columns, csv_file *file_p, errmsg *error)
{
    file_p->columns = columns;
    return line_file_open(path, &file_p->lines, error);
}

scan_status csv_put(csv_file *file, const char *const *cells, errmsg *error)
{
    size_t bytes;
    char *line = make_line(file->columns, cells, &bytes);
    if (!line)
        return errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for a row",
                          file->lines.path);
    const scan_status status = line_file_write(&file->lines, line, bytes, error);
    free(line);
    return status;
}

scan_status csv_begin(csv_file *file, size_t keep, errmsg *error)
{
    const scan_status status = line_file_begin(&file->lines, keep, error);
    return status == SCAN_OK && keep == 0 ? csv_put(file, NULL, error) : status;
}

/* ---- reading ---- */

/* What is wrong with the beginning of a file that is not the header; NULL: it is that of other
 * columns. */
static const char *header_fault(const char *start, size_t got, const char *header, size_t bytes)
{
    if (got >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        return "it begins with a byte-order mark";
    if (got == bytes && memcmp(start, header, bytes - 1) == 0 && start[bytes - 1] == '\r')
        return "its lines end in CRLF";
    if (got > 1 && *start == '"' && start[1] == *header)
        return "the names of its columns are in quotes";
    return NULL;
}

scan_status csv_check_header(const char *path, const column_list *columns, errmsg *error)
{
    size_t bytes = 0;
    char *header = make_line(columns, NULL, &bytes), *start = malloc(bytes + 1);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 && header && start ? pread(fd, start, bytes, 0) : -1;
    scan_status status = SCAN_OK;
    if (!header || !start)
        status = errmsg_set(error, SCAN_NO_MEMORY, "not enough memory to read %s", path);
    else if (got < 0)
        status = errmsg_set(error, SCAN_ERROR, "reading %s: %s", path, strerror(errno));
    else if (memcmp(start, header, (size_t)got) != 0) {
        const char *how = header_fault(start, (size_t)got, header, bytes);
        status = how ? errmsg_set(error, SCAN_INVALID,
                                  "appending to %s: %s, as a spreadsheet or an editor saves it; "
                                  "save it as plain UTF-8 with LF and without quotes",
                                  path, how)
                     : errmsg_set(error, SCAN_INVALID,
                                  "appending to %s: its header is not this version's; choose "
                                  "another file name (scanbench report takes both files)",
                                  path);
    }
    if (fd >= 0)
        close(fd);
    free(header);
    free(start);
    return status;
}

bool csv_next(FILE *in, csv_line *line)
{
    const ssize_t got = getline(&line->text, &line->capacity, in);
    line->bytes = got > 0 ? (size_t)got : 0;
    return got > 0 && line->text[got - 1] == '\n';
}

/* A line that libcsv takes apart. */
typedef struct splitting {
    const column_list *columns;
    csv_line *line;
    size_t used;  /* of line->fields */
    size_t count; /* of fields */
    size_t ends;  /* of rows */
} splitting;

static void take_field(void *field, size_t length, void *data)
{
    splitting *s = data;
    char *text = s->line->fields + s->used;
    if (length > 0)
        memcpy(text, field, length);
    text[length] = '\0';
    s->used += length + 1;
    if (s->count < s->columns->count) {
        const bool guarded = s->columns->entries[s->count]->type == COLUMN_TEXT && *text == '\'' &&
                             is_formula(text + 1);
        s->line->cells[s->count] = text + guarded;
    }
    s->count++;
}

static void take_end(int ending, void *data)
{
    splitting *s = data;
    (void)ending;
    s->ends++;
}

/* Is it one row? SCAN_NO_MEMORY, or SCAN_INVALID. */
static scan_status take_apart(splitting *s)
{
    struct csv_parser parser;
    const csv_line *line = s->line;
    if (csv_init(&parser, CSV_STRICT) != 0)
        return SCAN_NO_MEMORY;
    const size_t parsed = csv_parse(&parser, line->text, line->bytes, take_field, take_end, s);
    const int failure = csv_error(&parser);
    csv_free(&parser);
    if (failure == CSV_ENOMEM)
        return SCAN_NO_MEMORY;
    const bool is_text = !memchr(line->text, '\0', line->bytes);
    return parsed == line->bytes && s->ends == 1 && is_text ? SCAN_OK : SCAN_INVALID;
}

scan_status csv_split(const char *path, size_t number, const column_list *columns, csv_line *line,
                      errmsg *error)
{
    char *fields = realloc(line->fields, line->bytes + 1);
    if (fields)
        line->fields = fields;
    if (!line->cells)
        line->cells = calloc(columns->count, sizeof *line->cells);
    splitting s = {.columns = columns, .line = line};
    const scan_status status = fields && line->cells ? take_apart(&s) : SCAN_NO_MEMORY;
    if (status == SCAN_NO_MEMORY)
        return errmsg_set(error, status, "%s: not enough memory for its rows", path);
    if (status != SCAN_OK)
        return errmsg_set(error, status,
                          "%s, line %zu: a field does not end in this line; is there a zero "
                          "byte, or a quote that is never closed?",
                          path, number);
    if (s.count == columns->count)
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID,
                      "%s, line %zu: %zu fields, but the header has %zu columns", path, number,
                      s.count, columns->count);
}

void csv_line_free(csv_line *line)
{
    free(line->text);
    free(line->cells);
    free(line->fields);
    *line = (csv_line){.text = NULL};
}

scan_status csv_reader_open(const char *path, const column_list *columns, csv_reader *reader_p,
                            errmsg *error)
{
    *reader_p = (csv_reader){.path = path, .columns = columns, .number = 1};
    const scan_status status = csv_check_header(path, columns, error);
    if (status != SCAN_OK)
        return status;
    reader_p->in = fopen(path, "rbe");
    if (!reader_p->in)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    if (!csv_next(reader_p->in, &reader_p->header))
        csv_line_free(&reader_p->header); /* a beginning of it is written anew */
    return SCAN_OK;
}

scan_status csv_reader_next(csv_reader *reader, bool *there_p, errmsg *error)
{
    const char *header = reader->header.text;
    *there_p = header && csv_next(reader->in, &reader->line);
    if (!*there_p)
        return SCAN_OK;
    reader->number++;
    if (strcmp(reader->line.text, header) == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "%s, line %zu: the names of the columns again: files were joined here; "
                          "take them apart, and name each",
                          reader->path, reader->number);
    return csv_split(reader->path, reader->number, reader->columns, &reader->line, error);
}

void csv_reader_close(csv_reader *reader)
{
    csv_line_free(&reader->header);
    csv_line_free(&reader->line);
    if (reader->in)
        fclose(reader->in);
    reader->in = NULL;
}

/* ---- are the cells as a run writes them? ---- */

/* What reads a number as it is written, writes it so again. */
static bool is_number(column_type type, const char *text)
{
    char again[32];
    if (!*text || strspn(text, "+-.0123456789e") != strlen(text))
        return false;
    if (type == COLUMN_COUNT)
        snprintf(again, sizeof again, "%" PRIu64, (uint64_t)strtoull(text, NULL, 10));
    else if (type == COLUMN_WHOLE)
        snprintf(again, sizeof again, "%" PRId64, (int64_t)strtoll(text, NULL, 10));
    else
        snprintf(again, sizeof again, CELL_REAL_FORMAT, strtod(text, NULL));
    return strcmp(text, again) == 0;
}

/* Numbers with one space between them, and "-" for none. */
static bool is_list(const char *text)
{
    for (const char *at = text;; at++) {
        char item[32];
        const size_t length = strcspn(at, " ");
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (strlen(item) < length || (strcmp(item, "-") != 0 && !is_number(COLUMN_REAL, item)))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* 2026-01-31T23:59:59Z */
static bool is_time(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/* What a cell that is not empty should be and is not, or NULL. */
static const char *wanted_form(column_type type, const char *text)
{
    switch (type) {
    case COLUMN_TEXT:
        return NULL;
    case COLUMN_TIME:
        return is_time(text) ? NULL : "a time";
    case COLUMN_COUNT:
    case COLUMN_WHOLE:
        return is_number(type, text) ? NULL : "a whole number";
    case COLUMN_REAL:
        return is_number(type, text) ? NULL : "a number";
    case COLUMN_TIMES:
        return is_list(text) ? NULL : "a list of numbers";
    case COLUMN_FLAG:
        return strcmp(text, "0") == 0 || strcmp(text, "1") == 0 ? NULL : "0 or 1";
    }
    return NULL;
}

/* Is the cell one of the words of its column? Columns without words take any. */
static bool is_word(const char *column, const char *text)
{
    phase_name phase;
    if (strcmp(column, "status") == 0)
        return strcmp(row_status_word(row_status_find(text)), text) == 0;
    return strcmp(column, "phase") != 0 || phase_parse(text, &phase);
}

scan_status csv_refuse(const char *path, size_t number, const char *column, const char *cell,
                       const char *why, errmsg *error)
{
    return errmsg_set(error, SCAN_INVALID,
                      "%s, line %zu: the cell %s is '%.40s', %s; did another program save the "
                      "file? --resume goes on with what scanbench wrote. Delete all lines of that "
                      "configuration, and it is measured again",
                      path, number, column, cell, why);
}

scan_status csv_check_cells(const char *path, size_t number, const column_list *columns,
                            const csv_line *line, errmsg *error)
{
    for (size_t i = 0; i < columns->count; i++) {
        const column_entry *c = columns->entries[i];
        const char *cell = line->cells[i], *form = *cell ? wanted_form(c->type, cell) : NULL;
        char wrong[80] = "";
        if (!*cell && !c->empty)
            snprintf(wrong, sizeof wrong, "which is never empty");
        else if (form)
            snprintf(wrong, sizeof wrong, "not %s as scanbench writes it", form);
        else if (!is_word(c->name, cell))
            snprintf(wrong, sizeof wrong, "a word that it does not have");
        else if (strcmp(c->name, "schema") == 0 && atol(cell) != ROW_SCHEMA)
            snprintf(wrong, sizeof wrong, "not the one that this scanbench writes");
        if (*wrong)
            return csv_refuse(path, number, c->name, cell, wrong, error);
    }
    return SCAN_OK;
}
