/*
 * circumstance_columns.h - the columns and flags that say what the machine did meanwhile
 */
#ifndef SCANBENCH_OUTPUT_CIRCUMSTANCE_COLUMNS_H
#define SCANBENCH_OUTPUT_CIRCUMSTANCE_COLUMNS_H

#include "output/csv_writer.h"
#include "sweep/measurement.h"

enum { CIRCUMSTANCE_FLAGS_BYTES = 64 };

/* Writes the columns cpu_mhz to gpu_processes, empty without a phase (NULL). */
void circumstance_columns_put(csv_writer *out, const measurement *m, const measurement_phase *p);

/* The flags of a row, separated by ';'. */
const char *circumstance_flags(const measurement *m, const measurement_phase *p,
                               char text[CIRCUMSTANCE_FLAGS_BYTES]);

/* The measured clock of the device; 0 if unknown. */
double circumstance_clock_mhz(const measurement *m);

#endif
