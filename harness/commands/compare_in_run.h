/*
 * compare_in_run.h - `scanbench compare --in-run`: measures two plugins, or two settings, in the
 * same rounds, and judges their ratio
 */
#ifndef SCANBENCH_COMMANDS_COMPARE_IN_RUN_H
#define SCANBENCH_COMMANDS_COMPARE_IN_RUN_H

#include "commands/compare.h"

/* Returns the exit status. `report` prints the comparison. */
int compare_in_run(const options *o, compare_reporter *report);

#endif
