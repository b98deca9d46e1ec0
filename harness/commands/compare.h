/*
 * compare.h - `scanbench compare`
 */
#ifndef SCANBENCH_COMMANDS_COMPARE_H
#define SCANBENCH_COMMANDS_COMPARE_H

#include "cli/options.h"

/* Returns the program's exit status. */
int compare_main(const options *o);

#endif
