/* csv_reader_test.c - what the reader accepts, where rows end, bad files */
#include "output/csv_reader.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

/* The table as "a|b;1|2;", or "error: " and the message. */
static const char *read_rows(const char *text, size_t bytes)
{
    static char result[1024];
    errmsg error;
    csv_table table = {0};
    if (csv_read_text(text, bytes, "t.csv", &table, &error) != SCAN_OK) {
        snprintf(result, sizeof result, "error: %.900s", error.text);
        return result;
    }
    size_t used = 0;
    result[0] = '\0';
    for (size_t i = 0; i < table.columns; i++)
        used += (size_t)snprintf(result + used, sizeof result - used, "%s%s",
                                 csv_column_name(&table, i), i + 1 < table.columns ? "|" : ";");
    for (size_t row = 0; row < table.rows; row++)
        for (size_t i = 0; i < table.columns; i++)
            used +=
                (size_t)snprintf(result + used, sizeof result - used, "%s%s",
                                 csv_cell(&table, row, (int)i), i + 1 < table.columns ? "|" : ";");
    csv_free_table(&table);
    return result;
}

typedef struct sample {
    const char *text;
    const char *expected;
    const char *claim;
} sample;

static const sample samples[] = {
    {"a,b\n1,2\n3,4\n", "a|b;1|2;3|4;", "a table"},
    {"a,b\r\n1,2\r\n", "a|b;1|2;", "CR LF"},
    {"\xef\xbb\xbf"
     "a,b\n1,2\n",
     "a|b;1|2;", "a byte-order mark"},
    {"a,b\n\n1,2\n\n", "a|b;1|2;", "blank lines"},
    {"a,b\n 1 , 2\n\" 3 \",\n", "a|b;1|2; 3 |;", "spaces count only in quotes"},
    {"a,b\n\"x,\"\"y\"\"\",\"two\nlines\"\n", "a|b;x,\"y\"|two\nlines;", "quotes"},
    {"a,b\n", "a|b;", "a header alone"},
    {"a,b\n1,2\n3,4", "a|b;1|2;", "a last row without end of line is dropped"},
    {"a,b\n1,2\n3", "a|b;1|2;", "with too few fields"},
    {"a,b\n1,2\n3,\"x", "a|b;1|2;", "inside quotes"},
    {"a,b\n1,2\n3,\"x\"", "a|b;1|2;", "behind quotes"},
    {"a,b", "", "a header that is not whole is no table"},
    {"", "", "nor is an empty file"},
    {"a,b\n1,2\n3\n", "error: t.csv, line 3: 1 fields, but the header has 2 columns",
     "a short row"},
    {"a,b\n\"1\n\n\",2\n3,4,5\n", "error: t.csv, line 5: 3 fields, but the header has 2 columns",
     "lines are counted inside quotes too"},
    {"a,b\n1,2\na,b\n3,4\n",
     "error: t.csv, line 3: the names of the columns again: files were joined here; take them "
     "apart, and name each",
     "two files in one"},
    {"a,b\n1,2\na,b,c\n3,4,5\n",
     "error: t.csv, line 3: the names of the columns again: files were joined here; take them "
     "apart, and name each",
     "of which one has more columns"},
    {"a,b\n1,2\na,4\n", "a|b;1|2;a|4;", "one name is a value"},
    {"\"a\";\"b\"\n1,5;2\n",
     "error: t.csv, line 1: semicolons separate its columns, as in a spreadsheet's CSV; save it "
     "with "
     "commas, and with points in numbers",
     "semicolons"},
    {"a\tb\n1\t2\n", "error: t.csv, line 1: tabs separate its columns; save it with commas",
     "tabs"},
    {"a\n1;2\n", "a;1;2;", "one column needs no commas"},
    {"\xff\xfe"
     "a",
     "error: t.csv, line 1: it is UTF-16; save it as UTF-8", "UTF-16"},
    {"PK\3\4",
     "error: t.csv, line 1: it is a zip archive, as .xlsx and .ods are; "
     "export it as CSV",
     "a spreadsheet"},
    {"a,b\n1,x\"2\n", "error: t.csv, line 2: a quote inside a field, or one that is never closed",
     "a quote in the middle of a field"},
};
enum { COUNT = sizeof samples / sizeof samples[0] };

static void test_lookup(void)
{
    static const char text[] = "plugin,n\ncpu_serial,1000\n\"x\ny\",\n";
    errmsg error;
    csv_table table = {0};
    ok(csv_read_text(text, sizeof text - 1, "t", &table, &error) == SCAN_OK && table.rows == 2 &&
           table.columns == 2,
       "two rows of two columns");
    ok(csv_column(&table, "n") == 1, "a column by its name");
    ok(csv_column(&table, "N") == -1, "no column of that name");
    is_text(csv_cell(&table, 0, csv_column(&table, "plugin")), "cpu_serial", "a cell");
    is_text(csv_cell(&table, 1, 1), "", "an empty cell");
    is_text(csv_cell(&table, 0, -1), "", "a cell of a column that is not there");
    is_text(csv_cell(&table, 9, 0), "", "a cell of a row that is not there");
    ok(csv_line(&table, 0) == 2 && csv_line(&table, 1) == 4, "rows know their lines");
    csv_free_table(&table);
    ok(!table.text && table.rows == 0 && csv_column(&table, "n") == -1,
       "csv_free_table leaves an empty table");
}

/* Each row knows where it ends: the text up to there is a table of the rows so far. */
static void test_ends(const char *text, const char *claim)
{
    errmsg error;
    csv_table table = {0}, part = {0};
    bool good = csv_read_text(text, strlen(text), "t", &table, &error) == SCAN_OK;
    const size_t rows = table.rows;
    for (size_t row = 0; good && row <= rows; row++) {
        const size_t bytes = csv_bytes(&table, row);
        good = csv_read_text(text, bytes, "t", &part, &error) == SCAN_OK &&
               part.columns == table.columns && part.rows == row && csv_bytes(&part, row) == bytes;
        csv_free_table(&part);
    }
    csv_free_table(&table);
    ok(good && rows == 2, "rows know where they end: %s", claim);
}

static void test_files(void)
{
    char path[] = "/tmp/scanbench_csv_XXXXXX";
    errmsg error;
    csv_table table = {0};
    int file = mkstemp(path);
    FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (stream) {
        fputs("a,b\n", stream);
        for (int i = 0; i < 50000; i++)
            fprintf(stream, "%d,row %d\n", i, i);
        fclose(stream);
    }
    ok(csv_read(path, &table, &error) == SCAN_OK && table.rows == 50000, "a file of 50000 rows");
    is_text(csv_cell(&table, 49999, 1), "row 49999", "its last cell");
    csv_free_table(&table);
    unlink(path);
    ok(csv_read(path, &table, &error) == SCAN_ERROR && strstr(error.text, path),
       "a missing file: %s", error.text);
    ok(csv_read("/tmp", &table, &error) == SCAN_ERROR, "a folder: %s", error.text);
    is_text(read_rows("a,b\n1,\0\n", 8),
            "error: t.csv, line 2: a zero byte; this is not a text file", "a binary file");
}

int main(void)
{
    tap_plan(COUNT + 9 + 5 + 6);
    for (int i = 0; i < COUNT; i++)
        is_text(read_rows(samples[i].text, strlen(samples[i].text)), samples[i].expected, "%s",
                samples[i].claim);
    test_lookup();
    test_files();
    test_ends("a,b\n1,2\n3,4\n", "lines");
    test_ends("\xef\xbb\xbf"
              "a,b\n1,2\n3,4\n5",
              "behind a byte-order mark");
    test_ends("a,b\r\n1,2\r\n3,4\r\n", "CR LF");
    test_ends("a,b\r1,2\r3,4\r", "CR alone");
    test_ends("a,b\n\n1,\"x\n\ny\"\n3,\"\r\"\n\n5,\"", "ends of line in quotes, and blank lines");
    csv_table none = {0};
    ok(csv_bytes(&none, 0) == 0 && csv_bytes(&none, 1) == 0,
       "a table without a header has no bytes");
    return tap_done();
}
