/*
 * proof_sizes.c - the claims about answers at many sizes, inputs and settings
 */
#include "proof_claims.h"

#include <string.h>

enum { MOST_SIZES = 96, MOST_REMAINDERS = 32, MOST_VALUES = 64 };

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

/* Sizes for the tunables of a job. */
static size_set sizes_for(const proof *p, const job *j, bool deep)
{
    size_set s = {0};
    const proof_tile t = proof_tile_of(p, j);
    const uint64_t tiles[] = {t.block, 2 * t.block, t.elements, 2 * t.elements};
    for (uint64_t n = 1; n < 4; n++)
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
    for (uint64_t r = 0; deep && t.vt > 1 && r < t.vt && r < MOST_REMAINDERS; r++)
        add_size(&s, t.elements + r, p->limit);
    add_size(&s, 0, p->limit); /* last, so that what fails here fails here alone */
    return s;
}

proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse)
{
    size_set sizes = sizes_for(p, &j, deep);
    size_t refused = 0, jobs = 0;
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
        if (!proof_wants_kind(p, kind))
            continue;
        j.kind = kind;
        for (size_t i = 0; i < sizes.count; i++) {
            j.n = sizes.n[i];
            proof_verdict verdict = proof_do(p, &j, may_refuse);
            jobs++;
            if (verdict == PROOF_SKIPPED)
                refused++;
            else if (verdict != PROOF_OK)
                return verdict;
        }
    }
    return jobs > 0 && refused == jobs ? PROOF_SKIPPED : PROOF_OK;
}

proof_verdict proof_test_sizes(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    j.pattern = proof_exact(p->dtype, p->op);
    return proof_at_sizes(p, j, true, false);
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
proof_verdict proof_test_levels(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    int block = catalog_tunable_index(p->lane->plugin, "block");
    int vt = catalog_tunable_index(p->lane->plugin, "vt");
    j.pattern = proof_exact(p->dtype, p->op);
    j.tunables[block] = smallest(&p->lane->plugin->tunables[block], 4);
    if (vt >= 0)
        j.tunables[vt] = smallest(&p->lane->plugin->tunables[vt], 1);
    return proof_at_sizes(p, j, true, true);
}

proof_verdict proof_test_patterns(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    const uint64_t tile = proof_tile_of(p, &j).elements;
    const uint64_t n = 5 * tile + 3 < p->limit ? 5 * tile + 3 : p->limit;
    static const uint32_t patterns[] = {INPUT_ONES, INPUT_ALTERNATING, INPUT_EXTREMES, INPUT_RANDOM,
                                        INPUT_CLIMB};
    const uint64_t positions[] = {0, 1, tile - 1, tile, 2 * tile - 1, 2 * tile, n ? n - 1 : 0};
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
        if (!proof_wants_kind(p, kind))
            continue;
        j.kind = kind;
        j.n = n;
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            j.pattern = patterns[i];
            proof_verdict verdict = proof_do(p, &j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
        j.pattern = INPUT_IMPULSE;
        for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
            j.position = positions[i] < n ? positions[i] : 0;
            proof_verdict verdict = proof_do(p, &j, false);
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

/* One tunable through its values, the others at their defaults. What a setting cannot
 * do must be refused. */
static proof_verdict test_tunable(proof *p, size_t t, uint32_t dtype, uint32_t op)
{
    const catalog_tunable *tunable = &p->lane->plugin->tunables[t];
    int64_t values[MOST_VALUES];
    size_t count = tunable_values(tunable, values, MOST_VALUES);
    for (size_t v = 0; v < count; v++) {
        job j = proof_job(p, dtype, op, 0);
        j.pattern = proof_exact(dtype, op);
        j.tunables[t] = values[v];
        bool threads = tunable->flags & SCAN_TUNABLE_THREADS;
        if (threads && values[v] > 2 * (int64_t)p->lane->places + 2)
            continue;
        proof_verdict verdict = proof_at_sizes(p, j, false, true);
        if (verdict != PROOF_OK)
            return verdict;
    }
    return PROOF_OK;
}

/* All tunables, with the first type and op, and with the operator that shows swapped
 * operands if the plugin has it. */
proof_verdict proof_test_tunables(proof *p)
{
    const catalog_plugin *plugin = p->lane->plugin;
    uint32_t dtype, op;
    proof_verdict verdict = PROOF_OK;
    bool affine =
        plugin->ops & SCAN_BIT(SCAN_OP_AFFINE) && plugin->dtypes & SCAN_BIT(SCAN_DTYPE_U32X2);
    if (!proof_first_op(p, &dtype, &op))
        return PROOF_OK;
    for (size_t t = 0; t < plugin->tunable_count && verdict == PROOF_OK; t++) {
        verdict = test_tunable(p, t, dtype, op);
        if (verdict == PROOF_OK && affine)
            verdict = test_tunable(p, t, SCAN_DTYPE_U32X2, SCAN_OP_AFFINE);
    }
    return verdict;
}
