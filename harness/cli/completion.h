/*
 * completion.h - prints completions for the shells, from the same tables as --help. What only the
 * program knows, such as the ids of plugins, the completions ask from it (`list --words`) when they
 * need it
 */
#ifndef SCANBENCH_CLI_COMPLETION_H
#define SCANBENCH_CLI_COMPLETION_H

#include "cli/option_table.h"

#include <stdio.h>

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

/* Shared by the three shells: */

/* How many seconds plugins have to describe themselves while a shell waits. */
#define COMPLETION_TIMEOUT "5"

/* Are the option's values names of files? */
bool completion_takes_file(const option_entry *entry);
bool completion_takes_list(const option_entry *entry);
bool completion_has_verb(const option_entry *entry, const verb_entry *v);
/* Writes the first part of a help text, which is enough beside an option, for use in single quotes.
 * A backslash precedes each character of `special`. */
void completion_put_short(const char *help, const char *special, FILE *out);

#endif
