/*
 * table.h - the closing table for people: per plugin, type, op, kind and size the
 * fastest setting's median, GB/s, share of the measured copy and speedup
 */
#ifndef SCANBENCH_OUTPUT_SUMMARY_TABLE_H
#define SCANBENCH_OUTPUT_SUMMARY_TABLE_H

#include "output/result_csv.h"

#include <stdio.h>

typedef struct table table;

/* NULL without memory. Released with table_free, which takes NULL. */
table *table_new(void);
void table_free(table *t);

/* Takes note of a case; keeps the fastest of those that differ in tunables alone. */
void table_add(table *t, const measurement *c, const measurement_score *score);

/* color: bold heads and red failures. */
void table_print(const table *t, FILE *out, bool color);

#endif
