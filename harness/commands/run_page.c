#include "commands/run_page.h"

#include "exit_status.h"
#include "output/file_kind.h"
#include "page/report_page.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

scan_status run_page_check(const output_options *o, errmsg *error)
{
    if (!o->page)
        return SCAN_OK;
    if (!o->csv || strcmp(o->csv, "-") == 0)
        return errmsg_set(error, SCAN_INVALID, "--page needs --csv FILE, the file it is made of");
    if (strcmp(o->page, "-") == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "--page -: write it with scanbench report %s --html -", o->csv);
    return SCAN_OK;
}

/* The run took its time: somebody else may have put another file there since it was checked. */
static scan_status check_again(const char *page, const char *csv, errmsg *error)
{
    struct stat about;
    if (stat(page, &about) != 0 || !S_ISREG(about.st_mode))
        return SCAN_OK;
    const file_kind kind = file_kind_read(page);
    if (kind == FILE_KIND_PAGE || kind == FILE_KIND_EMPTY)
        return SCAN_OK;
    return errmsg_set(error, SCAN_ERROR,
                      "%s became %s during the run; scanbench report %s --html FILE writes the "
                      "page elsewhere",
                      page, file_kind_words(kind), csv);
}

int run_page_write(const options *o, const char *csv, int status)
{
    errmsg error;
    report r = {.rows = 0};
    if (!o->output.page)
        return status;
    scan_status written = report_read((const char *const[]){csv}, 1, &r, &error);
    if (written == SCAN_OK)
        written = check_again(o->output.page, csv, &error);
    if (written == SCAN_OK)
        written = report_page_write(&r, &(judged_list){0}, o->output.page, &error);
    report_free(&r);
    if (written != SCAN_OK)
        fprintf(stderr, "scanbench: no page: %s\n", error.text);
    else if (!o->quiet)
        fprintf(stderr,
                "scanbench: %s shows the results: open it in a browser, here or elsewhere; it "
                "needs no other file and no network\n",
                o->output.page);
    return written != SCAN_OK && status == EXIT_GOOD ? EXIT_USAGE : status;
}
