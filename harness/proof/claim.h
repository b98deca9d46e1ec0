/*
 * claim.h - what the files claims_*.c share
 */
#ifndef SCANBENCH_PROOF_CLAIM_H
#define SCANBENCH_PROOF_CLAIM_H

#include "proof/claims.h"
#include "proof/proof.h"

/* A job that runs and compares once, with the plugin's default tunables. */
job proof_job(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind);
/* The pattern with the most bits that stays exact: integers wrap, floats must not. */
uint32_t proof_exact(uint32_t dtype, uint32_t op);
/* Part of a claim's test: one type and operator, in `j` with the default tunables, the
 * first kind that is wanted, and an exact pattern. */
typedef struct proof_subtest {
    proof_verdict (*run)(proof *p, job j, const void *context);
    const void *context;
} proof_subtest;
/* Types and operators that go wrong in ways of their own: up to 4 bytes, more, and an
 * operator that does not commute, as affine. */
typedef enum proof_sort { PROOF_ANY_TYPE, PROOF_NARROW, PROOF_WIDE, PROOF_ORDERED } proof_sort;
/* Runs the test with the first declared type and operator of a sort that supports accepts.
 * PROOF_SKIPPED if none is declared or all are refused. */
proof_verdict proof_with_type(proof *p, proof_sort sort, const proof_subtest *test);
/* Runs the test with one type and operator of each sort; PROOF_SKIPPED if none is left. */
proof_verdict proof_with_telling_types(proof *p, const proof_subtest *test);
/* Is this kind declared for j's type and operator, and asked for? A ceiling declares none, which
 * counts as kind 0. */
bool proof_wants_kind(const proof *p, const job *j, uint32_t kind);

/* The tile that follows from the tunables; a usual one if the plugin has no tunable block. */
typedef struct proof_tile {
    uint64_t block, vt;
    uint64_t elements; /* block * vt, at least 1 */
} proof_tile;
proof_tile proof_tile_of(const proof *p, const job *j);

/* Notes a fault that no configuration caused. Returns PROOF_FAILED. */
proof_verdict proof_fault(proof *p, const fault *f);
/* The same with the fault of a session that cannot be used. */
proof_verdict proof_session_fault(proof *p);
/* Notes why a claim is skipped. Returns PROOF_SKIPPED. */
proof_verdict proof_skip(proof *p, const char *format, ...) SCAN_PRINTF(2, 3);

/* Runs one configuration and notes a failure. may_refuse: "unsupported" is not a failure either. */
proof_verdict proof_do(proof *p, const job *j, bool may_refuse);
/* Runs the configuration in both kinds at each size that may fail. deep: also at a third level of
 * recursion and at primes. Leaves out what supports refuses; PROOF_SKIPPED if that is
 * everything. */
proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse);

/* The tests that claims.h names, some of them more than once, and that of --sizes. */
#define PROOF_TEST(name, text, scope, base, applies, test, ...) proof_verdict test(proof *p);
PROOF_CLAIM_MAP(PROOF_TEST)
#undef PROOF_TEST
proof_verdict proof_test_given(proof *p);

#endif
