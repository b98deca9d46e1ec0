/*
 * claims_runs.c - the claims about answers under special conditions, and about what a plugin does
 * besides its answers: buffers, repetitions, races, and the behaviours of job.h
 */
#include "proof/claim.h"

#include "problem/guard.h"
#include "problem/names.h"
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
    j.run.fence = FENCE_NONE;
    j.run.misalign = (uint32_t)(guarded_end_misalign((size_t)job_bytes(&j)) % LINE);
    j.run.misalign_out = (uint32_t)(guarded_end_misalign((size_t)job_out_bytes(&j)) % LINE);
    return session_run_job(p->session, &j, &(session_listener){0}, &r) && r.status != ROW_OK;
}

proof_verdict proof_do_small_sizes(proof *p, job j)
{
    enum { MOST = 70 };
    proof_verdict verdict = PROOF_OK;
    for (j.n = 1; j.n <= proof_at_most(MOST, p->limit) && verdict == PROOF_OK; j.n++)
        verdict = proof_do(p, &j, true);
    return verdict;
}

/* At many sizes with the types that tell most, then at a few with every operator on every type. */
static proof_verdict at_sizes_of_all(proof *p, const job *like)
{
    return proof_then(p, proof_with_telling_types(p, test_sizes, like), proof_with_each_pair,
                      test_sizes, like);
}

/* Inaccessible pages on one side of the buffers, then on the other, where n decides how they are
 * aligned. */
proof_verdict proof_test_bounds(proof *p)
{
    static const job fenced[] = {{.run.fence = FENCE_BEHIND, .run.repeat = 1},
                                 {.run.fence = FENCE_FRONT, .run.repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 2 && verdict == PROOF_OK; i++)
        verdict = at_sizes_of_all(p, &fenced[i]);
    for (size_t i = 0; i < 2 && verdict == PROOF_OK; i++)
        verdict = proof_with_telling_types(p, proof_do_small_sizes, &fenced[i]);
    if (verdict == PROOF_FAILED && p->failure.has_job && needs_alignment(p, p->failure.job))
        return proof_skip(p, "it needs aligned buffers, or is wrong without these pages too");
    return verdict;
}

proof_verdict proof_test_in_place(proof *p)
{
    return at_sizes_of_all(p, &(job){.run.in_place = 1, .run.repeat = 2});
}

/* Every pair of places of the input and the output in a cache line, at a few tiles and where both
 * lie in one line. */
static proof_verdict test_places(proof *p, job j)
{
    enum { SMALL = 7 };
    j.mode = JOB_BEHAVE;
    j.behave.behaviour = BEHAVE_PLACES;
    j.n = proof_few(p, &j);
    const proof_verdict verdict = proof_do_near(p, &j, false);
    j.n = proof_at_most(SMALL, p->limit);
    return verdict == PROOF_OK ? proof_do(p, &j, true) : verdict;
}

proof_verdict proof_test_misaligned(proof *p)
{
    static const job alignments[] = {{.run.misalign = 1, .run.misalign_out = 1, .run.repeat = 1},
                                     {.run.misalign = 1, .run.repeat = 1},
                                     {.run.misalign_out = 1, .run.repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 3 && verdict == PROOF_OK; i++)
        verdict = i == 0 ? at_sizes_of_all(p, &alignments[i])
                         : proof_with_telling_types(p, test_sizes, &alignments[i]);
    return verdict == PROOF_OK ? proof_with_each_pair(p, test_places, NULL) : verdict;
}

/* With the first type, then with the others. */
static proof_verdict with_all_types(proof *p, proof_subtest test, const job *like)
{
    return proof_then(p, proof_with_type(p, PROOF_ANY_TYPE, test, like), proof_with_each_type, test,
                      like);
}

/* Many runs on one instance, as many as take some seconds. */
static proof_verdict run_many(proof *p, job *j)
{
    enum { MANY = 300, FEW = 3 };
    const double most_ns = p->brief ? 2e8 : 3e9, start = clock_now_ns();
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

static proof_verdict at_few_tiles(proof *p, job j)
{
    j.n = proof_few(p, &j);
    return proof_do_near(p, &j, false);
}

/* More runs than a counter of 18 bits can tell apart, as far as the time goes: of the smallest
 * tiles, where they are taken. */
static proof_verdict test_wraps(proof *p, job j)
{
    enum { RUNS = (1 << 18) + 64 };
    const int block = tunable_info_index(p->session->plugin, "block");
    const int vt = tunable_info_index(p->session->plugin, "vt");
    job smallest = j;
    if (block >= 0)
        smallest.tunables[block] = proof_smallest(&p->session->plugin->tunables[block], 1);
    if (vt >= 0)
        smallest.tunables[vt] = proof_smallest(&p->session->plugin->tunables[vt], 1);
    smallest.mode = j.mode = JOB_BEHAVE;
    smallest.behave.behaviour = j.behave.behaviour = BEHAVE_WRAPS;
    smallest.run.repeat = j.run.repeat = RUNS;
    smallest.time_limit_s = j.time_limit_s = 1.0;
    const proof_verdict verdict = at_few_tiles(p, smallest);
    return verdict == PROOF_SKIPPED && p->refused ? at_few_tiles(p, j) : verdict;
}

/* A few runs at each size, and many at a small one, which find counters that are too narrow and
 * tags that repeat. */
proof_verdict proof_test_repeat(proof *p)
{
    enum { FEW = 3 };
    proof_verdict verdict = at_sizes_of_all(p, &(job){.run.repeat = FEW});
    if (verdict == PROOF_OK)
        verdict = with_all_types(p, test_many, NULL);
    return verdict == PROOF_OK ? proof_with_type(p, PROOF_ANY_TYPE, test_wraps, NULL) : verdict;
}

/* ---- behaviours ------------------------------------------------------------------- */

/* At how many sizes a behaviour is tried with the first type and with each other one, at least one;
 * whether there is time for every operator on every type, for a large n, and for other settings and
 * buffers. */
static const struct {
    size_t sizes, brief_sizes;
    bool all_pairs, large, ways;
} extents[BEHAVE_COUNT] = {[BEHAVE_SAME_BITS] = {PROOF_SPREAD, 2, true, false, false},
                           [BEHAVE_BUFFERS] = {PROOF_SPREAD, 2, true, true, false},
                           [BEHAVE_INSTANCES] = {PROOF_SPREAD, 1, false, false, false},
                           [BEHAVE_LEAKS] = {2, 1, false, true, true},
                           [BEHAVE_NO_MEMORY] = {2, 1, false, false, false},
                           [BEHAVE_INPUT] = {PROOF_SPREAD, 2, true, true, true},
                           [BEHAVE_HEAP] = {PROOF_SPREAD, 2, true, true, true},
                           [BEHAVE_WAITS] = {PROOF_SPREAD, 1, false, false, false},
                           [BEHAVE_PHASES] = {2, 1, false, false, false},
                           [BEHAVE_PROCESS] = {2, 1, false, false, true}};

/* The sizes of a behaviour: j's n, or if that is 0 a few. */
static size_t behaviour_sizes(proof *p, const job *j, uint64_t sizes[PROOF_SPREAD + 1])
{
    const uint32_t behaviour = j->behave.behaviour;
    const size_t listed = p->brief ? extents[behaviour].brief_sizes : extents[behaviour].sizes;
    const size_t most = listed > 0 ? listed : 1;
    const uint64_t large = p->limit / 4 + 1;
    sizes[0] = j->n;
    if (j->n > 0)
        return 1;
    size_t count = proof_spread(p, j, sizes);
    count = count > most ? most : count;
    if (!p->brief && extents[behaviour].large && large > sizes[count - 1] &&
        !proof_is_slow(p, large))
        sizes[count++] = large;
    return count;
}

/* The same elements as many scans at once, of which none has the size of another claim: in rows,
 * side by side, and both, as far as the plugin takes them, unless those are wrong anyway. */
static proof_verdict in_shapes(proof *p, job j)
{
    static const struct {
        uint32_t flags;
        uint64_t rows, inner;
    } shapes[] = {{SCAN_FLAG_ROWS, 13, 1},
                  {SCAN_FLAG_INNER, 1, 13},
                  {SCAN_FLAG_ROWS | SCAN_FLAG_INNER, 5, 7}};
    const uint32_t taken = p->session->plugin->flags;
    const uint64_t elements = j.n;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && verdict == PROOF_OK; i++) {
        if (p->reach->many_wrong)
            break;
        j.rows = shapes[i].rows;
        j.inner = shapes[i].inner;
        j.n = elements / (j.rows * j.inner) + 1;
        if ((shapes[i].flags & ~taken) == 0 && job_elements(&j) <= p->limit)
            verdict = proof_do(p, &j, true);
        verdict = verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
    }
    return verdict;
}

/* No other n is looked for, which takes long where a behaviour does. */
static proof_verdict do_once(proof *p, job j)
{
    return proof_do(p, &j, true);
}

/* What leaves something behind or allocates may be reached in other settings alone, in place, or in
 * misaligned buffers, unless answers there are wrong anyway; an allocation in one tunable's value.
 */
static proof_verdict in_other_ways(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    const uint32_t behaviour = j.behave.behaviour, element = (uint32_t)dtype_bytes(j.dtype);
    const bool allocates = behaviour == BEHAVE_HEAP;
    job in_place = j, misaligned = j;
    in_place.run.in_place = 1;
    misaligned.run.misalign = misaligned.run.misalign_out = element;
    proof_verdict verdict = proof_at_joint_settings(p, j, do_once);
    if (allocates && !proof_is_over(verdict))
        verdict = proof_at_other_settings(p, &j);
    if (allocates && !proof_is_over(verdict))
        verdict = do_once(p, misaligned);
    if ((allocates || behaviour == BEHAVE_LEAKS) && plugin->flags & SCAN_FLAG_IN_PLACE &&
        !proof_is_over(verdict))
        verdict = do_once(p, in_place);
    return proof_is_over(verdict) ? verdict : PROOF_OK;
}

static proof_verdict do_behaviour(proof *p, job j)
{
    enum { LOOKS = 3 };
    const size_t shaped = j.behave.behaviour == BEHAVE_LEAKS ? 1 : 2;
    uint64_t sizes[PROOF_SPREAD + 1];
    const size_t count = behaviour_sizes(p, &j, sizes);
    proof_verdict verdict = PROOF_OK;
    if (j.behave.behaviour == BEHAVE_WAITS && !p->brief)
        j.run.repeat = LOOKS;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.n = sizes[i];
        verdict = proof_do_near(p, &j, false);
        if (verdict == PROOF_OK && i < shaped && !p->brief)
            verdict = in_shapes(p, j);
        if (verdict == PROOF_OK && i == 0 && !p->brief && extents[j.behave.behaviour].ways &&
            !p->reach->some_wrong)
            verdict = in_other_ways(p, j);
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

/* With the first type at several sizes, and then with the others. */
static proof_verdict with_types(proof *p, const job *like)
{
    return proof_then(p, proof_with_type(p, PROOF_ANY_TYPE, do_behaviour, like),
                      extents[like->behave.behaviour].all_pairs ? proof_with_each_pair
                                                                : proof_with_each_type,
                      do_behaviour, like);
}

proof_verdict proof_test_behaviour(proof *p)
{
    const job like = behaviour_of(p, 0);
    return with_types(p, &like);
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
               ? with_types(p, &like)
               : proof_then(p, verdict, proof_with_each_pair, on_random_values, &like);
}

/* On a device, n is large enough that its work takes measurable time; where that is the host's, the
 * other types are smaller, because they take as long as on the host. */
proof_verdict proof_test_times(proof *p)
{
    enum { TIMES = 8 };
    const plugin_info *plugin = p->session->plugin;
    const bool shares_memory = p->session->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
    uint64_t n = (shares_memory ? 1 : TIMES) * p->limit;
    n = proof_at_most(n, plugin->max_n ? plugin->max_n : UINT64_MAX);
    if (proof_is_slow(p, n))
        n = p->reach->slow_n;
    const job first = behaviour_of(p, plugin->device_memory ? n : 0);
    const job other = behaviour_of(p, shares_memory ? first.n / TIMES : first.n);
    return proof_then(p, proof_with_type(p, PROOF_ANY_TYPE, do_behaviour, &first),
                      proof_with_each_type, do_behaviour, &other);
}

/* ---- races -------------------------------------------------------------------------- */

/* How many runs, and for how long at most, as a share of --claim-limit: a second. docs/proof.md
 * says what they find. */
enum { RUNS = 4000, RUNS_IN_PLACE = 1000, LARGE_RUNS = 200, BRIEF_RUNS = 50 };
#define SHARE 0.05
/* Of that with each of the other types. */
#define BRIEF 0.1

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

/* In one buffer, where that is declared. */
static proof_verdict race_in_place(proof *p, job j, uint32_t runs)
{
    j.run.in_place = 1;
    return (p->session->plugin->flags & SCAN_FLAG_IN_PLACE) ? race(p, j, runs) : PROOF_OK;
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
    j.time_limit_s = (p->brief ? BRIEF : 1) * SHARE * p->o->claim_limit_s;
    j.n = sizes[0];
    proof_verdict verdict = race(p, j, p->brief ? LARGE_RUNS : RUNS);
    if (verdict == PROOF_OK && !p->brief)
        verdict = race_in_place(p, j, RUNS_IN_PLACE);
    if (verdict == PROOF_OK && count > 1) {
        j.n = sizes[1];
        verdict = race(p, j, p->brief ? BRIEF_RUNS : LARGE_RUNS);
        if (verdict == PROOF_OK && !p->brief)
            verdict = race_in_place(p, j, LARGE_RUNS);
        j.run.repeat = proof_threads_index(p->session->plugin) < 0 ? BRIEF_RUNS : LARGE_RUNS;
        if (verdict == PROOF_OK && !p->brief)
            verdict = in_shapes(p, j);
    }
    if (verdict == PROOF_OK && !p->brief)
        verdict = race_with_threads(p, j);
    if (verdict == PROOF_OK && !p->brief)
        verdict = race_in_parts(p, j);
    if (verdict == PROOF_OK && p->jobs == 0)
        return PROOF_SKIPPED;
    return proof_reached_tile(p, verdict, &j);
}

proof_verdict proof_test_races(proof *p)
{
    const job like = behaviour_of(p, 0);
    return with_all_types(p, do_races, &like);
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
    const settings *s = p->s;
    const size_t shapes = s->sizes.count * s->rows.count * s->inner.count;
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        for (size_t i = 0; proof_wants_kind(p, j, kind) && i < shapes; i++) {
            j->kind = kind;
            j->n = (uint64_t)s->sizes.values[i / s->rows.count / s->inner.count];
            j->rows = (uint64_t)s->rows.values[i / s->inner.count % s->rows.count];
            j->inner = (uint64_t)s->inner.values[i % s->inner.count];
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
    j.result = p->result;
    uint32_t results[SETTINGS_RESULTS];
    if (settings_results(p->s, j.dtype, results) == 0)
        return proof_skip(p, "%s has none of the results asked for", dtype_name(j.dtype));
    if (!plugin_info_widens(p->session->plugin, j.dtype, j.result))
        return proof_skip(p, "results of type %s are not declared",
                          dtype_name(job_result_type(&j)));
    return test_given(p, &j, 0);
}
