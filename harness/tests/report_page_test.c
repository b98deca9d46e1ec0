/* report_page_test.c - the page as a file: its data, texts that must not end the script, errors */
#include "report_rows.h"

#include "page/page_data.h"
#include "page/report_page.h"
#include "tap.h"

#include <unistd.h>

#define SERIAL ROW_SERIAL "1000,,,,hot,run" ROW_TIME(200, 195, 205) "20,19.9,20.1,1,1,1,25,noisy\n"
#define FAST \
    ROW_CPU("fast") "1000,64,,,hot,run" ROW_TIME(100, 99, 101) "10,9.9,10.1,2,1.9,2.1,50,\n"
#define COPY ROW_COPY "1000,,,,hot,run" ROW_TIME(50, 49, 51) ",,,,,,100,\n"
/* With a reason as a plugin might give it. */
#define EVIL ROW_CPU("evil") "1000,,,,hot,run,wrong,</script><script>alert(1),,,,,,,,,,,,\n"

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *in = fopen(path, "r");
    if (!in || getdelim(&text, &bytes, '\0', in) < 0) {
        free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    return text;
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static char *json_of(const report *r)
{
    char *json = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&json, &bytes);
    if (!out || page_data_write(r, &(judged_list){0}, out) != SCAN_OK)
        return NULL;
    fclose(out);
    return json;
}

static void test_data(const report *r)
{
    char *json = json_of(r);
    ok(json != NULL, "the data of a report are written");
    if (!json)
        return;
    ok(strstr(json, "\"count\":4,\"columns\":{") != NULL, "all rows are in the columns");
    ok(strstr(json, "\"median_ns\":[200,100,50,null]") != NULL,
       "a number that is not known is null");
    ok(strstr(json, "\"size\":0") != NULL, "a column that is the same everywhere is one number");
    ok(strstr(json, "load") == NULL, "a column that is nowhere known is left out");
    ok(strstr(json, "\"n\":1000,\"row\":1,\"verdict\":\"certain\",\"tied\":[],\"next\":0,"
                    "\"ratio\":2,") != NULL,
       "the winner is named, with the next and how far it is");
    ok(strstr(json, "\"copy\":2}") != NULL, "the copy of the same bytes stands beside it");
    ok(strstr(json, "nan") == NULL && strstr(json, "inf,") == NULL, "no number is NaN or infinite");
    free(json);
}

static void test_file(const report *r)
{
    char path[] = "/tmp/scanbench-page-XXXXXX";
    errmsg error = {""};
    const int fd = mkstemp(path);
    const scan_status status = report_page_write(r, &(judged_list){0}, path, &error);
    char *page = status == SCAN_OK ? read_file(path) : NULL;
    ok(page != NULL, "the page is written");
    if (page) {
        ok(occurrences(page, "</script>") == 3, "no text of a row ends a script");
        ok(strstr(page, "\\u003c/script>") != NULL, "a < in a text is escaped");
        ok(strstr(page, "@data@") == NULL && strstr(page, "@scripts@") == NULL,
           "nothing of the template is left open");
        ok(strstr(page, "default-src 'none'") != NULL, "the page forbids itself every request");
    }
    free(page);
    close(fd);
    unlink(path);
    ok(report_page_write(r, &(judged_list){0}, "/dev/full", &error) == SCAN_ERROR &&
           strstr(error.text, "/dev/full") != NULL,
       "a full disk is an error that names the file");
    ok(report_page_write(r, &(judged_list){0}, "/no/such/folder/p.html", &error) == SCAN_ERROR &&
           strstr(error.text, "cannot be created") != NULL,
       "a folder that is not there is an error");
}

int main(void)
{
    test_report t;
    tap_plan(16);
    if (!ok(test_report_make(&t, SERIAL FAST COPY EVIL), "a report is made"))
        return 1;
    test_data(&t.r);
    test_file(&t.r);
    test_report_free(&t);
    return tap_done();
}
