/*
 * new.h - the verb new: a folder with a plugin that is complete, and says what to change
 */
#ifndef SCANBENCH_NEW_H
#define SCANBENCH_NEW_H

#include "options.h"

/* The exit status: 0 or 2. */
int new_main(const options *o);

#endif
