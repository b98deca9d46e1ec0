/*
 * tune.h - `scanbench tune`: the best setting of a plugin's tunables, by racing
 */
#ifndef SCANBENCH_COMMANDS_TUNE_H
#define SCANBENCH_COMMANDS_TUNE_H

#include "cli/options.h"

/* Returns the exit status. */
int tune_main(const options *o, char *const *argv);

#endif
