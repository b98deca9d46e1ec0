#include "output/file_kind.h"

#include "output/columns.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FILE_KIND_WORDS(kind, words) words,
static const char *const kind_words[] = {FILE_KIND_MAP(FILE_KIND_WORDS)};
#undef FILE_KIND_WORDS

const char *file_kind_words(file_kind kind)
{
    return kind_words[kind];
}

/* How many of the first columns make a header ours. */
enum { COLUMNS_NEEDED = 5, HEADER_BYTES = 256 };

/* The beginning of a file as a CSV of this program has it: a spreadsheet may have written other
 * separators, and quotes. */
static void normalize(const char *text, size_t bytes, char begin[HEADER_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < bytes && used + 1 < HEADER_BYTES; i++) {
        const bool parts = text[i] == ';' || text[i] == '\t';
        if (parts || !text[i])
            begin[used++] = parts ? ',' : '?';
        else if (text[i] != '"')
            begin[used++] = text[i];
    }
    begin[used] = '\0';
}

/* The kind of a file by its header. A part of a header, as a full disk leaves it, has no rows. */
static file_kind csv_kind(const char *text, size_t bytes)
{
    enum { FIRST_NAME = 7 }; /* schema, */
    static const struct {
        const column_list *columns;
        file_kind kind;
    } all[] = {{&row_columns, FILE_KIND_ROWS}, {&sample_columns, FILE_KIND_SAMPLES}};
    char begin[HEADER_BYTES];
    file_kind found = FILE_KIND_OTHER;
    normalize(text, bytes, begin);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char header[HEADER_BYTES] = "";
        for (size_t k = 0; k < COLUMNS_NEEDED; k++) {
            strcat(header, all[i].columns->entries[k]->name);
            strcat(header, ",");
        }
        if (strncmp(begin, header, strlen(header)) == 0)
            return all[i].kind;
        if (strlen(begin) >= FIRST_NAME && strncmp(begin, header, strlen(begin)) == 0)
            found = FILE_KIND_EMPTY;
    }
    return found;
}

static bool begins(const char *text, size_t bytes, const char *with)
{
    return bytes >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static bool has(const char *text, size_t bytes, const char *what)
{
    return memmem(text, bytes, what, strlen(what)) != NULL;
}

static file_kind json_kind(const char *text, size_t bytes)
{
    if (begins(text, bytes, "{\"schema\":1,\"run_id\":"))
        return FILE_KIND_JSON_ROWS;
    if (begins(text, bytes, "{\"schema\": 1, \"scanbench\": ")) {
        if (has(text, bytes, "\"seed\": ") && has(text, bytes, "\"claims\": ["))
            return FILE_KIND_VALIDATE_JSON;
        if (has(text, bytes, "\"threshold\": ") && has(text, bytes, "\"files\": ["))
            return has(text, bytes, "\"comparisons\": ") ? FILE_KIND_HISTORY_JSON
                                                         : FILE_KIND_COMPARE_JSON;
    }
    const bool of_csv = has(text, bytes, "/ns/csvw") && has(text, bytes, "measured by scanbench\"");
    const bool older = has(text, bytes, "\"run_id\"") && has(text, bytes, "\"scanbench\"");
    return of_csv || older ? FILE_KIND_METADATA : FILE_KIND_OTHER;
}

file_kind file_kind_of(const char *text, size_t bytes)
{
    if (bytes == 0)
        return FILE_KIND_EMPTY;
    if (begins(text, bytes, "\177ELF"))
        return FILE_KIND_PROGRAM;
    if (begins(text, bytes, "\x1f\x8b"))
        return FILE_KIND_SUBMISSION;
    if (begins(text, bytes, "\xef\xbb\xbf")) {
        text += 3;
        bytes -= 3;
    }
    const file_kind of_csv = csv_kind(text, bytes);
    if (of_csv != FILE_KIND_OTHER)
        return of_csv;
    if (begins(text, bytes, "{"))
        return json_kind(text, bytes);
    if (begins(text, bytes, "<!doctype html>") &&
        has(text, bytes, "<title>scanbench report</title>"))
        return FILE_KIND_PAGE;
    return begins(text, bytes, "title ") && has(text, bytes, "\nclaim ") ? FILE_KIND_RECIPE
                                                                         : FILE_KIND_OTHER;
}

file_kind file_kind_read(const char *path)
{
    char text[FILE_KIND_BYTES];
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? pread(fd, text, sizeof text, 0) : -1;
    if (fd >= 0)
        close(fd);
    return got < 0 ? FILE_KIND_OTHER : file_kind_of(text, (size_t)got);
}

bool file_kind_has_rows(file_kind kind, const char *text, size_t bytes)
{
    if (kind == FILE_KIND_JSON_ROWS)
        return true;
    const char *end =
        kind == FILE_KIND_ROWS || kind == FILE_KIND_SAMPLES ? memchr(text, '\n', bytes) : NULL;
    return end && end + 1 < text + bytes;
}
