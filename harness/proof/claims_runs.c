/*
 * claims_runs.c - the claims about answers under special conditions, and about what a plugin does
 * besides its answers: buffers, repetitions, races, and the behaviours of job.h
 */
#include "proof/claim.h"

#include "problem/guard.h"
#include "system/clock.h"

#include <inttypes.h>
#include <string.h>

/* ---- other buffers, and more runs than one ------------------------------------- */

static proof_verdict test_sizes(proof *p, job j)
{
    return proof_reached_tile(p, proof_at_sizes(p, j, false, false), &j);
}

/* Does j also fail without the inaccessible page, on buffers that are aligned as poorly? Then it
 * needs alignment, which is another claim. */
static bool needs_alignment(proof *p, job j)
{
    enum { LINE = 64 };
    job_result r;
    const size_t shift = guarded_end_misalign((size_t)j.n * dtype_bytes(j.dtype)) % LINE;
    j.run.fence = FENCE_NONE;
    j.run.misalign = j.run.misalign_out = (uint32_t)shift;
    return session_run_job(p->session, &j, &(session_listener){0}, &r) && r.status != ROW_OK;
}

/* Inaccessible pages on one side of the buffers, then on the other, where n decides how they are
 * aligned. */
proof_verdict proof_test_bounds(proof *p)
{
    static const job fenced[] = {{.run.fence = FENCE_BEHIND, .run.repeat = 1},
                                 {.run.fence = FENCE_FRONT, .run.repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 2 && verdict == PROOF_OK; i++)
        verdict = proof_with_telling_types(p, test_sizes, &fenced[i]);
    if (verdict == PROOF_FAILED && p->failure.has_job && needs_alignment(p, p->failure.job))
        return proof_skip(p, "it needs aligned buffers, or is wrong without these pages too");
    return verdict;
}

proof_verdict proof_test_in_place(proof *p)
{
    return proof_with_telling_types(p, test_sizes, &(job){.run.in_place = 1, .run.repeat = 2});
}

/* Every place in a cache line for the input and for the output, and all pairs of places in 16
 * bytes. */
static proof_verdict test_places(proof *p, job j)
{
    enum { PLACES = 16, IN_VECTOR = 4 };
    const uint32_t element = (uint32_t)dtype_bytes(j.dtype);
    proof_verdict verdict = PROOF_OK;
    j.n = proof_few(p, &j);
    for (uint32_t i = 0; i < PLACES && verdict == PROOF_OK; i++) {
        j.run.misalign = i * element;
        j.run.misalign_out = (i / IN_VECTOR + IN_VECTOR * (i % IN_VECTOR)) * element;
        verdict = proof_do_near(p, &j, false);
    }
    return verdict;
}

proof_verdict proof_test_misaligned(proof *p)
{
    static const job alignments[] = {{.run.misalign = 1, .run.misalign_out = 1, .run.repeat = 1},
                                     {.run.misalign = 1, .run.repeat = 1},
                                     {.run.misalign_out = 1, .run.repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 3 && verdict == PROOF_OK; i++)
        verdict = proof_with_telling_types(p, test_sizes, &alignments[i]);
    return verdict == PROOF_OK ? proof_with_telling_types(p, test_places, NULL) : verdict;
}

/* Many runs on one instance, as many as take some seconds. */
static proof_verdict run_many(proof *p, job *j)
{
    enum { MANY = 300, FEW = 3 };
    const double most_ns = 3e9, start = clock_now_ns();
    j->run.repeat = FEW;
    const proof_verdict verdict = proof_do_near(p, j, false);
    const double each_ns = (clock_now_ns() - start) / FEW;
    j->run.repeat = each_ns * MANY < most_ns ? MANY : (uint32_t)(most_ns / each_ns) + 1;
    return verdict == PROOF_OK ? proof_do_near(p, j, false) : verdict;
}

/* At a small n and at a few tiles. */
static proof_verdict test_many(proof *p, job j)
{
    enum { SMALL = 7 };
    const uint64_t few = proof_few(p, &j);
    j.n = proof_at_most(SMALL, p->limit);
    const proof_verdict verdict = run_many(p, &j);
    j.n = few;
    return verdict == PROOF_OK ? run_many(p, &j) : verdict;
}

/* More runs than a counter of 16 bits can tell apart, as far as the time goes. */
static proof_verdict test_wraps(proof *p, job j)
{
    enum { RUNS = (1 << 16) + 64 };
    j.mode = JOB_BEHAVE;
    j.behave.behaviour = BEHAVE_WRAPS;
    j.run.repeat = RUNS;
    j.time_limit_s = 1.0;
    j.n = proof_few(p, &j);
    return proof_do_near(p, &j, false);
}

/* A few runs at each size, and many at a small one, which find counters that are too narrow and
 * tags that repeat. */
proof_verdict proof_test_repeat(proof *p)
{
    enum { FEW = 3 };
    proof_verdict verdict = proof_with_telling_types(p, test_sizes, &(job){.run.repeat = FEW});
    if (verdict == PROOF_OK)
        verdict = proof_with_type(p, PROOF_ANY_TYPE, test_many, NULL);
    return verdict == PROOF_OK ? proof_with_type(p, PROOF_ANY_TYPE, test_wraps, NULL) : verdict;
}

/* ---- behaviours ------------------------------------------------------------------- */

/* An algorithm may choose its method by n. The others cost much and depend little on n, or not on
 * its tiles. */
static bool depends_on_size(uint32_t behaviour)
{
    return behaviour == BEHAVE_BUFFERS || behaviour == BEHAVE_INSTANCES ||
           behaviour == BEHAVE_INPUT || behaviour == BEHAVE_HEAP || behaviour == BEHAVE_SAME_BITS ||
           behaviour == BEHAVE_WAITS;
}

/* At j's n, or if that is 0 at a few sizes. */
static proof_verdict do_behaviour(proof *p, job j)
{
    uint64_t sizes[PROOF_SPREAD] = {j.n};
    size_t count = j.n > 0 ? 1 : proof_spread(p, &j, sizes);
    count = count > 2 && !depends_on_size(j.behave.behaviour) ? 2 : count;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.n = sizes[i];
        verdict = proof_do_near(p, &j, false);
    }
    if (verdict == PROOF_SKIPPED && p->jobs > 0)
        verdict = PROOF_OK; /* a larger n was refused, or there is no memory for it */
    return proof_reached_tile(p, verdict, &j);
}

/* A job of the claim's behaviour. */
static job behaviour_of(const proof *p, uint64_t n)
{
    return (job){.mode = JOB_BEHAVE,
                 .behave.behaviour = (uint32_t)p->claim->detail,
                 .n = n,
                 .run.repeat = 1};
}

proof_verdict proof_test_behaviour(proof *p)
{
    const job like = behaviour_of(p, 0);
    return proof_with_type(p, PROOF_ANY_TYPE, do_behaviour, &like);
}

static proof_verdict on_random_values(proof *p, job j)
{
    j.run.pattern = INPUT_RANDOM;
    return do_behaviour(p, j);
}

/* Tests float sums if the plugin has them, because they show the order of additions. */
proof_verdict proof_test_same_bits(proof *p)
{
    enum { N = 100003 };
    const job like = behaviour_of(p, proof_is_tuned(p) ? proof_at_most(N, p->limit) : 0);
    p->refused = true;
    const proof_verdict verdict = proof_with_type(p, PROOF_ROUNDED, on_random_values, &like);
    return verdict == PROOF_SKIPPED && p->refused
               ? proof_with_type(p, PROOF_ANY_TYPE, do_behaviour, &like)
               : verdict;
}

/* On a device, n is large enough that unfinished work takes measurable time. */
proof_verdict proof_test_waits(proof *p)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    const bool shares_memory = p->session->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
    uint64_t n = (shares_memory ? 1 : TIMES) * p->limit;
    n = proof_at_most(n, plugin->max_n ? plugin->max_n : UINT64_MAX);
    if (proof_is_slow(p, n))
        n = p->reach->slow_n;
    const job like = behaviour_of(p, plugin->device_memory ? n : 0);
    return proof_with_type(p, PROOF_ANY_TYPE, do_behaviour, &like);
}

/* ---- races -------------------------------------------------------------------------- */

/* How many runs, and for how long at most, as a share of --claim-limit: a second. docs/proof.md
 * says what they find. */
enum { RUNS = 4000, LARGE_RUNS = 200 };
#define SHARE 0.05

static proof_verdict race(proof *p, job j, uint32_t runs)
{
    j.run.repeat = runs;
    return proof_do_near(p, &j, true);
}

/* With other numbers of threads, of which one is no power of two, where they are accepted. */
static proof_verdict race_with_threads(proof *p, job j)
{
    enum { MOST = 4 };
    const int at = proof_threads_index(p->session->plugin);
    proof_verdict verdict = PROOF_OK;
    for (int64_t count = 2; at >= 0 && count <= MOST && verdict == PROOF_OK; count++) {
        const tunable_info *t = &p->session->plugin->tunables[at];
        if (count == t->default_value || !tunable_info_allows(t, count) ||
            count > (int64_t)p->session->places)
            continue;
        j.tunables[at] = count;
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
static proof_verdict do_races(proof *p, job j)
{
    uint64_t sizes[PROOF_SPREAD];
    const size_t count = proof_spread(p, &j, sizes);
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
    const job like = behaviour_of(p, 0);
    return proof_with_type(p, PROOF_ANY_TYPE, do_races, &like);
}

/* ---- a configuration from the command line, to repeat a failure ----------------------- */

/* Tests the sizes of the command line with every combination of its --set options from the at-th
 * on. */
static proof_verdict test_given(proof *p, job *j, size_t at)
{
    proof_verdict verdict = PROOF_OK;
    if (at < p->s->set_count) {
        const range_list *values = &p->s->sets[at].values;
        int index = tunable_info_index(p->session->plugin, p->s->sets[at].name);
        for (size_t i = 0; i < (index < 0 ? 1 : values->count) && verdict == PROOF_OK; i++) {
            if (index >= 0)
                j->tunables[index] = values->values[i];
            if (index >= 0 &&
                !tunable_info_allows(&p->session->plugin->tunables[index], values->values[i]))
                return proof_skip(p, "%s=%" PRId64 " is not declared", p->s->sets[at].name,
                                  values->values[i]);
            verdict = test_given(p, j, at + 1);
        }
        return verdict;
    }
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        for (size_t i = 0; proof_wants_kind(p, j, kind) && i < p->s->sizes.count; i++) {
            j->kind = kind;
            j->n = (uint64_t)p->s->sizes.values[i];
            verdict = proof_do(p, j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
    return verdict;
}

proof_verdict proof_test_given(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    const char *given = p->s->pattern;
    j.run.pattern = proof_exact(p->dtype, p->op);
    if (given) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(given, ":"), given);
        int pattern = pattern_find(word);
        j.run.pattern = pattern < 0 ? j.run.pattern : (uint32_t)pattern;
        const char *colon = strchr(given, ':');
        if (colon)
            sscanf(colon + 1, "%" SCNu64, &j.run.position);
    }
    return test_given(p, &j, 0);
}
