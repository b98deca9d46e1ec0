/*
 * man_page.h - prints scanbench(1) in mdoc; its commands, options and exit statuses come from the
 * same tables as --help
 */
#ifndef SCANBENCH_CLI_MAN_PAGE_H
#define SCANBENCH_CLI_MAN_PAGE_H

#include "cli/options.h"

#include <stdio.h>

void manual_print(const option_words *words, FILE *out);

#endif
