/*
 * diagnosis.h - guesses which known mistake caused a failure
 */
#ifndef SCANBENCH_PROOF_DIAGNOSIS_H
#define SCANBENCH_PROOF_DIAGNOSIS_H

#include "proof/proof.h"

/* A guess from the fault and its fields, as one sentence. Static text. */
const char *proof_diagnose(const proof *p);

#endif
