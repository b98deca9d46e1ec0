/*
 * list.h - the verb list: plugins, their devices, why some are unavailable; the
 * machine
 */
#ifndef SCANBENCH_COMMANDS_LIST_H
#define SCANBENCH_COMMANDS_LIST_H

#include "cli/options.h"

/* The exit status. */
int list_main(const options *o);

#endif
