#include "commands/compare.h"

#include "commands/compare_in_run.h"
#include "compare/comparison.h"
#include "compare/comparison_print.h"
#include "exit_status.h"
#include "system/terminal.h"

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

/* Writes JSON to the file of --json, which is not one of those compared. */
static scan_status write_json(const options *o, const comparison *c, errmsg *error)
{
    for (size_t i = 0; i < o->argument_count; i++)
        if (strcmp(o->output.json, o->arguments[i]) == 0 && strcmp(o->output.json, "-") != 0)
            return errmsg_set(error, SCAN_INVALID,
                              "--json %s: this would overwrite a file that is compared",
                              o->output.json);
    const bool to_stdout = strcmp(o->output.json, "-") == 0;
    FILE *out = to_stdout ? stdout : fopen(o->output.json, "we");
    if (!out)
        return errmsg_set(error, SCAN_ERROR, "--json %s: %s", o->output.json, strerror(errno));
    scan_status status = comparison_print_json(c, out);
    if (status != SCAN_OK)
        errmsg_set(error, status, "out of memory");
    const bool failed = fflush(out) != 0 || ferror(out);
    const int reason = errno;
    if (!to_stdout && fclose(out) != 0 && !failed)
        return errmsg_set(error, SCAN_ERROR, "writing %s: %s", o->output.json, strerror(errno));
    return failed ? errmsg_set(error, SCAN_ERROR, "writing %s: %s",
                               to_stdout ? "stdout" : o->output.json, strerror(reason))
                  : status;
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

int compare_exit(const comparison *c)
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
    return o->compare.in_run ? compare_in_run(o, report) : compare_files(o);
}
