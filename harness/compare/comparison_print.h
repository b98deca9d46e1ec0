/*
 * comparison_print.h - a comparison for people, for an issue, for scripts
 */
#ifndef SCANBENCH_COMPARE_COMPARISON_PRINT_H
#define SCANBENCH_COMPARE_COMPARISON_PRINT_H

#include "compare/comparison.h"

#include <stdio.h>

/* SCAN_OK or SCAN_NO_MEMORY; whether the stream took it all is for the caller to ask. */
/* In lines of that many columns, 40 at least. */
scan_status comparison_print_table(const comparison *c, size_t columns, FILE *out);
scan_status comparison_print_markdown(const comparison *c, FILE *out);
scan_status comparison_print_json(const comparison *c, FILE *out);

#endif
