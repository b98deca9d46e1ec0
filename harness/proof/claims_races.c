/*
 * claims_races.c - the claim that a plugin is right however its threads are scheduled
 */
#include "proof/claim.h"

/* How many runs, and for how long at most, as a share of --claim-limit: a second. docs/proof.md
 * says what they find. */
enum { RUNS = 4000, LARGE_RUNS = 200 };
#define SHARE 0.05

static proof_verdict race(proof *p, job j, uint32_t runs)
{
    j.repeat = runs;
    return proof_do_near(p, &j, true);
}

/* With other numbers of threads, of which one is no power of two, where they are accepted. */
static proof_verdict race_with_threads(proof *p, job j)
{
    static const int64_t counts[] = {2, 3, 4};
    const size_t count = sizeof counts / sizeof *counts;
    const int at = proof_threads_index(p->session->plugin);
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; at >= 0 && i < count && verdict == PROOF_OK; i++) {
        const tunable_info *t = &p->session->plugin->tunables[at];
        if (counts[i] == t->default_value || !tunable_info_allows(t, counts[i]) ||
            counts[i] > (int64_t)p->session->places)
            continue;
        j.tunables[at] = counts[i];
        verdict = race(p, j, LARGE_RUNS);
    }
    return verdict;
}

/* In two parts and in three, where each may have threads of its own. */
static proof_verdict race_in_parts(proof *p, job j)
{
    enum { MOST = 3 };
    const int at = proof_parts_index(p->session->plugin);
    int64_t counts[PROOF_PARTS];
    const size_t count = at < 0 ? 0 : proof_parts_counts(p, counts);
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.tunables[at] = counts[i];
        if (counts[i] > 1 && counts[i] <= MOST)
            verdict = race(p, j, LARGE_RUNS);
    }
    return verdict;
}

/* At a few tiles, where most runs fit into the time, and at a size that is shared among threads. */
static proof_verdict do_races(proof *p, job j, const void *context)
{
    uint64_t sizes[PROOF_SPREAD];
    const size_t count = proof_spread(p, &j, sizes);
    (void)context;
    j.mode = JOB_BEHAVE;
    j.behaviour = BEHAVE_RACES;
    j.time_limit_s = SHARE * p->o->claim_limit_s;
    j.n = sizes[0];
    proof_verdict verdict = race(p, j, RUNS);
    if (verdict == PROOF_OK && count > 1) {
        j.n = sizes[1];
        verdict = race(p, j, LARGE_RUNS);
    }
    if (verdict == PROOF_OK)
        verdict = race_with_threads(p, j);
    if (verdict == PROOF_OK)
        verdict = race_in_parts(p, j);
    if (verdict == PROOF_OK && p->jobs == 0)
        return PROOF_SKIPPED;
    return proof_reached_tile(p, verdict, &j);
}

proof_verdict proof_test_races(proof *p)
{
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){do_races, NULL});
}
