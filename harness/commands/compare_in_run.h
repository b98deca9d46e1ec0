/*
 * compare_in_run.h - `scanbench compare --in-run`: measures two plugins, or two settings, in the
 * same rounds, and judges their ratio
 */
#ifndef SCANBENCH_COMMANDS_COMPARE_IN_RUN_H
#define SCANBENCH_COMMANDS_COMPARE_IN_RUN_H

#include "cli/options.h"

/* Prints what was found as the options say, and returns the exit status. */
int compare_in_run(const options *o);

#endif
