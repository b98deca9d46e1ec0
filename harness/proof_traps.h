/*
 * proof_traps.h - which known mistake a failure looks like
 */
#ifndef SCANBENCH_PROOF_TRAPS_H
#define SCANBENCH_PROOF_TRAPS_H

#include "proof.h"

/* One sentence, static. A guess from where and how it failed: the traps are those of
 * docs/plugin-guide.md. */
const char *proof_trap(const proof *p, const proof_claim *claim);
/* What usually breaks a claim that is not about answers, by its name. */
const char *proof_habit(const char *claim);

#endif
