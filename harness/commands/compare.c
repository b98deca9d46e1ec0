#include "commands/compare.h"

#include "commands/command_files.h"
#include "commands/compare_in_run.h"
#include "commands/package.h"
#include "commands/verbs.h"
#include "compare/comparison.h"
#include "compare/comparison_print.h"
#include "exit_status.h"
#include "system/terminal.h"
#include "system/whole_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_WIDTH = 80 };

static int fail(const char *text)
{
    fprintf(stderr, "scanbench: %s\n", text);
    return EXIT_USAGE;
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

int compare_exit(const comparison *c)
{
    char text[ERRMSG_BYTES];
    const int nothing = comparison_lacks(c, text, sizeof text) ? fail(text) : EXIT_GOOD;
    return c->regressions > 0 ? EXIT_REGRESSION : nothing;
}

int compare_main(const options *o)
{
    errmsg error;
    if (command_files_check(o, &error) != SCAN_OK)
        return fail(error.text);
    if (o->output.json && o->compare.in_run && whole_file_check(o->output.json, &error) != SCAN_OK)
        return fail(error.text);
    return o->compare.in_run ? compare_in_run(o, report) : package_compare(o);
}
