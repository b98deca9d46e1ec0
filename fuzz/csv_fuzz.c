/*
 * csv_fuzz.c - what the reader accepts and the writer writes again reads the same; the writer
 * finds the end of the file again; the text up to the end of a row is a table of the rows so
 * far. The first byte chooses a row.
 */
#include "output/csv_reader.h"
#include "output/csv_writer.h"
#include "output/file_kind.h"
#include "output/kept_rows.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* Writes the first `rows` rows of the table to `target`. */
static void write_table(const csv_table *table, const csv_target *target, size_t rows)
{
    errmsg error;
    csv_writer *csv = NULL;
    const char **columns = calloc(table->columns, sizeof *columns);
    ALWAYS(columns);
    for (size_t i = 0; i < table->columns; i++)
        columns[i] = csv_column_name(table, i);
    ALWAYS(csv_prepare(target, columns, table->columns, &csv, &error) == SCAN_OK);
    ALWAYS(csv_begin(csv, &error) == SCAN_OK);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < table->columns; i++)
            csv_text(csv, csv_cell(table, row, (int)i));
        ALWAYS(csv_end_row(csv) == SCAN_OK);
    }
    ALWAYS(csv_close(csv, &error) == SCAN_OK);
    free(columns);
}

/* Do two tables have the same columns and the same first rows? */
static void compare(const csv_table *a, const csv_table *b, size_t rows)
{
    ALWAYS(a->columns == b->columns && a->rows >= rows && b->rows == rows);
    for (size_t i = 0; i < a->columns; i++)
        ALWAYS(strcmp(csv_column_name(a, i), csv_column_name(b, i)) == 0);
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < a->columns; i++)
            ALWAYS(strcmp(csv_cell(a, row, (int)i), csv_cell(b, row, (int)i)) == 0);
}

/* Reads the text up to the end of a row, as a file that was cut there. */
static void check_cut(const csv_table *table, const char *text, size_t bytes, size_t rows)
{
    errmsg error;
    csv_table cut = {0};
    const size_t kept = csv_bytes(table, rows);
    ALWAYS(kept <= bytes && (rows == 0 || kept > csv_bytes(table, rows - 1)));
    ALWAYS(csv_read_text(text, kept, "t", &cut, &error) == SCAN_OK);
    compare(table, &cut, rows);
    csv_free_table(&cut);
}

/* Writes the rows, appends none, continues after some row: the rows are always the same. */
static void check_writer(const csv_table *table, const char *path, size_t rows)
{
    errmsg error;
    csv_table clean = {0}, again = {0}, cut = {0};
    csv_target target = {.path = path, .mode = CSV_CREATE};
    /* Writing makes cells safe to show; what is safe stays as it is. */
    write_table(table, &target, table->rows);
    if (csv_read(path, &clean, &error) != SCAN_OK) {
        /* Without its control characters a name may be what another is, or end a line no more; and
         * behind blank lines it may begin like another kind of file. */
        ALWAYS(strstr(error.text, "the names of the columns again") ||
               strstr(error.text, "line 1: it is ") || strstr(error.text, "separate its columns"));
        return;
    }
    table = &clean;
    write_table(table, &target, table->rows);
    target.mode = CSV_APPEND;
    write_table(table, &target, 0);
    ALWAYS(csv_read(path, &again, &error) == SCAN_OK);
    compare(table, &again, table->rows);
    target.mode = CSV_CONTINUE;
    target.keep = csv_bytes(&again, rows);
    write_table(table, &target, 0);
    ALWAYS(csv_read(path, &cut, &error) == SCAN_OK);
    compare(table, &cut, rows);
    csv_free_table(&cut);
    csv_free_table(&again);
    csv_free_table(&clean);
}

/* Every beginning of a file has a kind and a time. */
static void check_kind(const char *text, size_t bytes)
{
    char stamp[KEPT_NAME_STAMP_BYTES];
    const size_t seen = bytes < FILE_KIND_BYTES ? bytes : FILE_KIND_BYTES;
    const file_kind kind = file_kind_of(text, seen);
    ALWAYS(*file_kind_words(kind));
    ALWAYS(bytes > 0 || !file_kind_has_rows(kind, text, seen));
    kept_name_stamp(text, seen, stamp);
    ALWAYS(strlen(stamp) == 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    char path[64];
    csv_table table = {0};
    if (bytes == 0)
        return 0;
    char *text = fuzz_text(data + 1, bytes - 1);
    if (!text)
        return 0;
    check_kind(text, bytes - 1);
    if (csv_read_text(text, bytes - 1, "t", &table, &error) != SCAN_OK) {
        ALWAYS(!table.text && error.text[0] != '\0');
        free(text);
        return 0;
    }
    const size_t rows = data[0] % (table.rows + 1);
    if (table.columns > 0)
        check_cut(&table, text, bytes - 1, rows);
    free(text);
    int file = memfd_create("csv", 0);
    ALWAYS(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    /* A first name that begins like a byte-order mark would be read as one. */
    if (table.columns > 0 && strncmp(csv_column_name(&table, 0), "\xef\xbb\xbf", 3) != 0)
        check_writer(&table, path, rows);
    close(file);
    csv_free_table(&table);
    return 0;
}
