/*
 * samples_csv.h - the file of --samples: every sample, those of a group when it is measured
 */
#ifndef SCANBENCH_OUTPUT_SAMPLES_CSV_H
#define SCANBENCH_OUTPUT_SAMPLES_CSV_H

#include "output/csv_writer.h"
#include "output/output_files.h"
#include "sweep/group.h"

/* Opens the file of o->samples. As csv_prepare. */
scan_status samples_csv_open(const output_options *o, csv_writer **samples_p, errmsg *error);

/* Writes the samples of a group's rows in the order of its visits. SCAN_OK; SCAN_ERROR or
 * SCAN_NO_MEMORY, and csv_message says why. */
scan_status samples_csv_write(csv_writer *samples, const char *run_id, const group *g);

#endif
