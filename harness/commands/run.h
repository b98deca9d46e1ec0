/*
 * run.h - the verb run: measures plugins, checks their results and writes rows
 */
#ifndef SCANBENCH_COMMANDS_RUN_H
#define SCANBENCH_COMMANDS_RUN_H

#include "cli/options.h"

/* Returns the exit status, one of exit_status.h. */
int run_main(const options *o, char *const *argv);

#endif
