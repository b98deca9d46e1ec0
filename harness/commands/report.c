#include "commands/verbs.h"

#include "commands/command_files.h"
#include "exit_status.h"
#include "page/report_page.h"
#include "report/report.h"
#include "system/terminal.h"
#include "tables/judged_print.h"
#include "tables/report_tables.h"

#include <string.h>
#include <unistd.h>

enum { REPORT_WIDTH = 80 };

static int fail(const errmsg *error)
{
    fprintf(stderr, "scanbench: %s\n", error->text);
    return EXIT_USAGE;
}

static scan_status check_files(const options *o, errmsg *error)
{
    if (o->argument_count == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "report needs a file of results or more: scanbench report out.csv");
    return command_files_check(o, error);
}

/* The page alone, if that is asked for; else tables for people: of the claims, if they are asked
 * for. */
static scan_status print(const options *o, const report *r, const judged_list *claims,
                         errmsg *error)
{
    const paper p = {.out = stdout,
                     .width = terminal_width(STDOUT_FILENO, REPORT_WIDTH),
                     .color = terminal_has_color(o->color, STDOUT_FILENO),
                     .markdown = o->compare.markdown};
    scan_status status = SCAN_OK;
    if (o->report.html)
        status = report_page_write(r, claims, o->report.html, error);
    if (status != SCAN_OK)
        return status;
    if (o->report.claims && (p.markdown || !o->quiet))
        status = judged_print(r, claims, &p);
    else if (p.markdown || (!o->report.html && !o->quiet))
        status = report_tables_print(r, &p);
    return status == SCAN_OK ? SCAN_OK : errmsg_set(error, status, "out of memory");
}

static scan_status judge_and_print(const options *o, const report *r, errmsg *error)
{
    recipe_list recipes = {.count = 0};
    judged_list claims = {.count = 0};
    scan_status status =
        o->report.claims ? recipe_list_read(o->report.claims, &recipes, error) : SCAN_OK;
    if (status == SCAN_OK && judged_list_make(r, &recipes, &claims) != SCAN_OK)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        status = print(o, r, &claims, error);
    judged_list_free(&claims);
    recipe_list_free(&recipes);
    return status;
}

/* Reports files without rows: an empty page would look as if all were well. */
static scan_status check_rows(const report *r, errmsg *error)
{
    size_t rows = 0;
    for (size_t i = 0; i < r->file_count; i++)
        rows += r->files[i].results->count;
    if (rows == 0)
        return errmsg_set(error, SCAN_INVALID, "%s has no rows: there is nothing to report",
                          r->files[0].results->path);
    for (size_t i = 0; i < r->file_count; i++)
        if (r->files[i].results->count == 0)
            fprintf(stderr, "scanbench: warning: %s has no rows\n", r->files[i].results->path);
    return SCAN_OK;
}

int report_main(const options *o)
{
    errmsg error;
    report r = {.rows = 0};
    scan_status status = check_files(o, &error);
    if (status == SCAN_OK)
        status = report_read(o->arguments, o->argument_count, &r, &error);
    if (status == SCAN_OK)
        status = judge_and_print(o, &r, &error);
    if (status == SCAN_OK && fflush(stdout) == 0) /* main asks whether it could be written */
        status = check_rows(&r, &error);
    report_free(&r);
    return status == SCAN_OK ? EXIT_GOOD : fail(&error);
}
