/*
 * resume_samples.h - takes out of a file of --samples those whose configuration has no row
 */
#ifndef SCANBENCH_OUTPUT_RESUME_SAMPLES_H
#define SCANBENCH_OUTPUT_RESUME_SAMPLES_H

#include "output/resume.h"
#include "sweep/measurement.h"
#include "text/errmsg.h"
#include "text/hash_map.h"

/* A run_id and the key of a configuration without its seed, separated by tabs. */
enum { SAMPLES_KEY_BYTES = MEASUREMENT_KEY_BYTES + 96 };

/* Is what is there (nothing, or no regular file, is fine) a file of --samples in the form that a
 * run writes, so that its lines are known by their configurations, and are all runs in it of the
 * CSV that is resumed? before: the text of the CSV's metadata, or NULL, which names also a run that
 * was killed before its first row. Changes nothing. SCAN_OK; SCAN_INVALID, SCAN_ERROR,
 * SCAN_NO_MEMORY, `error` says why. */
scan_status resume_samples_check(const char *path, const resume *r, const char *before,
                                 errmsg *error);

/* Keeps the lines of these keys, and the header; a last line that was cut short goes too. Moves the
 * lock if the file is replaced by another. SCAN_OK;
 * SCAN_ERROR, SCAN_NO_MEMORY, `error` says why. */
scan_status resume_samples_keep(const char *path, const hash_map *keys, int *lock, errmsg *error);

#endif
