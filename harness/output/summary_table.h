/*
 * summary_table.h - the table at the end of a run: one line for each plugin, type, operator, kind
 * and size, sorted by time within a size
 *
 * Of configurations that differ only in tunables the fastest is shown. The winner is the fastest
 * that is not a ceiling. Tied with it are those whose interval of the ratio of times, theirs over
 * the winner's round by round, holds 1; where both were not sampled in the same rounds, those whose
 * interval of the median overlaps the winner's. Lines fit `columns`, of which there are 40 at
 * least: what there is no room for is left out, speedups last.
 */
#ifndef SCANBENCH_OUTPUT_SUMMARY_TABLE_H
#define SCANBENCH_OUTPUT_SUMMARY_TABLE_H

#include "output/result_csv.h"

#include <stdio.h>

typedef struct summary_table summary_table;

/* in_rounds: the configurations of a size are sampled in the same rounds. NULL if out of memory.
 * Released with summary_table_free, which accepts NULL. */
summary_table *summary_table_new(bool in_rounds);
void summary_table_free(summary_table *t);

/* Adds a configuration and the rates of its run. SCAN_OK or SCAN_NO_MEMORY. */
scan_status summary_table_add(summary_table *t, const measurement *m, const phase_rates *rates);

/* color: bold headings and winners, red failures. */
void summary_table_print(const summary_table *t, FILE *out, size_t columns, bool color);

#endif
