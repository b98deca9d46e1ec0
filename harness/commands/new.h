/*
 * new.h - the verb new: a folder with a plugin that is complete, and says what to change
 */
#ifndef SCANBENCH_COMMANDS_NEW_H
#define SCANBENCH_COMMANDS_NEW_H

#include "cli/options.h"

/* The exit status: 0 or 2. */
int new_main(const options *o);

#endif
