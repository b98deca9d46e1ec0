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

#endif
