/*
 * claim.h - what the files claims_*.c share
 */
#ifndef SCANBENCH_PROOF_CLAIM_H
#define SCANBENCH_PROOF_CLAIM_H

#include "proof/proof.h"

/* ---- which configurations --------------------------------------------------- */

/* A job that runs and compares once, with the plugin's default tunables. */
job proof_job(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind);
/* The pattern with the most bits that stays exact: integers wrap, floats must not. */
uint32_t proof_exact(uint32_t dtype, uint32_t op);
/* Is this kind declared for j's type and operator, and asked for? A ceiling declares none, which
 * counts as kind 0. */
bool proof_wants_kind(const proof *p, const job *j, uint32_t kind);

/* Of many large sizes each is tried in one kind, and the next one in the other. Is it this kind's
 * turn at j's size, which is the `which`-th? Where p->brief, there is but one kind. */
bool proof_takes_turn(const proof *p, const job *j, uint32_t kind, size_t which);

/* Part of a claim's test: one type and operator, in `j` with the default tunables, the first kind
 * that is wanted, and an exact pattern. */
typedef proof_verdict (*proof_subtest)(proof *p, job j);
/* Runs it with the first type and operator of a sort that are declared and asked for, and that
 * supports accepts. like: has the mode, n, buffers and repetitions of its jobs; NULL: the usual
 * ones. PROOF_SKIPPED if there are none or all are refused. */
proof_verdict proof_with_type(proof *p, proof_sort sort, proof_subtest test, const job *like);
/* Runs it with one type and operator of each sort; PROOF_SKIPPED if none is left. */
proof_verdict proof_with_telling_types(proof *p, proof_subtest test, const job *like);
/* Runs it briefly (p->brief), in kinds that take turns, with each operator on each type, or, where
 * that costs much, with each type once and each operator at least once. PROOF_SKIPPED if none is
 * accepted. */
typedef proof_verdict proof_selection(proof *p, proof_subtest test, const job *like);
proof_selection proof_with_each_pair, proof_with_each_type;
/* Runs it with others, unless the first verdict ends the claim; PROOF_SKIPPED if both are. */
proof_verdict proof_then(proof *p, proof_verdict first, proof_selection others, proof_subtest test,
                         const job *like);

/* The tile that follows from the tunables; a usual one if the plugin has no tunable block. */
typedef struct proof_tile {
    uint64_t block, vt;
    uint64_t elements; /* block * vt, at least 1 */
} proof_tile;
proof_tile proof_tile_of(const proof *p, const job *j);
/* Does the plugin tell its tile, by a tunable "block" or otherwise? */
bool proof_is_tuned(const proof *p);

/* The smallest value of a tunable that is at least `least`, or else the nearest one. */
int64_t proof_smallest(const tunable_info *t, int64_t least);
/* One of PROOF_SOME values: the ends of a tunable, of threads as many as have places, and one value
 * between that is no power of two, or the default where that is not allowed. */
enum { PROOF_SOME = 3 };
int64_t proof_some_value(const proof *p, const tunable_info *t, size_t which);
/* The index of the tunable that counts threads, or -1. */
int proof_threads_index(const plugin_info *plugin);
/* The index of the tunable that counts parts, of a plugin that knows of parts; else -1. */
int proof_parts_index(const plugin_info *plugin);
/* The numbers of parts to try, of such a plugin: those of --parts, else 1 to 8; what it takes. */
enum { PROOF_PARTS = 64 };
size_t proof_parts_counts(const proof *p, int64_t counts[PROOF_PARTS]);

/* The sizes for a claim that needs few: a few tiles and a tail, and a large one. A plugin that does
 * not tell its tile gets several, up to the limit, unless p->brief. Slow sizes are left out.
 * Returns their number, at least 1. */
enum { PROOF_SPREAD = 5 };
size_t proof_spread(proof *p, const job *j, uint64_t sizes[PROOF_SPREAD]);
/* The first of them. */
uint64_t proof_few(proof *p, const job *j);
uint64_t proof_at_most(uint64_t n, uint64_t most);

/* ---- running them ------------------------------------------------------------ */

/* Runs one configuration and notes a failure. may_refuse: "unsupported" is not a failure either. */
proof_verdict proof_do(proof *p, const job *j, bool may_refuse);
/* The same at the nearest n that supports accepts, which becomes j->n, if it refuses j's. */
proof_verdict proof_do_near(proof *p, job *j, bool may_refuse);
/* Runs the configuration in both kinds at each size that may fail. deep: also at a third level of
 * recursion and at primes. Leaves out what supports refuses; PROOF_SKIPPED if that is
 * everything. */
proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse);
/* Each size up to 70, where a vector reaches furthest. */
proof_verdict proof_do_small_sizes(proof *p, job j);
/* Each size up to 70, and each remainder behind larger ones. */
proof_verdict proof_do_remainders(proof *p, job j);
/* Runs the patterns with j's kind and size. few: only those that show a carry from far away. */
proof_verdict proof_do_patterns(proof *p, job j, bool few);
/* Runs j's elements as rows of one element each, as three long rows, and in columns, as far as the
 * plugin takes them. PROOF_OK without a run of one that takes neither. */
proof_verdict proof_many_scans(proof *p, job j, proof_subtest test);
/* Tries `count` shapes of rows, or of columns, that the seed draws, in j's type and operator and in
 * buffers that take turns. Each has up to some 2^most elements, every eighth more. */
proof_verdict proof_at_drawn_shapes(proof *p, job j, bool columns, size_t count, unsigned most);
/* Runs j with the values of each tunable but "accurate", a few of each. */
proof_verdict proof_at_other_settings(proof *p, const job *j);
/* Tests j in settings in which all tunables have other values at once: their first, last and third
 * ones (proof_some_value). PROOF_SKIPPED if all are refused. */
proof_verdict proof_at_joint_settings(proof *p, job j, proof_subtest test);
/* Do sizes from n on take long, time and again? */
bool proof_is_slow(const proof *p, uint64_t n);

/* ---- verdicts ---------------------------------------------------------------- */

/* Does it end the claim? */
bool proof_is_over(proof_verdict verdict);
/* Notes a fault that no configuration caused. Returns PROOF_FAILED. */
proof_verdict proof_fault(proof *p, const fault *f);
/* Makes a verdict of PROOF_OK a skip, with the reason, if no n beyond this one was right. */
proof_verdict proof_reached(proof *p, proof_verdict verdict, uint64_t beyond, const char *what);
/* The same for a second tile of j's, unless the plugin is a ceiling. */
proof_verdict proof_reached_tile(proof *p, proof_verdict verdict, const job *j);

/* Which shapes proof_test_rows tries: the detail of its claims. */
enum { PROOF_OF_ROWS, PROOF_OF_COLUMNS };

/* ---- the tests of the claims, which claims.c lists ---------------------------- */

proof_verdict proof_test_step(proof *p), proof_test_exports(proof *p), proof_test_quiet(proof *p),
    proof_test_load_time(proof *p), proof_test_available(proof *p), proof_test_sizes(proof *p),
    proof_test_levels(proof *p), proof_test_patterns(proof *p), proof_test_remainders(proof *p),
    proof_test_tunables(proof *p), proof_test_parts(proof *p), proof_test_repeat(proof *p),
    proof_test_misaligned(proof *p), proof_test_bounds(proof *p), proof_test_in_place(proof *p),
    proof_test_same_bits(proof *p), proof_test_behaviour(proof *p), proof_test_large(proof *p),
    proof_test_races(proof *p), proof_test_times(proof *p), proof_test_rows(proof *p),
    proof_test_accurate(proof *p), proof_test_results(proof *p), proof_test_given(proof *p);

/* ---- up to which n the claim large goes, by memory and by time; for its test --------- */

/* Just beyond powers of two: where 4 n overflows 31 and 32 bits, the offset of a byte, and where n
 * does, an index. */
enum { LARGE_STEPS = 4, LARGE_BEYOND = 12289, LARGE_WHY_BYTES = 256 };
uint64_t large_n_step(size_t i);

/* What a proof may take. 0 in `most`, `device_bytes` and `budget_s`: there is no such limit. */
typedef struct large_means {
    uint64_t most;                     /* n */
    uint64_t host_bytes, device_bytes; /* that may be used */
    unsigned host_arrays, device_arrays;
    uint32_t element_bytes;
    double s_per_element; /* of one configuration at a smaller n */
    double first_use_s;   /* of a byte of an array on the host that nobody has used */
    double budget_s;
} large_means;

/* The largest step within the means, 0 if there is none; and why the next one is not, "" if there
 * is none. */
uint64_t large_n_choose(const large_means *m, char why[LARGE_WHY_BYTES]);

/* The seconds that it may take unasked: more where 2^31 elements fit into memory, because less
 * shows fewer mistakes and is not worth the time. */
double large_n_budget_s(const large_means *m);

/* A size of many small tiles that takes at most `seconds`, from `least` on. */
uint64_t large_n_within(uint64_t n, uint64_t least, double s_per_element, double seconds);

/* ---- the diagnosis, which a test puts into another order ----------------------- */

/* A known mistake: this fault, with all facts of `needs` and none of `lacks`. Wrong elements are
 * FAULT_WRONG_ELEMENTS, written or not. No two mistakes fit one failure. */
typedef struct proof_mistake {
    fault_code code;
    uint64_t needs, lacks;
    const char *text;
} proof_mistake;

extern const proof_mistake proof_mistakes[];
extern const size_t proof_mistake_count;
/* The text of the one among `count` mistakes that fits the failure, or else what it usually is. */
const char *proof_diagnose_among(const proof *p, const proof_mistake *mistakes, size_t count);

#endif
