/*
 * run.h - the verb run: measures plugins, checks their results and writes rows
 */
#ifndef SCANBENCH_COMMANDS_RUN_H
#define SCANBENCH_COMMANDS_RUN_H

#include "cli/options.h"

/* Returns the exit status, one of exit_status.h. */
int run_main(const options *o, char *const *argv);

/* --help=columns: what the columns of the CSV mean, as the tables of docs/csv.md. */
void run_print_columns(FILE *out);

#endif
