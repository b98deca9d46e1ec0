/*
 * configuration_columns.h - the columns that say which configuration a row or a sample is of
 */
#ifndef SCANBENCH_OUTPUT_CONFIGURATION_COLUMNS_H
#define SCANBENCH_OUTPUT_CONFIGURATION_COLUMNS_H

#include "output/csv_writer.h"
#include "sweep/measurement.h"

/* Writes the columns kind to cache. */
void configuration_columns_put(csv_writer *out, const measurement *m);
/* The column kinds. */
void configuration_columns_put_kinds(csv_writer *out, const measurement *m);
/* The columns parts and layout. */
void configuration_columns_put_parts(csv_writer *out, const measurement *m);
/* The column in_place. */
void configuration_columns_put_in_place(csv_writer *out, const measurement *m);

#endif
