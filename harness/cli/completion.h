/*
 * completion.h - completions of the command line for the shells, from the tables that
 * --help is printed from; what the program alone knows, as the ids of plugins, they ask it
 * (`list --words`) when they are needed
 */
#ifndef SCANBENCH_CLI_COMPLETION_H
#define SCANBENCH_CLI_COMPLETION_H

#include "cli/option_table.h"

#include <stdio.h>

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

/* For the three of them: */

/* The seconds that plugins have to describe themselves while a shell waits. */
#define COMPLETION_TIMEOUT "5"

/* Do its values name files? */
bool completion_takes_file(const option_entry *entry);
bool completion_takes_list(const option_entry *entry);
bool completion_has_verb(const option_entry *entry, const verb_entry *v);
/* The beginning of a help text, which is enough beside an option; each character of
 * `special` behind a backslash, the whole fit to stand in single quotes. */
void completion_put_short(const char *help, const char *special, FILE *out);

#endif
