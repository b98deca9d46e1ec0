/*
 * resume_samples.h - takes out of a file of --samples those whose configuration has no row
 */
#ifndef SCANBENCH_OUTPUT_RESUME_SAMPLES_H
#define SCANBENCH_OUTPUT_RESUME_SAMPLES_H

#include "sweep/measurement.h"
#include "text/errmsg.h"
#include "text/hash_map.h"

/* A run_id and the key of a configuration without its seed, separated by tabs. */
enum { SAMPLES_KEY_BYTES = MEASUREMENT_KEY_BYTES + 96 };

/* Does the file of --samples have the form that a run writes, so that each line says which
 * configuration it belongs to? A missing or special file passes. Changes nothing. SCAN_OK;
 * SCAN_INVALID, SCAN_ERROR, SCAN_NO_MEMORY, `error` says why. */
scan_status resume_samples_check(const char *path, errmsg *error);

/* Keeps the lines of these keys, and the header; a last line that was cut short goes too. Moves the
 * lock if the file is replaced by another. SCAN_OK;
 * SCAN_ERROR, SCAN_NO_MEMORY, `error` says why. */
scan_status resume_samples_keep(const char *path, const hash_map *keys, int *lock, errmsg *error);

#endif
