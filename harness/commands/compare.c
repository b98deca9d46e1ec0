#include "commands/command_files.h"
#include "commands/compare_in_run.h"
#include "commands/verbs.h"
#include "compare/comparison.h"
#include "compare/comparison_print.h"
#include "exit_status.h"
#include "system/terminal.h"
#include "system/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_WIDTH = 80 };

static int fail(const char *text)
{
    fprintf(stderr, "scanbench: %s\n", text);
    return EXIT_USAGE;
}

/* Reads the files that the arguments name into `files`, which has room for them. */
static scan_status read_files(const options *o, result_file *files, errmsg *error)
{
    scan_status status = SCAN_OK;
    if (o->argument_count < 2)
        return errmsg_set(error, SCAN_INVALID,
                          "compare needs two files of results or more: scanbench compare OLD.csv "
                          "NEW.csv; or two plugins, with --in-run");
    for (size_t i = 0; i < o->argument_count && status == SCAN_OK; i++)
        status = result_file_read(o->arguments[i], &files[i], error);
    return status;
}

static scan_status write_json(const options *o, const comparison *c, errmsg *error)
{
    whole_file file;
    scan_status status = whole_file_begin(o->output.json, NULL, &file, error);
    if (status != SCAN_OK)
        return status;
    status = comparison_print_json(c, file.out);
    if (status == SCAN_OK)
        return whole_file_end(&file, error);
    whole_file_drop(&file);
    return errmsg_set(error, status, "out of memory");
}

static scan_status report(const options *o, const comparison *c, errmsg *error)
{
    scan_status status = o->output.json ? write_json(o, c, error) : SCAN_OK;
    if (status != SCAN_OK || o->quiet || (o->output.json && strcmp(o->output.json, "-") == 0))
        return status;
    status = o->compare.markdown
                 ? comparison_print_markdown(c, stdout)
                 : comparison_print_table(c, terminal_width(STDOUT_FILENO, TABLE_WIDTH), stdout);
    if (status != SCAN_OK)
        return errmsg_set(error, status, "out of memory");
    return fflush(stdout) == 0 && !ferror(stdout)
               ? SCAN_OK
               : errmsg_set(error, SCAN_ERROR, "writing stdout: %s", strerror(errno));
}

static int compare_exit(const comparison *c)
{
    char text[ERRMSG_BYTES];
    const int nothing = comparison_lacks(c, text, sizeof text) ? fail(text) : EXIT_GOOD;
    return c->regressions > 0 ? EXIT_REGRESSION : nothing;
}

static int compare_files(const options *o)
{
    errmsg error;
    comparison c = {.pairs = NULL};
    result_file *files = calloc(o->argument_count + 1, sizeof *files);
    if (!files)
        return fail("out of memory");
    scan_status status = read_files(o, files, &error);
    if (status == SCAN_OK) {
        status = comparison_make(files, o->argument_count, o->compare.phases,
                                 o->compare.threshold_pct / 100, &c);
        if (status != SCAN_OK)
            errmsg_set(&error, status, "out of memory");
    }
    if (status == SCAN_OK)
        status = report(o, &c, &error);
    const int exit = status == SCAN_OK ? compare_exit(&c) : fail(error.text);
    comparison_free(&c);
    for (size_t i = 0; i < o->argument_count; i++)
        result_file_free(&files[i]);
    free(files);
    return exit;
}

int compare_main(const options *o)
{
    errmsg error;
    if (command_files_check(o, &error) != SCAN_OK)
        return fail(error.text);
    if (o->output.json && o->compare.in_run && whole_file_check(o->output.json, &error) != SCAN_OK)
        return fail(error.text);
    return o->compare.in_run ? compare_in_run(o) : compare_files(o);
}
