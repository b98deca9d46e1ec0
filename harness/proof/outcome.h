/*
 * outcome.h - the outcome of each claim, as TAP 13 and as JSON
 */
#ifndef SCANBENCH_PROOF_OUTCOME_H
#define SCANBENCH_PROOF_OUTCOME_H

#include "proof/proof.h"

#include <stdio.h>

/* One claim that was tested. */
typedef struct proof_outcome {
    size_t number; /* from 1 */
    const char *text;
    const proof *proof;
    proof_verdict verdict;
    double seconds;
} proof_outcome;

/* The counts of all outcomes. */
typedef struct proof_summary {
    size_t planned, passed, failed, skipped;
    bool interrupted;
} proof_summary;

/* Prints the failure on a few lines, for people who run prove and do not see the TAP. */
void proof_tap_diagnose(FILE *out, const proof_outcome *outcome);

void proof_tap_begin(FILE *out, size_t planned);
void proof_tap_outcome(FILE *out, const proof_outcome *outcome);
/* How far the proof of a plugin went. */
typedef struct proof_extent {
    const session *session;
    const proof_reach *reach;
    bool is_first;
} proof_extent;

void proof_tap_extent(FILE *out, const proof_extent *extent);
void proof_tap_end(FILE *out, const proof_summary *summary);

void proof_json_begin(FILE *out, uint64_t seed);
void proof_json_outcome(FILE *out, const proof_outcome *outcome);
/* Behind the last outcome. */
void proof_json_extent(FILE *out, const proof_extent *extent);
void proof_json_end(FILE *out, const proof_summary *summary);

#endif
