/* json_rows_test.c - the values of a row as JSON, texts from outside, full disks */
#include "output/columns.h"
#include "output/result_csv.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

/* A row in which all cells but one are empty: the member of that one. */
static const char *value_of(const char *column, const char *cell)
{
    static char text[16384];
    char path[] = "/tmp/json_rows_test.XXXXXX";
    line_file rows = {.fd = -1};
    errmsg error = {""};
    const char **cells = calloc(row_columns.count, sizeof *cells);
    const int file = mkstemp(path);
    for (size_t i = 0; cells && i < row_columns.count; i++)
        cells[i] = strcmp(row_columns.entries[i]->name, column) == 0 ? cell : "";
    text[0] = '\0';
    if (cells && file >= 0 && line_file_open(path, &rows, &error) == SCAN_OK &&
        result_json_write(&rows, cells, &error) == SCAN_OK &&
        line_file_close(&rows, &error) == SCAN_OK) {
        const ssize_t got = read(file, text, sizeof text - 1);
        text[got > 0 ? got : 0] = '\0';
    }
    free(cells);
    close(file);
    unlink(path);
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", column);
    char *value = strstr(text, name);
    if (!value)
        return text;
    value += strlen(name);
    char *end = strstr(value, ",\"");
    if (!end)
        end = strstr(value, "}\n");
    if (end)
        *end = '\0';
    return value;
}

static void test_values(void)
{
    static const struct {
        const char *column, *cell, *value;
    } cases[] = {
        {"n", "", "null"},
        {"n", "18446744073709551615", "18446744073709551615"},
        {"median_ns", "1.25e+06", "1.25e+06"},
        {"median_ns", "-0.5", "-0.5"},
        {"median_ns", "0", "0"},
        {"verified", "1", "true"},
        {"verified", "0", "false"},
        {"verified", "", "null"},
        {"plugin_version", "1.0", "\"1.0\""},
        {"gpu_processes", "3", "3"},
        {"rounds_ns", "", "null"},
        {"rounds_ns", "7", "[7]"},
        {"rounds_ns", "1.5 - 2e+09", "[1.5,null,2e+09]"},
        {"rounds_ns", "- 7", "[null,7]"},
        /* Texts from drivers and files. */
        {"device", "a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\""},
        {"device", "two\nlines\t\x01", "\"two\\u000alines\\u0009\\u0001\""},
        {"device", "\xff\xc3\xa9\xed\xa0\x80", "\"\\ufffd\xc3\xa9\\ufffd\\ufffd\\ufffd\""},
        {"device", "null", "\"null\""},
        {"device", "{}", "\"{}\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_text(value_of(cases[i].column, cases[i].cell), cases[i].value, "%s %zu", cases[i].column,
                i);
}

static void test_full_disk(void)
{
    errmsg error = {""};
    line_file rows = {.fd = -1};
    const char **cells = calloc(row_columns.count, sizeof *cells);
    for (size_t i = 0; cells && i < row_columns.count; i++)
        cells[i] = "1";
    ok(cells && line_file_open("/dev/full", &rows, &error) == SCAN_OK, "a full disk is opened");
    ok(result_json_write(&rows, cells, &error) == SCAN_ERROR, "a row does not fit on it");
    is_text(error.text, "writing /dev/full: No space left on device", "and that is told");
    line_file_close(&rows, NULL);
    ok(line_file_open("/nowhere/rows", &rows, &error) == SCAN_ERROR &&
           strstr(error.text, "/nowhere/rows to write: No such file or directory"),
       "a folder that is not there is told");
    line_file_close(&rows, NULL);
    free(cells);
}

int main(void)
{
    tap_plan(23);
    test_values();
    test_full_disk();
    return tap_done();
}
