/*
 * summary_table.h - the table at the end of a run: one line for each plugin, type, operator, kind
 * and size, sorted by time within a size
 *
 * Of configurations that differ only in tunables the fastest is shown. The winner is the fastest
 * that is not a ceiling. stats_rounds_order says how the others relate to it, by the ratio of times
 * round by round: tied, or not known where both were not measured in the same rounds, or in too
 * few. Lines fit `columns`, of which there are 40 at least: what there is no room for is left out,
 * speedups last.
 */
#ifndef SCANBENCH_OUTPUT_SUMMARY_TABLE_H
#define SCANBENCH_OUTPUT_SUMMARY_TABLE_H

#include "output/row.h"

#include <stdio.h>

typedef struct summary_table summary_table;

/* NULL if out of memory. Released with summary_table_free, which accepts NULL. */
summary_table *summary_table_new(void);
void summary_table_free(summary_table *t);

/* Adds the row of the run of a configuration, or of its failure. SCAN_OK or SCAN_NO_MEMORY. */
scan_status summary_table_add(summary_table *t, const measured_row *r);

/* color: bold headings and winners, red failures. */
void summary_table_print(const summary_table *t, FILE *out, size_t columns, bool color);

#endif
