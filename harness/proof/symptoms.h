/*
 * symptoms.h - what is known about a failure, and tests of what its wrong elements look like
 */
#ifndef SCANBENCH_PROOF_SYMPTOMS_H
#define SCANBENCH_PROOF_SYMPTOMS_H

#include "proof/proof.h"

/* The facts from which the diagnosis guesses. */
typedef struct proof_evidence {
    const proof *p;
    const job *job;
    const fault *fault;
    uint64_t block, vt, tile;
    bool bad; /* there is a first wrong element */
    uint64_t first_bad;
    bool lone; /* a single element is wrong, and a larger n, if tried, has no more */
    bool unwritten;
} proof_evidence;

/* diagnosis.c calls these in its order; each may assume that those before are false. */
bool proof_looks_narrow(const proof_evidence *e);
bool proof_looks_exclusive(const proof_evidence *e);
bool proof_looks_inclusive(const proof_evidence *e);
bool proof_looks_identity(const proof_evidence *e);
bool proof_looks_unsigned_order(const proof_evidence *e);
bool proof_looks_half_written(const proof_evidence *e);
bool proof_looks_divided(const proof_evidence *e);
bool proof_looks_swapped(const proof_evidence *e);
bool proof_looks_marked(const proof_evidence *e);
bool proof_looks_coarse_order(const proof_evidence *e);
bool proof_looks_flushed(const proof_evidence *e);
bool proof_looks_saturated(const proof_evidence *e);
bool proof_looks_finite(const proof_evidence *e);
bool proof_looks_in_place(const proof_evidence *e);
bool proof_looks_repeated(const proof_evidence *e);
bool proof_looks_no_power_of_two(const proof_evidence *e);
bool proof_looks_baked(const proof_evidence *e);
bool proof_looks_neighbours(const proof_evidence *e);
bool proof_looks_repeated_unwritten(const proof_evidence *e);
bool proof_looks_whole(const proof_evidence *e);
bool proof_looks_tail(const proof_evidence *e);
bool proof_looks_nothing_written(const proof_evidence *e);
bool proof_looks_unwritten(const proof_evidence *e);
bool proof_looks_overwritten(const proof_evidence *e);
bool proof_looks_last_alone(const proof_evidence *e);
bool proof_looks_empty_tail(const proof_evidence *e);
bool proof_looks_spine(const proof_evidence *e);
bool proof_looks_carry_of_first(const proof_evidence *e);
bool proof_looks_carry_of_later(const proof_evidence *e);
bool proof_looks_behind_tile(const proof_evidence *e);
bool proof_looks_rounded(const proof_evidence *e);
bool proof_looks_fresh_scratch(const proof_evidence *e);

#endif
