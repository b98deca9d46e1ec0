/*
 * new.h - the verb new: writes a folder with a complete plugin that says what to change
 */
#ifndef SCANBENCH_COMMANDS_NEW_H
#define SCANBENCH_COMMANDS_NEW_H

#include "cli/options.h"

/* Returns the exit status: 0 or 2. */
int new_main(const options *o);

#endif
