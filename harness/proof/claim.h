/*
 * claim.h - what the files claims_*.c share
 */
#ifndef SCANBENCH_PROOF_CLAIM_H
#define SCANBENCH_PROOF_CLAIM_H

#include "proof/choice.h"
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
/* Runs the test with the first type and operator of a sort that are declared and asked for, and
 * that supports accepts. PROOF_SKIPPED if there are none or all are refused. */
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
/* The same at the nearest n that supports accepts, which becomes j->n, if it refuses j's. */
proof_verdict proof_do_near(proof *p, job *j, bool may_refuse);
/* Makes a verdict of PROOF_OK a skip, with the reason, if no n beyond this one was right. */
proof_verdict proof_reached(proof *p, proof_verdict verdict, uint64_t beyond, const char *what);
/* The same for a second tile of j's, unless the plugin is a ceiling; and for 2^16 elements, or as
 * many as the limit allows. */
proof_verdict proof_reached_tile(proof *p, proof_verdict verdict, const job *j);
proof_verdict proof_reached_large(proof *p, proof_verdict verdict);
/* Makes a verdict other than a failure a skip, with the reason, if the time was up before all was
 * tested. */
proof_verdict proof_in_time(proof *p, proof_verdict verdict);
/* The smallest value of a tunable that is at least `least`, or else the nearest one. */
int64_t proof_smallest(const tunable_info *t, int64_t least);
/* The index of the tunable that counts threads, or -1. */
int proof_threads_index(const plugin_info *plugin);
/* The index of the tunable that counts parts, of a plugin that knows of parts; else -1. */
int proof_parts_index(const plugin_info *plugin);
/* The numbers of parts to try, of such a plugin: those of --parts, else 1 to 8; what it takes. */
enum { PROOF_PARTS = 64 };
size_t proof_parts_counts(const proof *p, int64_t counts[PROOF_PARTS]);
/* Does the plugin tell its tile, by a tunable "block" or otherwise? */
bool proof_is_tuned(const proof *p);
/* The sizes for a claim that needs few: a few tiles and a tail, and a large one. A plugin that does
 * not tell its tile gets several, up to the limit. Slow sizes are left out. Returns their number,
 * at least 1. */
enum { PROOF_SPREAD = 5 };
size_t proof_spread(proof *p, const job *j, uint64_t sizes[PROOF_SPREAD]);
/* Runs the configuration in both kinds at each size that may fail. deep: also at a third level of
 * recursion and at primes. Leaves out what supports refuses; PROOF_SKIPPED if that is
 * everything. */
proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse);

/* Many sizes of one type: tails, numbers of tiles, multiples of tiles that are not told. */
proof_verdict proof_tails(proof *p);

/* The tests that claims.h names, some of them more than once, and that of --sizes. */
#define PROOF_TEST(name, text, scope, base, applies, test, ...) proof_verdict test(proof *p);
PROOF_CLAIM_MAP(PROOF_TEST)
#undef PROOF_TEST
proof_verdict proof_test_given(proof *p);

#endif
