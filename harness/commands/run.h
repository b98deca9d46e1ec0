/*
 * run.h - the verb run: measure, check, write
 */
#ifndef SCANBENCH_COMMANDS_RUN_H
#define SCANBENCH_COMMANDS_RUN_H

#include "cli/options.h"

/* The exit status: 0, 1, 2, 3, 130 or 143 (scanbench --help says what they mean). */
int run_main(const options *o, char *const *argv);

#endif
