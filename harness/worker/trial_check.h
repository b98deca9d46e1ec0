/*
 * trial_check.h - runs of a trial, and what they leave in its buffers compared with what is right
 *
 * Each of these returns false if it set a fault, but for trial_trespassed.
 */
#ifndef SCANBENCH_WORKER_TRIAL_CHECK_H
#define SCANBENCH_WORKER_TRIAL_CHECK_H

#include "worker/trial.h"

bool trial_run(trial *e);
/* Runs once into a poisoned output and compares it in full with the reference for `spec`, which the
 * input already holds. */
bool trial_compare(trial *e, const input_spec *spec);
/* The same without a run: of what the last one left. */
bool trial_compare_last(trial *e, const input_spec *spec);
/* Writes an input, unless the buffers hold it. */
bool trial_write_input(trial *e, const input_spec *spec);
/* Writes an input anew and compares `repeat` runs on it. */
bool trial_check(trial *e, uint32_t pattern, uint32_t repeat);

/* Looks at the guards of the buffers. */
bool trial_guards_intact(trial *e);
/* Notes a write outside scratch and an allocation in run; was there one? */
bool trial_trespassed(trial *e);

#endif
