/*
 * run_page.h - the page that `run --page` makes of its rows when it ends
 */
#ifndef SCANBENCH_COMMANDS_RUN_PAGE_H
#define SCANBENCH_COMMANDS_RUN_PAGE_H

#include "cli/options.h"

/* Is there a file that the page can be made of, and one that it can be written to? SCAN_OK, or
 * SCAN_INVALID and `error`. */
scan_status run_page_check(const output_options *o, errmsg *error);

/* Reads the CSV of a run that has ended with `status`, writes the page and says how to open it.
 * Returns `status`; EXIT_USAGE if the run was good and the page could not be written. */
int run_page_write(const options *o, const char *csv, int status);

#endif
