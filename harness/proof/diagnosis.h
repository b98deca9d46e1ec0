/*
 * proof_traps.h - which known mistake a failure looks like
 */
#ifndef SCANBENCH_PROOF_DIAGNOSIS_H
#define SCANBENCH_PROOF_DIAGNOSIS_H

#include "proof/proof.h"

/* One sentence, static. A guess from where and how it failed: the traps are those of
 * docs/plugin-guide.md. */
const char *proof_trap(const proof *p);

#endif
