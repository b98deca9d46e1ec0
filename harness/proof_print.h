/*
 * proof_print.h - what broke a claim, as the YAML block behind its line of TAP
 */
#ifndef SCANBENCH_PROOF_PRINT_H
#define SCANBENCH_PROOF_PRINT_H

#include "proof.h"

/* One field, quoted. */
void proof_print_text(const char *key, const char *value);
/* The job that failed, what it found, and the command that does it again. */
void proof_print_failure(const proof *p, const proof_claim *claim);

#endif
