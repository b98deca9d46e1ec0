/*
 * list.h - the verb list: prints the plugins, their devices, why some are unavailable, and the
 * machine
 */
#ifndef SCANBENCH_COMMANDS_LIST_H
#define SCANBENCH_COMMANDS_LIST_H

#include "cli/options.h"

/* Returns the exit status. */
int list_main(const options *o);

#endif
