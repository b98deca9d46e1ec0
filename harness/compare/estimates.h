/*
 * estimates.h - in which ways the times of two rows are compared, and which of them hold although
 * the machine may have changed between the runs
 *
 * A row on a device has no calibrator of its own but the device's copy. What is known of the
 * machine takes its place: a run of less than 20 us is mostly the host's work, so its time in
 * spins counts as calibrated. A longer one, and what the device's clock measures, counts as
 * calibrated as it is if the GPU's measured clock was the same in both runs.
 */
#ifndef SCANBENCH_COMPARE_ESTIMATES_H
#define SCANBENCH_COMPARE_ESTIMATES_H

#include "results/result_file.h"

/* Two rows that belong together, both measured. */
void estimates_of_pair(const result_row *a, const result_row *b, verdict_run *first_p,
                       verdict_run *second_p);

/* Why the times of two rows on devices do not count as calibrated as they are; NULL if they do, or
 * if that is not known. */
const char *estimates_obstacle(const result_row *a, const result_row *b);

/* Whether a row has any estimate that could count as calibrated. */
bool estimates_are_calibrated(const result_row *row);

#endif
