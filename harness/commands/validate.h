/*
 * validate.h - the verb validate: prove that plugins are right, as TAP
 */
#ifndef SCANBENCH_COMMANDS_VALIDATE_H
#define SCANBENCH_COMMANDS_VALIDATE_H

#include "cli/options.h"

/* The names of the claims, separated by spaces. */
extern const char validate_claim_words[];

/* The exit status: 0, 1 (a claim failed), 2 or 3. */
int validate_main(const options *o);

#endif
