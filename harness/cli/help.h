/*
 * help.h - fills texts that are files, the manual and the scripts of the shells, with what the
 * tables of the options say
 */
#ifndef SCANBENCH_CLI_HELP_H
#define SCANBENCH_CLI_HELP_H

#include "cli/option_table.h"

#include <stdio.h>

typedef struct help_part {
    const char *name; /* "VERBS" is printed in the place of @VERBS@ */
    void (*put)(const option_words *words, FILE *out);
} help_part;

/* Writes the text with its parts, of which the last has no name. A mark that stands alone stands
 * for whole lines. */
void help_fill(const char *text, const help_part *parts, const option_words *words, FILE *out);

#endif
