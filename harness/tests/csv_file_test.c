/* csv_file_test.c - rows as RFC 4180 has them, full disks, lines that are read again, and which
 * cells a run writes */
#include "output/csv_file.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static const column_entry text = {.name = "a", .type = COLUMN_TEXT, .empty = ""},
                          other = {.name = "b", .type = COLUMN_TEXT, .empty = ""},
                          real = {.name = "c", .type = COLUMN_REAL, .empty = ""};
static const column_entry *const three[] = {&text, &other, &real};
static const column_list columns = {three, 3};

/* The whole file, or "cannot read". */
static const char *slurp(const char *path)
{
    static char read[8192];
    FILE *file = fopen(path, "rb");
    if (!file)
        return "cannot read";
    read[fread(read, 1, sizeof read - 1, file)] = '\0';
    fclose(file);
    return read;
}

static void spill(const char *path, const char *written)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(written, file) < 0 || fclose(file) != 0)
        printf("Bail out! writing %s: %s\n", path, strerror(errno));
}

static scan_status begin(const char *path, size_t keep, csv_file *csv, errmsg *error)
{
    const scan_status status = csv_open(path, &columns, csv, error);
    return status == SCAN_OK ? csv_begin(csv, keep, error) : status;
}

static scan_status put_row(csv_file *csv, const char *a, const char *b, const char *c,
                           errmsg *error)
{
    return csv_put(csv, (const char *const[]){a, b, c}, error);
}

static void test_fields(const char *path)
{
    errmsg error;
    csv_file csv;
    ok(begin(path, 0, &csv, &error) == SCAN_OK, "a file is begun");
    is_text(slurp(path), "a,b,c\n", "the header is in it at once");
    ok(put_row(&csv, "plain", "a space", "", &error) == SCAN_OK, "a row");
    is_text(slurp(path), "a,b,c\nplain,a space,\n", "it is in the file when csv_put returns");
    ok(put_row(&csv, "a,b", "say \"so\"", "", &error) == SCAN_OK &&
           put_row(&csv, " led", "trailed ", "", &error) == SCAN_OK &&
           put_row(&csv, "=1+1", "@SUM, \"x\"", "-1", &error) == SCAN_OK &&
           put_row(&csv, "a=1", "'=1", "", &error) == SCAN_OK,
       "rows with commas, quotes, outer spaces and formulas");
    is_text(slurp(path),
            "a,b,c\nplain,a space,\n\"a,b\",\"say \"\"so\"\"\",\n\" led\",\"trailed \",\n"
            "'=1+1,\"'@SUM, \"\"x\"\"\",-1\na=1,'=1,\n",
            "only those that need them are in quotes, and no text is a formula");
    ok(line_file_close(&csv.lines, &error) == SCAN_OK, "the file is closed");
}

/* The text of a cell. */
static const char *printed(const row_cell *c)
{
    static char result[256];
    FILE *out = fmemopen(result, sizeof result, "w");
    if (!out)
        return "no memory";
    *result = '\0';
    cell_print(out, c);
    fclose(out);
    return result;
}

static void test_cells(void)
{
    static const double values[] = {1234.5, 1e300,    -0.1, 1.0 / 3, 123456789012,
                                    NAN,    INFINITY, 0,    5e-324};
    static const char *const expected[] = {"1234.5",          "1e+300", "-0.1", "0.3333333333",
                                           "1.23456789e+11",  "",       "",     "0",
                                           "4.940656458e-324"};
    static const double rounds[] = {1.5, NAN, 2e9, INFINITY, 0.1};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        is_text(printed(&(row_cell){.kind = CELL_REAL, .real = values[i]}), expected[i],
                "a number has a point and ten digits, and is empty where it is none");
    is_text(printed(&(row_cell){.kind = CELL_TIMES, .times = rounds, .count = 5}),
            "1.5 - 2000000000 - 0.1", "a list has a place for each value");
    is_text(printed(&(row_cell){.kind = CELL_TIMES, .times = rounds + 1, .count = 1}), "",
            "and none without any");
    is_text(printed(&(row_cell){.kind = CELL_TEXT, .text = "two\nlines\r\x1b[31m\xff\xc3\xa4"}),
            "two lines  [31m?\xc3\xa4", "a text is one line that is safe to show");
    is_text(printed(&(row_cell){.kind = CELL_COUNT, .count = UINT64_MAX}), "18446744073709551615",
            "a count");
    is_text(printed(&(row_cell){.kind = CELL_WHOLE, .whole = INT64_MIN}), "-9223372036854775808",
            "a whole number");
}

/* Continues a file after its first `keep` bytes and returns its content. */
static const char *go_on(const char *path, const char *before, size_t keep)
{
    errmsg error;
    csv_file csv;
    spill(path, before);
    if (begin(path, keep, &csv, &error) == SCAN_OK)
        put_row(&csv, "x", "y", "1", &error);
    line_file_close(&csv.lines, NULL);
    return slurp(path);
}

static void test_continue(const char *path)
{
    is_text(go_on(path, "a,b,c\n1,2,3\n4,5,6\n7,8", 12), "a,b,c\n1,2,3\nx,y,1\n",
            "going on behind a known row removes the rest");
    is_text(go_on(path, "a,b,c\n1,2,3\n", 12), "a,b,c\n1,2,3\nx,y,1\n", "or nothing");
    is_text(go_on(path, "a,b", 0), "a,b,c\nx,y,1\n", "a header cut short is written anew");
}

static void test_unwritable(const char *path)
{
    errmsg error;
    csv_file csv;
    ok(begin("/dev/full", 0, &csv, &error) == SCAN_ERROR,
       "a full device is found out before anything is measured");
    is_text(error.text, "writing /dev/full: No space left on device", "path and reason");
    line_file_close(&csv.lines, NULL);
    ok(begin("/tmp", 0, &csv, &error) == SCAN_ERROR, "a folder: %s", error.text);
    line_file_close(&csv.lines, NULL);

    /* A file-size limit stands for a disk that fills up in the middle of a row. */
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const struct rlimit limit = {.rlim_cur = 20, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ok(begin(path, 0, &csv, &error) == SCAN_OK, "opened");
    fflush(stdout);
    setrlimit(RLIMIT_FSIZE, &limit);
    scan_status first = put_row(&csv, "1", "2", "3", &error);
    scan_status second = put_row(&csv, "too", "long", "for the limit", &error);
    setrlimit(RLIMIT_FSIZE, &before);
    ok(first == SCAN_OK && second == SCAN_ERROR, "a full disk fails one row: %s", error.text);
    is_text(slurp(path), "a,b,c\n1,2,3\n", "what it wrote of that row is taken back");
    ok(put_row(&csv, "4", "5", "6", &error) == SCAN_OK, "when there is room again, rows go on");
    is_text(slurp(path), "a,b,c\n1,2,3\n4,5,6\n", "behind the last whole one");
    line_file_close(&csv.lines, NULL);
}

static void test_stdout(const char *path)
{
    errmsg error;
    csv_file csv;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, (mode_t)0600);
    dup2(file, STDOUT_FILENO);
    scan_status status = begin(NULL, 0, &csv, &error);
    if (status == SCAN_OK)
        status = put_row(&csv, "1", "2", "3", &error);
    line_file_close(&csv.lines, NULL);
    int open_still = fcntl(STDOUT_FILENO, F_GETFD);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    ok(status == SCAN_OK && open_still >= 0, "no path means stdout, which stays open");
    is_text(slurp(path), "a,b,c\n1,2,3\n", "rows on stdout");
}

static void test_headers(const char *path)
{
    static const struct {
        const char *file, *expected;
    } cases[] = {
        {"a,b,c\n1,2,3\n", ""},
        {"a,b", ""},
        {"", ""},
        {"a,c,b\n", "its header is not this version's"},
        {"a,b,c,d\n", "its header is not this version's"},
        {"a,b,c\r\n", "its lines end in CRLF"},
        {"\xef\xbb\xbf"
         "a,b,c\n",
         "it begins with a byte-order mark"},
        {"\"a\",\"b\",\"c\"\n", "the names of its columns are in quotes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        errmsg error = {""};
        spill(path, cases[i].file);
        const scan_status status = csv_check_header(path, &columns, &error);
        ok((status == SCAN_OK) == !*cases[i].expected && strstr(error.text, cases[i].expected),
           "a header: %s", error.text);
    }
}

/* The cells of a line as "x|y|z", or what is wrong with it. */
static const char *read_line(const char *written, size_t bytes)
{
    static char result[ERRMSG_BYTES + 1];
    errmsg error = {""};
    csv_line line = {.text = NULL};
    FILE *in = fmemopen((void *)(uintptr_t)written, bytes, "r");
    if (!in || !csv_next(in, &line))
        snprintf(result, sizeof result, "end");
    else if (csv_split("t", 2, &columns, &line, &error) != SCAN_OK ||
             csv_check_cells("t", 2, &columns, &line, &error) != SCAN_OK)
        snprintf(result, sizeof result, "%s", error.text);
    else
        snprintf(result, sizeof result, "%s|%s|%s", line.cells[0], line.cells[1], line.cells[2]);
    if (in)
        fclose(in);
    csv_line_free(&line);
    return result;
}

static void test_lines(void)
{
    static const struct {
        const char *line, *cells;
    } cases[] = {
        {"x,y,1\n", "x|y|1"},
        {",,\n", "||"},
        {"\"a,b\",\"say \"\"so\"\"\",-0.5\n", "a,b|say \"so\"|-0.5"},
        {"'=1,\"'@x, y\",1e+20\n", "=1|@x, y|1e+20"},
        {"x,y,1", "end"},
        {"x,\"y", "end"},
        {"x,y\n", "t, line 2: 2 fields, but the header has 3 columns"},
        {"x,y,1,2\n", "t, line 2: 4 fields, but the header has 3 columns"},
        {"x,\"y,1\n", "t, line 2: a field does not end in this line; is there a zero byte, or a "
                      "quote that is never closed?"},
        {"x,\"y\"z,1\n", "t, line 2: a field does not end in this line; is there a zero byte, or a "
                         "quote that is never closed?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_text(read_line(cases[i].line, strlen(cases[i].line)), cases[i].cells, "a line, %zu", i);
    ok(strstr(read_line("x,\0,1\n", 6), "is there a zero byte"), "a zero byte");
}

/* Is the text one that a run writes into a column of that type? */
static bool is_written(column_type type, const char *cell)
{
    const column_entry one = {.name = "one", .type = type, .empty = ""};
    const column_entry *const list[] = {&one};
    const csv_line line = {.cells = &cell};
    errmsg error;
    return csv_check_cells("t", 2, &(column_list){list, 1}, &line, &error) == SCAN_OK;
}

static void test_forms(void)
{
    static const struct {
        column_type type;
        const char *good, *bad; /* separated by bars */
    } cases[] = {
        {COLUMN_COUNT, "64|0|18446744073709551615", "-5|007|64.0|18446744073709551616|1e3|x|+1"},
        {COLUMN_WHOLE, "64|-5|-9223372036854775808", "-0|+64|-9223372036854775809|0x10"},
        {COLUMN_REAL, "64|64.5|-5|1.5e+20|1e-05|0", "64.|.5|5.000|1.00E+03|1,000|1e999|inf|nan| 1"},
        {COLUMN_TIMES, "1|1.5 - 2e+20|-", "1  2|1 |1;2|1 x| 1"},
        {COLUMN_FLAG, "0|1", "2|true"},
        {COLUMN_TIME, "2026-01-31T23:59:59Z", "2026-01-31|31.01.2026 12:00|2026-01-31T23:59:59ZZ"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int good = 0; good < 2; good++) {
            char list[128], *rest = list;
            snprintf(list, sizeof list, "%s", good ? cases[i].good : cases[i].bad);
            bool right = true;
            for (const char *cell; (cell = strsep(&rest, "|"));)
                if (is_written(cases[i].type, cell) != good) {
                    printf("# '%s'\n", cell);
                    right = false;
                }
            ok(right, "type %zu %s", i, good ? "has these forms" : "and no others");
        }
}

int main(void)
{
    char path[] = "/tmp/scanbench_csv_XXXXXX";
    int file = mkstemp(path);
    tap_plan(7 + 14 + 3 + 8 + 2 + 8 + 11 + 12);
    if (file < 0) {
        printf("Bail out! mkstemp: %s\n", strerror(errno));
        return 1;
    }
    close(file);
    test_fields(path);
    test_cells();
    test_continue(path);
    test_unwritable(path);
    test_stdout(path);
    test_headers(path);
    test_lines();
    test_forms();
    unlink(path);
    return tap_done();
}
