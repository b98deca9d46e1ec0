/*
 * summary_table.h - the table at the end of a run: one line for each plugin, type, operator, kind
 * and size, with the median of the fastest setting, its GB/s, its share of the measured copy and
 * its speedup
 */
#ifndef SCANBENCH_OUTPUT_SUMMARY_TABLE_H
#define SCANBENCH_OUTPUT_SUMMARY_TABLE_H

#include "output/result_csv.h"

#include <stdio.h>

typedef struct summary_table summary_table;

/* NULL if out of memory. Released with summary_table_free, which accepts NULL. */
summary_table *summary_table_new(void);
void summary_table_free(summary_table *t);

/* Adds a configuration; of those that differ only in tunables the fastest is shown. SCAN_OK
 * or SCAN_NO_MEMORY. */
scan_status summary_table_add(summary_table *t, const measurement *m, const phase_rates *rates);

/* color: bold headings and red failures. */
void summary_table_print(const summary_table *t, FILE *out, bool color);

#endif
