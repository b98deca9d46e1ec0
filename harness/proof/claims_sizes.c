/*
 * claims_sizes.c - the claims about answers at many sizes and on many inputs
 */
#include "proof/claim.h"

#include "problem/splitmix.h"

#include <string.h>

enum { MOST_SIZES = 256, MOST_REMAINDERS = 32 };

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

/* The sizes to test for the tunables of a configuration. */
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
    for (uint64_t r = 0; t.vt > 1 && r < t.vt && r < MOST_REMAINDERS; r++)
        add_size(&s, t.elements + r, p->limit);
    /* Tiles that the plugin does not tell. */
    static const uint64_t hidden[] = {16411, 131101, 524309};
    const size_t some =
        deep ? 1 : sizeof hidden / sizeof *hidden; /* the odd ones do for the rest */
    for (size_t i = 0; !proof_is_tuned(p) && i < some; i++)
        add_size(&s, hidden[i], p->limit);
    if (deep && j->op == op_first_on(j->dtype))
        add_size(&s, p->limit, p->limit);
    add_size(&s, 0,
             p->limit); /* last, so that a plugin that fails at other sizes is reported at those */
    return s;
}

/* If the last element alone is wrong, tries a few tiles more: is it the end of the array, or the
 * first element of something that goes wrong? */
static void look_further(proof *p)
{
    const fault *f = &p->failure.fault;
    job j = p->failure.job;
    job_result r;
    if (!p->failure.has_job || !fault_has_element(f) || f->count != 1 || f->index + 1 != j.n)
        return;
    j.n += 3 * proof_tile_of(p, &j).elements + 1;
    if (j.n > p->limit || !session_run_job(p->session, &j, &(session_listener){0}, &r))
        return;
    p->failure.has_wider = r.status == ROW_OK || fault_has_element(&r.fault);
    p->failure.wider = r.fault;
}

static proof_verdict at_sizes(proof *p, job j, const size_set *sizes, bool may_refuse)
{
    size_t refused = 0, done = 0;
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
        if (!proof_wants_kind(p, &j, kind))
            continue;
        j.kind = kind;
        for (size_t i = 0; i < sizes->count; i++) {
            j.n = sizes->n[i];
            const size_t before = p->jobs;
            proof_verdict verdict = proof_do_near(p, &j, may_refuse);
            done += j.n > 0 ? p->jobs - before : 0;
            if (verdict == PROOF_SKIPPED)
                refused++;
            if (verdict == PROOF_FAILED)
                look_further(p);
            if (verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED)
                return verdict;
        }
    }
    return refused > 0 && done == 0 ? PROOF_SKIPPED : PROOF_OK; /* n = 0 alone proves nothing */
}

proof_verdict proof_at_sizes(proof *p, job j, bool deep, bool may_refuse)
{
    const size_set sizes = sizes_for(p, &j, deep);
    return at_sizes(p, j, &sizes, may_refuse);
}

/* Code that works on four, eight or sixteen elements at a time fails at some n below 70, whatever
 * the plugin's tiles are; buffers that grow by doubling fail around powers of two. */
static proof_verdict test_remainders(proof *p, job j, const void *sizes)
{
    return proof_reached_tile(p, at_sizes(p, j, sizes, false), &j);
}

/* Two sizes that the seed decides between a power of two and the next: one in each half, so that
 * no range of sizes as wide as three quarters of that is skipped. */
static void add_between(size_set *s, uint64_t power, const proof *p)
{
    for (uint64_t half = 0; half < 2; half++) {
        const uint64_t drawn = splitmix_hash(p->s->seed + (2 * power + half) * SPLITMIX_STEP);
        add_size(s, power + half * (power / 2) + drawn % (power / 2), p->limit);
    }
}

proof_verdict proof_test_remainders(proof *p)
{
    enum { DENSE = 70 };
    size_set sizes = {0};
    for (uint64_t n = 0; n <= DENSE; n++)
        add_size(&sizes, n, p->limit);
    for (uint64_t power = 64; power <= p->limit && power > 0; power *= 2) {
        add_edges(&sizes, power, p->limit);
        add_between(&sizes, power, p);
    }
    const proof_verdict verdict =
        proof_with_telling_types(p, &(proof_subtest){test_remainders, &sizes});
    return verdict == PROOF_OK ? proof_tails(p) : verdict;
}

proof_verdict proof_test_sizes(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    j.pattern = proof_exact(p->dtype, p->op);
    const proof_verdict verdict = proof_at_sizes(p, j, true, false);
    return proof_reached_large(p, proof_reached_tile(p, verdict, &j));
}

int64_t proof_smallest(const tunable_info *t, int64_t least)
{
    if (!t->values)
        return least < t->min ? t->min : least > t->max ? t->max : least;
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
    int block = tunable_info_index(p->session->plugin, "block");
    int vt = tunable_info_index(p->session->plugin, "vt");
    j.pattern = proof_exact(p->dtype, p->op);
    j.tunables[block] = proof_smallest(&p->session->plugin->tunables[block], 4);
    if (vt >= 0)
        j.tunables[vt] = proof_smallest(&p->session->plugin->tunables[vt], 1);
    const proof_verdict verdict = proof_at_sizes(p, j, true, true);
    if (verdict == PROOF_OK && p->jobs == 0)
        return PROOF_SKIPPED;                  /* every size was refused */
    const proof_tile t = proof_tile_of(p, &j); /* of a layout in parts says nothing of levels */
    const uint64_t tile = t.block * t.vt;
    return proof_reached(p, verdict, tile * tile, "third level of recursion");
}

/* Runs the patterns with j's kind and size. few: only those that show a carry from far away. */
static proof_verdict do_patterns(proof *p, job j, bool few)
{
    static const uint32_t patterns[] = {INPUT_RANDOM,      INPUT_FALL,     INPUT_ONES,
                                        INPUT_ALTERNATING, INPUT_EXTREMES, INPUT_CLIMB};
    enum { FEW_POSITIONS = 1, POSITIONS = 7 };
    const uint64_t n = j.n, tile = proof_tile_of(p, &j).elements;
    const uint64_t positions[POSITIONS] = {0, 1, tile - 1, tile, 2 * tile - 1, 2 * tile, n / 2};
    /* For operators that add, sizes has had random inputs and fall is another word for exact. */
    const size_t few_patterns = op_selects(j.op) ? 2 : 0;
    const size_t count = few ? few_patterns : sizeof patterns / sizeof *patterns;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.pattern = patterns[i];
        verdict = proof_do_near(p, &j, false);
    }
    j.pattern = INPUT_IMPULSE;
    for (size_t i = 0; i < (few ? FEW_POSITIONS : POSITIONS + 1) && verdict == PROOF_OK; i++) {
        const uint64_t position = i < POSITIONS ? positions[i] : n ? n - 1 : 0;
        j.position = position < j.n ? position : 0;
        verdict = proof_do_near(p, &j, false);
    }
    const uint32_t last[] = {op_selects(j.op) ? INPUT_CLOSE : INPUT_MARKS, INPUT_SUBNORMALS};
    j.position = 0;
    for (size_t i = 0; i < (dtype_is_float(j.dtype) ? 2 : 1) && verdict == PROOF_OK; i++) {
        j.pattern = last[i];
        verdict = proof_do_near(p, &j, false);
    }
    return verdict;
}

/* All patterns at a few tiles, and some at large n, where an algorithm that carries only from the
 * tile before goes wrong whatever its tile is. */
proof_verdict proof_test_patterns(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    uint64_t sizes[PROOF_SPREAD];
    const size_t count = proof_spread(p, &j, sizes);
    bool skipped = false;
    for (uint32_t i = 0; i < SCAN_KIND_COUNT * count; i++) {
        j.kind = (uint32_t)(i / count);
        j.n = sizes[i % count];
        if (!proof_wants_kind(p, &j, j.kind))
            continue;
        if (i % count > 1 && (i % count + 1 < count || (j.kind > 0 && proof_wants_kind(p, &j, 0))))
            continue; /* two large sizes are enough, and one kind at the largest */
        const proof_verdict verdict = do_patterns(p, j, i % count > 0);
        if (verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED)
            return verdict;
        skipped |= verdict == PROOF_SKIPPED;
    }
    if (skipped && p->jobs == 0)
        return PROOF_SKIPPED;
    return proof_reached_tile(p, PROOF_OK, &j);
}
