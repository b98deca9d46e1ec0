/*
 * completion.h - completions of the command line for the shells, from the tables that
 * --help is printed from
 */
#ifndef SCANBENCH_CLI_COMPLETION_H
#define SCANBENCH_CLI_COMPLETION_H

#include <stdio.h>

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

#endif
