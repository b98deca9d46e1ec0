#include "proof.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_SIZES = 96 };

typedef struct size_set {
    uint64_t n[MOST_SIZES];
    size_t count;
} size_set;

static void add_size(size_set *s, uint64_t n, uint64_t limit)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->n[i] == n)
            return;
    if (n <= limit && s->count < MOST_SIZES)
        s->n[s->count++] = n;
}

static void add_edges(size_set *s, uint64_t n, uint64_t limit)
{
    add_size(s, n - 1, limit);
    add_size(s, n, limit);
    add_size(s, n + 1, limit);
}

static int64_t tunable_of(const proof *p, const job *j, const char *name, int64_t otherwise)
{
    int index = catalog_tunable_index(p->lane->plugin, name);
    return index < 0 ? otherwise : j->tunables[index];
}

/* Sizes for the tunables of a job. deep: third level of recursion, and primes. */
static size_set sizes_for(const proof *p, const job *j, bool deep)
{
    size_set s = {0};
    uint64_t block = (uint64_t)tunable_of(p, j, "block", 256);
    uint64_t vt = (uint64_t)tunable_of(p, j, "vt", 1);
    const uint64_t tiles[] = {block, 2 * block, block * vt, 2 * block * vt};
    for (uint64_t n = 0; n < 4; n++)
        add_size(&s, n, p->limit);
    for (size_t i = 0; i < 4; i++) {
        uint64_t tile = tiles[i];
        if (tile < 2)
            continue;
        add_edges(&s, tile, p->limit);
        add_edges(&s, 3 * tile, p->limit);
        add_edges(&s, tile * tile, p->limit);
        if (deep) {
            add_size(&s, tile * tile * tile + 1, p->limit);
            add_size(&s, tile * tile + tile + 1, p->limit);
        }
    }
    static const uint64_t odd[] = {7, 31, 33, 1000, 4099, 65537, 123123, 1000003};
    for (size_t i = 0; deep && i < sizeof odd / sizeof *odd; i++)
        add_size(&s, odd[i], p->limit);
    /* Every remainder of n by vt, behind a whole tile. */
    for (uint64_t r = 0; deep && vt > 1 && r < vt && r < 32; r++)
        add_size(&s, block * vt + r, p->limit);
    return s;
}

static job job_for(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind)
{
    const catalog_plugin *plugin = p->lane->plugin;
    job j = {.mode = JOB_CHECK,
             .dtype = dtype,
             .op = op,
             .kind = kind,
             .seed = p->o->seed,
             .pattern = INPUT_EXACT,
             .repeat = 1,
             .max_samples = 1,
             .min_samples = 1,
             .tunable_count = (uint32_t)plugin->tunable_count};
    for (uint32_t i = 0; i < j.tunable_count; i++)
        j.tunables[i] = plugin->tunables[i].default_value;
    return j;
}

/* Integers wrap, so all their bits may be used; floats must stay exact. */
static uint32_t exact_pattern(uint32_t dtype, uint32_t op)
{
    uint32_t usual = input_default(op, dtype);
    input_spec spec = {.dtype = dtype, .op = op, .pattern = usual};
    return input_is_exact(&spec) ? usual : INPUT_EXACT;
}

/* Does one job. `may_refuse`: unsupported is an answer too. */
static proof_verdict test(proof *p, const job *j, bool may_refuse)
{
    lane_result r;
    if (!lane_do(p->lane, j, NULL, NULL, NULL, &r))
        return PROOF_INTERRUPTED;
    p->jobs++;
    if (strcmp(r.status, "ok") == 0 && r.verified)
        return PROOF_OK;
    bool refused = strcmp(r.status, "unsupported") == 0 && *r.reason;
    if (refused && may_refuse)
        return PROOF_OK;
    if (strcmp(r.status, "skipped") == 0) /* no memory for it here */
        return PROOF_OK;
    p->failure.job = *j;
    p->failure.result = r;
    if (refused)
        return PROOF_REFUSED;
    return PROOF_FAILED;
}

/* The kinds to test: a ceiling has none, which counts as one. */
static bool wants_kind(const proof *p, uint32_t kind)
{
    if (p->lane->plugin->role == SCAN_ROLE_CEILING)
        return kind == 0;
    bool wanted = false;
    for (size_t i = 0; i < p->s->kind_count; i++)
        wanted |= p->s->kinds[i] == kind;
    return wanted && p->lane->plugin->kinds & SCAN_BIT(kind);
}

/* One job at each size, both kinds. */
static proof_verdict test_sizes(proof *p, job j, bool deep, bool may_refuse)
{
    size_set sizes = sizes_for(p, &j, deep);
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
        if (!wants_kind(p, kind))
            continue;
        j.kind = kind;
        for (size_t i = 0; i < sizes.count; i++) {
            j.n = sizes.n[i];
            proof_verdict verdict = test(p, &j, may_refuse);
            if (verdict != PROOF_OK)
                return verdict;
        }
    }
    return PROOF_OK;
}

static proof_verdict claim_sizes(proof *p, uint32_t dtype, uint32_t op)
{
    job j = job_for(p, dtype, op, 0);
    j.pattern = exact_pattern(dtype, op);
    return test_sizes(p, j, true, false);
}

/* The smallest value of a tunable from `least` on, or its default. */
static int64_t smallest(const catalog_tunable *t, int64_t least)
{
    if (!t->values)
        return t->min > least ? t->min : least;
    int64_t found = t->default_value;
    for (size_t i = 0; i < t->value_count; i++)
        if (t->values[i] >= least && t->values[i] < found)
            found = t->values[i];
    return found;
}

/* A small block gives three levels of recursion at a small n. */
static proof_verdict claim_levels(proof *p, uint32_t dtype, uint32_t op)
{
    job j = job_for(p, dtype, op, 0);
    int block = catalog_tunable_index(p->lane->plugin, "block");
    int vt = catalog_tunable_index(p->lane->plugin, "vt");
    j.pattern = exact_pattern(dtype, op);
    j.tunables[block] = smallest(&p->lane->plugin->tunables[block], 4);
    if (vt >= 0)
        j.tunables[vt] = smallest(&p->lane->plugin->tunables[vt], 1);
    return test_sizes(p, j, true, true);
}

static proof_verdict claim_patterns(proof *p, uint32_t dtype, uint32_t op)
{
    job j = job_for(p, dtype, op, 0);
    uint64_t tile =
        (uint64_t)tunable_of(p, &j, "block", 256) * (uint64_t)tunable_of(p, &j, "vt", 1);
    const uint64_t n = 5 * tile + 3 < p->limit ? 5 * tile + 3 : p->limit;
    static const uint32_t patterns[] = {INPUT_ONES, INPUT_ALTERNATING, INPUT_EXTREMES, INPUT_RANDOM,
                                        INPUT_CLIMB};
    const uint64_t positions[] = {0, 1, tile - 1, tile, 2 * tile - 1, 2 * tile, n ? n - 1 : 0};
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
        if (!wants_kind(p, kind))
            continue;
        j.kind = kind;
        j.n = n;
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            j.pattern = patterns[i];
            proof_verdict verdict = test(p, &j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
        j.pattern = INPUT_IMPULSE;
        for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
            j.position = positions[i] < n ? positions[i] : 0;
            proof_verdict verdict = test(p, &j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
    }
    return PROOF_OK;
}

/* Values of a tunable worth trying: all of a table, or those where things break. */
static size_t tunable_values(const catalog_tunable *t, int64_t *values, size_t capacity)
{
    static const int64_t telling[] = {0,  1,  2,  3,  4,  5,   7,   8,   9,   15,  16,   17,
                                      31, 32, 33, 64, 96, 100, 128, 256, 512, 768, 1000, 1024};
    size_t count = 0;
    for (size_t i = 0; t->values && i < t->value_count && count < capacity; i++)
        values[count++] = t->values[i];
    for (size_t i = 0; !t->values && i < sizeof telling / sizeof *telling; i++)
        if (telling[i] >= t->min && telling[i] <= t->max && count < capacity)
            values[count++] = telling[i];
    return count;
}

static bool first_op(const proof *p, uint32_t *dtype_p, uint32_t *op_p)
{
    const catalog_plugin *plugin = p->lane->plugin;
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            bool ceiling = plugin->role == SCAN_ROLE_CEILING;
            if (!(plugin->dtypes & SCAN_BIT(d)) || !op_takes_dtype(op, d) ||
                (!ceiling && !(plugin->ops & SCAN_BIT(op))))
                continue;
            *dtype_p = d;
            *op_p = op;
            return true;
        }
    return false;
}

/* One tunable through its values, the others at their defaults. What a setting cannot
 * do must be refused. */
static proof_verdict test_tunable(proof *p, size_t t, uint32_t dtype, uint32_t op)
{
    const catalog_tunable *tunable = &p->lane->plugin->tunables[t];
    int64_t values[64];
    size_t count = tunable_values(tunable, values, 64);
    for (size_t v = 0; v < count; v++) {
        job j = job_for(p, dtype, op, 0);
        j.pattern = exact_pattern(dtype, op);
        j.tunables[t] = values[v];
        bool threads = tunable->flags & SCAN_TUNABLE_THREADS;
        if (threads && values[v] > 2 * (int64_t)p->lane->places + 2)
            continue;
        proof_verdict verdict = test_sizes(p, j, false, true);
        if (verdict != PROOF_OK)
            return verdict;
    }
    return PROOF_OK;
}

/* All tunables, with the first type and op, and with the operator that shows swapped
 * operands if the plugin has it. */
static proof_verdict claim_tunables(proof *p, uint32_t dtype, uint32_t op)
{
    const catalog_plugin *plugin = p->lane->plugin;
    proof_verdict verdict = PROOF_OK;
    bool affine =
        plugin->ops & SCAN_BIT(SCAN_OP_AFFINE) && plugin->dtypes & SCAN_BIT(SCAN_DTYPE_U32X2);
    if (!first_op(p, &dtype, &op))
        return PROOF_OK;
    for (size_t t = 0; t < plugin->tunable_count && verdict == PROOF_OK; t++) {
        verdict = test_tunable(p, t, dtype, op);
        if (verdict == PROOF_OK && affine)
            verdict = test_tunable(p, t, SCAN_DTYPE_U32X2, SCAN_OP_AFFINE);
    }
    return verdict;
}

/* The sizes again with something changed about the buffers or the number of runs. */
static proof_verdict test_variant(proof *p, uint32_t in_place, uint32_t misalign, uint32_t repeat)
{
    uint32_t dtype, op;
    if (!first_op(p, &dtype, &op))
        return PROOF_OK;
    job j = job_for(p, dtype, op, 0);
    j.pattern = exact_pattern(dtype, op);
    j.in_place = in_place;
    j.misalign = misalign;
    j.repeat = repeat;
    return test_sizes(p, j, false, false);
}

static proof_verdict claim_repeat(proof *p, uint32_t dtype, uint32_t op)
{
    (void)dtype;
    (void)op;
    return test_variant(p, 0, 0, 3);
}

static proof_verdict claim_in_place(proof *p, uint32_t dtype, uint32_t op)
{
    (void)dtype;
    (void)op;
    return test_variant(p, 1, 0, 2);
}

static proof_verdict claim_misaligned(proof *p, uint32_t dtype, uint32_t op)
{
    (void)dtype;
    (void)op;
    return test_variant(p, 0, 4, 1);
}

/* The sizes of the command line with every combination of its --set from the at-th on. */
static proof_verdict test_given(proof *p, job *j, size_t at)
{
    proof_verdict verdict = PROOF_OK;
    if (at < p->s->set_count) {
        const range_list *values = &p->s->sets[at].values;
        int index = catalog_tunable_index(p->lane->plugin, p->s->sets[at].name);
        for (size_t i = 0; i < (index < 0 ? 1 : values->count) && verdict == PROOF_OK; i++) {
            if (index >= 0)
                j->tunables[index] = values->values[i];
            if (index >= 0 &&
                !catalog_tunable_allows(&p->lane->plugin->tunables[index], values->values[i])) {
                p->failure.job = *j;
                snprintf(p->failure.result.reason, sizeof p->failure.result.reason,
                         "%s=%" PRId64 " is not declared", p->s->sets[at].name, values->values[i]);
                return PROOF_REFUSED;
            }
            verdict = test_given(p, j, at + 1);
        }
        return verdict;
    }
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        for (size_t i = 0; wants_kind(p, kind) && i < p->s->sizes.count; i++) {
            j->kind = kind;
            j->n = (uint64_t)p->s->sizes.values[i];
            verdict = test(p, j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
    return verdict;
}

/* --sizes: exactly what the command line says, to repeat a failure. */
static proof_verdict claim_given(proof *p, uint32_t dtype, uint32_t op)
{
    job j = job_for(p, dtype, op, 0);
    const options *o = p->o;
    j.pattern = exact_pattern(dtype, op);
    if (o->pattern) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(o->pattern, ":"), o->pattern);
        int pattern = pattern_find(word);
        j.pattern = pattern < 0 ? j.pattern : (uint32_t)pattern;
        const char *colon = strchr(o->pattern, ':');
        if (colon)
            sscanf(colon + 1, "%" SCNu64, &j.position);
    }
    return test_given(p, &j, 0);
}

static bool is_scan(const catalog_plugin *p)
{
    return p->role != SCAN_ROLE_CEILING;
}

static bool is_tuned_scan(const catalog_plugin *p)
{
    return is_scan(p) && catalog_tunable_index(p, "block") >= 0;
}

static bool is_tuned(const catalog_plugin *p)
{
    return p->tunable_count > 0;
}

static bool is_in_place(const catalog_plugin *p)
{
    return p->flags & SCAN_FLAG_IN_PLACE;
}

static bool is_on_host(const catalog_plugin *p)
{
    return !p->device_memory;
}

const proof_claim proof_claims[] = {
    {"is right at tile edges, powers, primes and nothing", true, NULL, claim_sizes},
    {"is right through three levels of recursion", true, is_tuned_scan, claim_levels},
    {"is right on ones, impulses, extremes and signs", true, is_scan, claim_patterns},
    {"does or refuses every setting of its tunables", false, is_tuned, claim_tunables},
    {"answers again and again", false, NULL, claim_repeat},
    {"is right on misaligned buffers", false, is_on_host, claim_misaligned},
    {"is right in place", false, is_in_place, claim_in_place},
};
const size_t proof_claim_count = sizeof proof_claims / sizeof *proof_claims;

const proof_claim proof_given = {"is right as given", true, NULL, claim_given};
