/*
 * manual.h - scanbench(1) in mdoc, its commands, options and exit statuses from the
 * tables that --help is printed from
 */
#ifndef SCANBENCH_CLI_MAN_PAGE_H
#define SCANBENCH_CLI_MAN_PAGE_H

#include <stdio.h>

void manual_print(FILE *out);

#endif
