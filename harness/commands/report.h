/*
 * report.h - `scanbench report`
 */
#ifndef SCANBENCH_COMMANDS_REPORT_H
#define SCANBENCH_COMMANDS_REPORT_H

#include "cli/options.h"

/* Returns the program's exit status. */
int report_main(const options *o);

#endif
