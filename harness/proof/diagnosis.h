/*
 * diagnosis.h - which known mistake a failure looks like
 */
#ifndef SCANBENCH_PROOF_DIAGNOSIS_H
#define SCANBENCH_PROOF_DIAGNOSIS_H

#include "proof/proof.h"

/* One sentence, static: a guess from the fault and its fields. */
const char *proof_diagnose(const proof *p);

#endif
