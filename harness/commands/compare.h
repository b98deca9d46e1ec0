/*
 * compare.h - what compare makes of a comparison, of files or in a run
 */
#ifndef SCANBENCH_COMMANDS_COMPARE_H
#define SCANBENCH_COMMANDS_COMPARE_H

#include "cli/options.h"

#include "compare/comparison.h"

/* Prints a comparison as the options say. SCAN_OK, or another status with the reason in `error`. */
typedef scan_status compare_reporter(const options *o, const comparison *c, errmsg *error);

/* The exit status of a comparison that was printed; says on stderr where nothing was compared. */
int compare_exit(const comparison *c);

#endif
