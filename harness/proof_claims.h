/*
 * proof_claims.h - what the claims of a proof share, for the files that hold them
 */
#ifndef SCANBENCH_PROOF_CLAIMS_H
#define SCANBENCH_PROOF_CLAIMS_H

#include "proof.h"

/* A job of one check with the plugin's default tunables. */
job proof_job(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind);
/* The pattern with the most bits that stays exact: integers wrap, floats must not. */
uint32_t proof_exact(uint32_t dtype, uint32_t op);
/* The first type and operator that are declared. */
bool proof_first_op(const proof *p, uint32_t *dtype_p, uint32_t *op_p);
/* Is this kind to be tested? A ceiling has none, which counts as one. */
bool proof_wants_kind(const proof *p, uint32_t kind);
/* The job's value of a tunable, or `otherwise`. */
int64_t proof_tunable(const proof *p, const job *j, const char *name, int64_t otherwise);

/* Notes what broke a claim without a job, and why one is skipped; the verdict. */
proof_verdict proof_fault(proof *p, const char *status, const char *format, ...) SCAN_PRINTF(3, 4);
proof_verdict proof_skip(proof *p, const char *format, ...) SCAN_PRINTF(2, 3);

/* Does one job; notes what fails. may_refuse: unsupported is an answer too. */
proof_verdict proof_do(proof *p, const job *j, bool may_refuse);
/* The job at each size that may tell, both kinds. deep: with a third level of recursion,
 * and primes. What supports refuses of them is left out; PROOF_SKIPPED if that is all. */
proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse);

/* The claims, as proof_claim's test. */
proof_verdict claim_file(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_loads(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_entry(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_origin(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_contract(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_declares(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_exports(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_quiet(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_load_time(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_available(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_sizes(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_levels(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_patterns(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_tunables(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_repeat(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_in_place(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_misaligned(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_given(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_rebuild(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_instances(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_buffers(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_twice(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_manners(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_starved(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_heap(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_waits(proof *p, uint32_t dtype, uint32_t op);
proof_verdict claim_records(proof *p, uint32_t dtype, uint32_t op);

#endif
