/*
 * validate.h - the verb validate: proves that plugins are right, as TAP and JSON
 */
#ifndef SCANBENCH_COMMANDS_VALIDATE_H
#define SCANBENCH_COMMANDS_VALIDATE_H

#include "cli/options.h"

/* The names of the claims, separated by spaces. */
extern const char validate_claim_words[];

/* Returns the exit status: 0, 1 (a claim failed), 2, 3, or that of an interrupt. */
int validate_main(const options *o);

#endif
