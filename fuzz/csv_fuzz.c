/*
 * csv_fuzz.c - the cells of a line that is accepted are the same when they are written and read
 * again, and what the reader refuses it says; every beginning of a file has a kind and a time
 */
#include "output/csv_file.h"
#include "output/file_kind.h"
#include "output/kept_rows.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

static const column_entry text = {.name = "a", .type = COLUMN_TEXT, .empty = ""},
                          list = {.name = "b", .type = COLUMN_TIMES, .empty = ""};
static const column_entry *const three[] = {&text, &list, &text};
static const column_list columns = {three, 3};

/* Writes the cells into a file of one row, and reads them there. */
static void check_again(const csv_line *line)
{
    errmsg error;
    char path[64];
    csv_file csv;
    csv_line again = {.text = NULL};
    const int file = memfd_create("csv", 0);
    ALWAYS(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ALWAYS(csv_open(path, &columns, &csv, &error) == SCAN_OK);
    ALWAYS(csv_begin(&csv, 0, &error) == SCAN_OK);
    ALWAYS(csv_put(&csv, line->cells, &error) == SCAN_OK);
    ALWAYS(line_file_close(&csv.lines, &error) == SCAN_OK);
    ALWAYS(csv_check_header(path, &columns, &error) == SCAN_OK);
    FILE *in = fopen(path, "rb");
    ALWAYS(in && csv_next(in, &again) && csv_next(in, &again));
    ALWAYS(csv_split("t", 2, &columns, &again, &error) == SCAN_OK);
    for (size_t i = 0; i < columns.count; i++)
        ALWAYS(strcmp(line->cells[i], again.cells[i]) == 0);
    ALWAYS(!csv_next(in, &again));
    csv_line_free(&again);
    fclose(in);
    close(file);
}

static void check_lines(const char *written, size_t bytes)
{
    errmsg error = {""};
    csv_line line = {.text = NULL};
    FILE *in = bytes > 0 ? fmemopen((void *)(uintptr_t)written, bytes, "r") : NULL;
    while (in && csv_next(in, &line)) {
        if (csv_split("t", 1, &columns, &line, &error) == SCAN_OK &&
            csv_check_cells("t", 1, &columns, &line, &error) == SCAN_OK)
            check_again(&line);
        else
            ALWAYS(*error.text);
    }
    csv_line_free(&line);
    if (in)
        fclose(in);
}

static void check_kind(const char *written, size_t bytes)
{
    char stamp[KEPT_NAME_STAMP_BYTES];
    const size_t seen = bytes < FILE_KIND_BYTES ? bytes : FILE_KIND_BYTES;
    const file_kind kind = file_kind_of(written, seen);
    ALWAYS(*file_kind_words(kind));
    ALWAYS(bytes > 0 || !file_kind_has_rows(kind, written, seen));
    kept_name_stamp(written, seen, stamp);
    ALWAYS(strlen(stamp) == 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *written = fuzz_text(data, bytes);
    if (!written)
        return 0;
    check_kind(written, bytes);
    check_lines(written, bytes);
    free(written);
    return 0;
}
