/* csv_writer_test.c - rows as RFC 4180 has them, appending, full disks */
#include "output/csv_writer.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the file and writes its header. */
static scan_status begin_csv(const csv_target *target, const char *const *columns, size_t count,
                             csv_writer **csv_p, errmsg *error)
{
    csv_writer *csv = NULL;
    scan_status status = csv_prepare(target, columns, count, &csv, error);
    if (status == SCAN_OK)
        status = csv_begin(csv, error);
    if (status == SCAN_OK)
        *csv_p = csv;
    else
        csv_close(csv, NULL);
    return status;
}

static const char *const columns[] = {"a", "b", "c"};

/* The whole file, or "cannot read". */
static const char *slurp(const char *path)
{
    static char text[8192];
    FILE *file = fopen(path, "rb");
    if (!file)
        return "cannot read";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void spill(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        printf("Bail out! writing %s: %s\n", path, strerror(errno));
}

static scan_status open_csv(const char *path, csv_mode mode, csv_writer **csv_p, errmsg *why)
{
    const csv_target target = {.path = path, .mode = mode};
    return begin_csv(&target, columns, 3, csv_p, why);
}

/* One row of three texts. */
static scan_status put_row(csv_writer *csv, const char *a, const char *b, const char *c)
{
    csv_text(csv, a);
    csv_text(csv, b);
    csv_text(csv, c);
    return csv_end_row(csv);
}

static void test_fields(const char *path)
{
    errmsg error;
    csv_writer *csv = NULL;
    ok(open_csv(path, CSV_CREATE, &csv, &error) == SCAN_OK, "a file is opened");
    is_text(slurp(path), "a,b,c\n", "the header is in it at once");
    ok(put_row(csv, "plain", "a space", "") == SCAN_OK, "a row");
    is_text(slurp(path), "a,b,c\nplain,a space,\n", "it is in the file when csv_end_row returns");
    ok(put_row(csv, "a,b", "say \"so\"", "two\nlines") == SCAN_OK &&
           put_row(csv, " led", "trailed ", "cr\r") == SCAN_OK &&
           put_row(csv, NULL, "", "\xc3\xa4") == SCAN_OK,
       "rows with commas, quotes, line ends, outer spaces, nothing and UTF-8");
    is_text(slurp(path),
            "a,b,c\nplain,a space,\n\"a,b\",\"say \"\"so\"\"\",two lines\n"
            "\" led\",\"trailed \",\"cr \"\n,,\xc3\xa4\n",
            "only those that need them are in quotes, and line ends are blanks");
    ok(csv_close(csv, &error) == SCAN_OK, "the file is closed");
}

/* What a spreadsheet, a terminal or a reader of UTF-8 would stumble over. */
static void test_harmless(const char *path)
{
    static const char header[] = "a,b,c\n";
    errmsg error;
    csv_writer *csv = NULL;
    ok(open_csv(path, CSV_CREATE, &csv, &error) == SCAN_OK &&
           put_row(csv, "=1+1", "@SUM", "+x") == SCAN_OK && put_row(csv, "-x", "a=1", "'=1") == 0,
       "texts that a spreadsheet would run");
    is_text(slurp(path) + strlen(header), "'=1+1,'@SUM,'+x\n'-x,a=1,'=1\n", "are quoted");
    csv_i64(csv, -1);
    csv_double(csv, -0.5);
    csv_empty(csv);
    ok(csv_end_row(csv) == SCAN_OK && strstr(slurp(path), "\n-1,-0.5,\n"), "numbers are not");
    const char turning[] = {(char)0xe2, (char)0x80, (char)0xae, 'x', '\0'}; /* U+202E */
    ok(put_row(csv, "\x1b[31m",
               "\xc2\x9b"
               "31m",
               turning) == SCAN_OK &&
           strstr(slurp(path), "\n\" [31m\",\"  31m\",\"   x\"\n"),
       "escape characters of one byte and of two, and those that turn text, are blanks: %s",
       slurp(path));
    ok(put_row(csv, "\xff", "\xc3", "a\xe2\x82") == SCAN_OK && strstr(slurp(path), "\n?,?,a??\n"),
       "what is not UTF-8 is \"?\"");
    csv_close(csv, &error);
}

static void test_numbers(const char *path)
{
    static const double values[] = {1234.5, 1e300,    -0.1, 1.0 / 3, 123456789012,
                                    NAN,    INFINITY, 0,    5e-324};
    errmsg error;
    csv_writer *csv = NULL;
    bool comma = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8");
    printf("# %s\n", comma ? "in a locale with a decimal comma" : "no locale with a decimal comma");
    ok(open_csv(path, CSV_CREATE, &csv, &error) == SCAN_OK, "an existing file is replaced");
    for (int i = 0; i < 9; i++) {
        csv_double(csv, values[i]);
        if (i % 3 == 2)
            csv_end_row(csv);
    }
    csv_u64(csv, UINT64_MAX);
    csv_i64(csv, INT64_MIN);
    csv_empty(csv);
    ok(csv_end_row(csv) == SCAN_OK, "whole numbers");
    is_text(slurp(path),
            "a,b,c\n1234.5,1e+300,-0.1\n0.3333333333,1.23456789e+11,\n,0,4.940656458e-324\n"
            "18446744073709551615,-9223372036854775808,\n",
            "numbers have a point, ten digits, and are empty where there is none");
    const double rounds[] = {1.5, NAN, 2e9, INFINITY, 0.1};
    csv_doubles(csv, rounds, 5);
    csv_doubles(csv, rounds + 1, 1);
    csv_doubles(csv, NULL, 0);
    ok(csv_end_row(csv) == SCAN_OK && strstr(slurp(path), "\n1.5 - 2000000000 - 0.1,,\n"),
       "a list has a place for each value, and none without any");
    ok(csv_close(csv, NULL) == SCAN_OK, "closing without a message buffer");
    setlocale(LC_ALL, "C");
}

static void test_row_errors(const char *path)
{
    errmsg error;
    csv_writer *csv = NULL;
    ok(open_csv(path, CSV_CREATE, &csv, &error) == SCAN_OK, "opened");
    csv_text(csv, "alone");
    ok(csv_end_row(csv) == SCAN_ERROR && strstr(csv_message(csv), "1 fields under 3 columns"),
       "a short row is refused: %s", csv_message(csv));
    for (int i = 0; i < 4; i++)
        csv_u64(csv, 1);
    ok(csv_end_row(csv) == SCAN_ERROR, "a long row is refused: %s", csv_message(csv));
    ok(put_row(csv, "x", "y", "z") == SCAN_OK && *csv_message(csv) == '\0', "the next row is fine");
    is_text(slurp(path), "a,b,c\nx,y,z\n", "refused rows are not in the file");
    csv_text(csv, "not ended");
    ok(csv_close(csv, &error) == SCAN_OK, "closing in the middle of a row");
    is_text(slurp(path), "a,b,c\nx,y,z\n", "a row that was not ended is not in the file");
}

static void test_append(const char *path)
{
    static const struct {
        const char *before, *after, *text;
    } files[] = {
        {"a,b,c\n1,2,3\n", "a,b,c\n1,2,3\nx,y,z\n", "whole rows are kept"},
        {"a,b,c\n1,\"2\n3\",\"\"\"\n\"\n", "a,b,c\n1,\"2\n3\",\"\"\"\n\"\nx,y,z\n",
         "line ends inside quotes end no row"},
        {"", "a,b,c\nx,y,z\n", "an empty file gets a header"},
    };
    errmsg error;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        csv_writer *csv = NULL;
        spill(path, files[i].before);
        if (open_csv(path, CSV_APPEND, &csv, &error) == SCAN_OK) {
            put_row(csv, "x", "y", "z");
            csv_close(csv, NULL);
        }
        is_text(slurp(path), files[i].after, "appending: %s", files[i].text);
    }
    csv_writer *csv = NULL;
    spill(path, "a,b\n1,2\n");
    ok(open_csv(path, CSV_APPEND, &csv, &error) == SCAN_INVALID && !csv && strstr(error.text, path),
       "another header is refused: %s", error.text);
    is_text(slurp(path), "a,b\n1,2\n", "and that file is left as it is");
    unlink(path);
    ok(open_csv(path, CSV_APPEND, &csv, &error) == SCAN_OK, "appending creates a file");
    csv_close(csv, NULL);
    is_text(slurp(path), "a,b,c\n", "with a header");
}

/* Continues a file after its first `keep` bytes and returns its content. */
static const char *go_on(const char *path, const char *before, size_t keep)
{
    errmsg error;
    csv_writer *csv = NULL;
    const csv_target target = {.path = path, .mode = CSV_CONTINUE, .keep = keep};
    spill(path, before);
    if (begin_csv(&target, columns, 3, &csv, &error) == SCAN_OK) {
        put_row(csv, "x", "y", "z");
        csv_close(csv, NULL);
    }
    return slurp(path);
}

static void test_continue(const char *path)
{
    is_text(go_on(path, "a,b,c\n1,2,3\n4,5,6\n7,8", 12), "a,b,c\n1,2,3\nx,y,z\n",
            "going on behind a known row removes the rest");
    is_text(go_on(path, "a,b,c\n1,2,3\n", 12), "a,b,c\n1,2,3\nx,y,z\n", "or nothing");
    is_text(go_on(path, "a,b", 0), "a,b,c\nx,y,z\n", "a header cut short is completed");
    is_text(go_on(path, "a,c,b\n1,2,3\n", 12), "a,c,b\n1,2,3\n",
            "a file with another header is left as it is");
    is_text(go_on(path, "x", 0), "x", "and so is one that does not begin as the header does");
}

static void test_unwritable(const char *path)
{
    errmsg error;
    csv_writer *csv = NULL;
    ok(open_csv("/dev/full", CSV_CREATE, &csv, &error) == SCAN_ERROR && !csv,
       "a full device is found out before anything is measured");
    is_text(error.text, "writing /dev/full: No space left on device", "path and reason");
    char below[64];
    snprintf(below, sizeof below, "%s/x.csv", path); /* a file is no folder */
    ok(open_csv(below, CSV_CREATE, &csv, &error) == SCAN_ERROR, "a missing folder: %s", error.text);
    ok(open_csv("/tmp", CSV_CREATE, &csv, &error) == SCAN_ERROR, "a folder: %s", error.text);

    /* A file-size limit stands for a disk that fills up in the middle of a row. */
    struct rlimit limit = {.rlim_cur = 20, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    limit.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    ok(open_csv(path, CSV_CREATE, &csv, &error) == SCAN_OK, "opened");
    fflush(stdout);
    setrlimit(RLIMIT_FSIZE, &limit);
    scan_status first = put_row(csv, "1", "2", "3");
    scan_status second = put_row(csv, "too", "long", "for the limit");
    char why[256];
    snprintf(why, sizeof why, "%s", csv_message(csv));
    setrlimit(RLIMIT_FSIZE, &before);
    ok(first == SCAN_OK && second == SCAN_ERROR, "a full disk fails one row: %s", why);
    is_text(slurp(path), "a,b,c\n1,2,3\n", "what it wrote of that row is taken back");
    ok(put_row(csv, "4", "5", "6") == SCAN_OK, "when there is room again, rows go on");
    is_text(slurp(path), "a,b,c\n1,2,3\n4,5,6\n", "behind the last whole one");
    csv_close(csv, NULL);
}

static void test_stdout(const char *path)
{
    errmsg error;
    csv_writer *csv = NULL;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, (mode_t)0600);
    dup2(file, STDOUT_FILENO);
    scan_status status = open_csv(NULL, CSV_APPEND, &csv, &error);
    if (status == SCAN_OK) {
        put_row(csv, "1", "2", "3");
        status = csv_close(csv, NULL);
    }
    int open_still = fcntl(STDOUT_FILENO, F_GETFD);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    ok(status == SCAN_OK && open_still >= 0, "no path means stdout, which stays open");
    is_text(slurp(path), "a,b,c\n1,2,3\n", "rows on stdout");
}

int main(void)
{
    char path[] = "/tmp/scanbench_csv_XXXXXX";
    int file = mkstemp(path);
    tap_plan(7 + 5 + 4 + 7 + 7 + 5 + 9 + 2 + 1);
    if (file < 0) {
        printf("Bail out! mkstemp: %s\n", strerror(errno));
        return 1;
    }
    close(file);
    test_fields(path);
    test_harmless(path);
    test_numbers(path);
    test_row_errors(path);
    test_append(path);
    test_continue(path);
    test_unwritable(path);
    test_stdout(path);
    unlink(path);
    return tap_done();
}
