/*
 * json_rows_fuzz.c - whatever texts of their columns the cells of a row are, the row is one line,
 * and that is an object of JSON with all columns in their order. Each line of the input is a cell;
 * what no run writes into its column is left out.
 */
#include "output/result_csv.h"
#include "text/utf8.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* Behind the string of RFC 8259 at `at`. */
static const char *check_string(const char *at)
{
    ALWAYS(*at == '"');
    for (at++; *at != '"';) {
        const size_t bytes = utf8_bytes(at);
        ALWAYS(bytes > 0 && (unsigned char)*at >= ' ');
        if (*at == '\\') {
            at++;
            ALWAYS(strchr("\"\\/bfnrtu", *at) != NULL && *at != '\0');
            ALWAYS(*at != 'u' || strspn(at + 1, "0123456789abcdefABCDEF") >= 4);
        }
        at += bytes;
    }
    return at + 1;
}

/* Behind the number at `at`: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
static const char *check_number(const char *at)
{
    at += *at == '-';
    ALWAYS(*at >= '0' && *at <= '9');
    at += *at == '0' ? 1 : strspn(at, "0123456789");
    if (*at == '.') {
        ALWAYS(at[1] >= '0' && at[1] <= '9');
        at += 1 + strspn(at + 1, "0123456789");
    }
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        ALWAYS(*at >= '0' && *at <= '9');
        at += strspn(at, "0123456789");
    }
    return at;
}

/* Behind a value that is no array, or the item of one. */
static const char *check_item(const char *at)
{
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return *at == '"' ? check_string(at) : check_number(at);
}

static const char *check_value(const char *at)
{
    if (*at != '[')
        return check_item(at);
    do {
        at = check_item(at + 1);
        ALWAYS(*at == ',' || *at == ']');
    } while (*at == ',');
    return at + 1;
}

static void check_line(const char *at)
{
    for (size_t i = 0; i < row_columns.count; i++) {
        const size_t name = strlen(row_columns.entries[i]->name);
        ALWAYS(*at++ == (i ? ',' : '{'));
        ALWAYS(*at == '"' && strncmp(at + 1, row_columns.entries[i]->name, name) == 0);
        at = check_string(at);
        ALWAYS(*at++ == ':');
        at = check_value(at);
    }
    ALWAYS(strcmp(at, "}\n") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error;
    char path[64];
    line_file rows;
    char *text = fuzz_text(data, bytes);
    const char **cells = calloc(row_columns.count, sizeof *cells);
    const int file = memfd_create("json", 0);
    ALWAYS(text && cells && file >= 0);
    char *at = text;
    for (size_t i = 0; i < row_columns.count; i++) {
        cells[i] = at;
        char *end = strchr(at, '\n');
        if (end)
            *end = '\0';
        at = end ? end + 1 : at + strlen(at);
        const column_list one = {&row_columns.entries[i], 1};
        if (csv_check_cells("t", 1, &one, &(csv_line){.cells = &cells[i]}, &error) != SCAN_OK)
            cells[i] = "";
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ALWAYS(line_file_open(path, &rows, &error) == SCAN_OK);
    ALWAYS(result_json_write(&rows, cells, &error) == SCAN_OK);
    ALWAYS(line_file_close(&rows, &error) == SCAN_OK);
    const off_t size = lseek(file, 0, SEEK_END);
    char *line = calloc((size_t)size + 1, 1);
    ALWAYS(line && pread(file, line, (size_t)size, 0) == size);
    check_line(line);
    free(line);
    free(cells);
    free(text);
    close(file);
    return 0;
}
