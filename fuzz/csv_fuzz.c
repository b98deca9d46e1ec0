/*
 * What the reader accepts, the writer writes so that the reader reads the same; and
 * the writer finds its end again in it. The first byte chooses the tail.
 */
#include "output/csv_reader.h"
#include "output/csv_writer.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* Writes the table to `path` as it is. */
static void write_table(const csv_table *table, const char *path, csv_mode mode, size_t rows)
{
    errmsg error;
    csv_writer *csv = NULL;
    const char **columns = calloc(table->columns, sizeof *columns);
    ALWAYS(columns);
    for (size_t i = 0; i < table->columns; i++)
        columns[i] = csv_column_name(table, i);
    ALWAYS(csv_open(path, columns, table->columns, mode, &csv, &error) == SCAN_OK);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < table->columns; i++)
            csv_text(csv, csv_cell(table, row, (int)i));
        ALWAYS(csv_end_row(csv) == SCAN_OK);
    }
    ALWAYS(csv_close(csv, &error) == SCAN_OK);
    free(columns);
}

static void compare(const csv_table *a, const csv_table *b)
{
    ALWAYS(a->columns == b->columns && a->rows == b->rows);
    for (size_t i = 0; i < a->columns; i++)
        ALWAYS(strcmp(csv_column_name(a, i), csv_column_name(b, i)) == 0);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t i = 0; i < a->columns; i++)
            ALWAYS(strcmp(csv_cell(a, row, (int)i), csv_cell(b, row, (int)i)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    char path[64];
    csv_table table = {0}, again = {0};
    if (bytes == 0)
        return 0;
    char *text = fuzz_text(data + 1, bytes - 1);
    csv_tail tail = data[0] % 2 ? CSV_TAIL_DROP : CSV_TAIL_KEEP;
    if (!text || csv_read_text(text, bytes - 1, "t", tail, &table, &error) != SCAN_OK) {
        ALWAYS(!table.text && error.text[0] != '\0');
        free(text);
        return 0;
    }
    free(text);
    int file = memfd_create("csv", 0);
    ALWAYS(file >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    /* A first name that begins like a byte-order mark would be taken for one. */
    if (table.columns > 0 && strncmp(csv_column_name(&table, 0), "\xef\xbb\xbf", 3) != 0) {
        write_table(&table, path, CSV_CREATE, table.rows);
        write_table(&table, path, CSV_APPEND, 0);
        ALWAYS(csv_read(path, CSV_TAIL_KEEP, &again, &error) == SCAN_OK);
        compare(&table, &again);
    }
    close(file);
    csv_free_table(&again);
    csv_free_table(&table);
    return 0;
}
