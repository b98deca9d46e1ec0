/*
 * validate.h - the verb validate: proves that plugins are right, as TAP and JSON
 */
#ifndef SCANBENCH_COMMANDS_VALIDATE_H
#define SCANBENCH_COMMANDS_VALIDATE_H

#include "cli/options.h"

/* The names of the claims, separated by spaces. Returns `text`. */
enum { VALIDATE_WORDS_BYTES = 512 };
const char *validate_claim_words(char *text, size_t size);

/* Returns the exit status: 0, 1 (a claim failed), 2, 3, or that of an interrupt. */
int validate_main(const options *o);

#endif
