/*
 * claims_sizes.c - the claims about answers at many sizes and on many inputs
 */
#include "proof/claim.h"

#include "problem/splitmix.h"
#include "system/clock.h"

enum { MOST_SIZES = 256, MOST_REMAINDERS = 32 };

typedef struct size_set {
    uint64_t limit;
    size_t count;
    uint64_t n[MOST_SIZES];
} size_set;

static void add_size(size_set *s, uint64_t n)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->n[i] == n)
            return;
    if (n <= s->limit && s->count < MOST_SIZES)
        s->n[s->count++] = n;
}

static void add_edges(size_set *s, uint64_t n)
{
    add_size(s, n - 1);
    add_size(s, n);
    add_size(s, n + 1);
}

static size_set brief_sizes_for(const proof *p, const job *j)
{
    const uint64_t tile = proof_tile_of(p, j).elements;
    const uint64_t sizes[] = {1, 2, 3, 7, 33, tile + 1, 3 + 5 * tile, 4099, 65537};
    size_set s = {.limit = p->limit};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        add_size(&s, sizes[i]);
    return s;
}

/* The sizes to test for the tunables of a configuration. */
static size_set sizes_for(const proof *p, const job *j, bool deep)
{
    static const uint64_t odd[] = {7, 31, 33, 1000, 4099, 65537, 123123, 1000003};
    static const uint64_t hidden[] = {16411, 131101, 524309}; /* for tiles that are not told */
    const size_t hidden_count = deep ? 1 : 3;                 /* the odd ones do for the rest */

    if (p->brief)
        return brief_sizes_for(p, j);
    size_set s = {.limit = p->limit};
    const proof_tile t = proof_tile_of(p, j);
    const uint64_t tiles[] = {t.block, 2 * t.block, t.elements, 2 * t.elements};
    for (uint64_t n = 1; n < 4; n++)
        add_size(&s, n);
    for (size_t i = 0; i < 4; i++) {
        const uint64_t tile = tiles[i];
        if (tile < 2)
            continue;
        add_edges(&s, tile);
        add_edges(&s, 3 * tile);
        add_edges(&s, tile * tile);
        if (deep) {
            add_size(&s, tile * tile * tile + 1);
            add_size(&s, tile * tile + tile + 1);
        }
    }
    for (size_t i = 0; deep && i < sizeof odd / sizeof *odd; i++)
        add_size(&s, odd[i]);
    /* Every remainder of n by vt, behind a whole tile. */
    for (uint64_t r = 0; t.vt > 1 && r < t.vt && r < MOST_REMAINDERS; r++)
        add_size(&s, t.elements + r);
    for (size_t i = 0; !proof_is_tuned(p) && i < hidden_count; i++)
        add_size(&s, hidden[i]);
    if (deep && j->op == op_first_on(j->dtype))
        add_size(&s, p->limit);
    add_size(&s, 0); /* last, so that a plugin that fails at other sizes is reported at those */
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

bool proof_takes_turn(const proof *p, const job *j, uint32_t kind, size_t which)
{
    enum { LARGE = 1 << 17 };
    return p->brief || job_elements(j) <= LARGE ||
           kind == (which + j->dtype + j->op) % SCAN_KIND_COUNT || !proof_wants_kind(p, j, !kind);
}

static proof_verdict at_sizes(proof *p, job j, const size_set *sizes, bool may_refuse)
{
    const uint32_t first = j.kind;
    size_t refused = 0, done = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        /* Both kinds in turn have the same input, which is made once. */
        for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
            j.n = sizes->n[i];
            if (!proof_wants_kind(p, &j, kind) || (p->brief && kind != first) ||
                !proof_takes_turn(p, &j, kind, i))
                continue;
            j.kind = kind;
            const size_t before = p->jobs;
            proof_verdict verdict = proof_do_near(p, &j, may_refuse);
            done += j.n > 0 ? p->jobs - before : 0;
            if (verdict == PROOF_SKIPPED)
                refused++;
            if (verdict == PROOF_FAILED)
                look_further(p);
            if (proof_is_over(verdict))
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

/* Two sizes that the seed decides between a power of two and the next: one in each half, so that
 * no range of sizes as wide as three quarters of that is skipped. */
static void add_between(size_set *s, uint64_t power, uint64_t seed)
{
    for (uint64_t half = 0; half < 2; half++) {
        const uint64_t drawn = splitmix_hash(seed + (2 * power + half) * SPLITMIX_STEP);
        add_size(s, power + half * (power / 2) + drawn % (power / 2));
    }
}

/* Code that works on four, eight or sixteen elements at a time fails at some n below 70, whatever
 * the plugin's tiles are; buffers that grow by doubling fail around powers of two. */
enum { DENSE = 70 };

/* ---- many sizes of one type, of which each shows what others hide: tails, numbers of tiles, and
 * tiles that the plugin does not tell ------------------------------------------------------ */

/* The sizes of one test; where both kinds are wanted they take turns, but not so that all sizes of
 * one remainder would fall to one kind. */
typedef struct size_series {
    proof *p;
    job j;
    size_t done;
    double start_ns, most_s;
    proof_verdict verdict;
} size_series;

/* Begins with what became of the series before. */
static void series_begin(size_series *s, double most_s)
{
    s->done = 0;
    s->start_ns = clock_now_ns();
    s->most_s = most_s;
}

/* Sizes beyond the limit, those for which there is no time left, and those behind a failure are
 * left out. */
static void at_size(size_series *s, uint64_t n)
{
    if (s->verdict != PROOF_OK || n > s->p->limit ||
        (clock_now_ns() - s->start_ns) * 1e-9 > s->most_s)
        return;
    job j = s->j;
    j.n = n;
    j.kind = !s->j.kind;
    if (__builtin_parityll(s->done++) == 0 || !proof_wants_kind(s->p, &j, j.kind))
        j.kind = s->j.kind;
    const proof_verdict verdict = proof_do(s->p, &j, true);
    s->verdict = verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

/* Every tail of a tile behind a number of whole tiles that changes from tail to tail, then every
 * number of whole tiles; with a tile larger than that, only some tails. An algorithm that takes
 * several tiles at once, or several elements, goes wrong at one of these whatever its numbers are.
 */
static void tails(size_series *s, uint64_t tile)
{
    enum { TAILS = 256, MOST_TILES = 19, STEP = 5, WHOLE = 33 };
    const uint64_t count = proof_at_most(tile, TAILS);
    for (uint64_t i = 0; i < count; i++)
        at_size(s, (1 + i * STEP % MOST_TILES) * tile + i * tile / count);
    for (uint64_t i = 1; i <= WHOLE; i++)
        at_size(s, i * tile);
}

/* Numbers of tiles around the sizes of blocks, in which totals are scanned. */
static void numbers_of_tiles(size_series *s, uint64_t tile)
{
    enum { LEAST = 64, MOST = 2048 };
    for (uint64_t tiles = LEAST; tiles <= MOST; tiles *= 2)
        for (uint64_t i = 0; i < 3; i++)
            at_size(s, (tiles - 1 + i) * tile);
}

/* Of a plugin that hides its tile, in both kinds: one of these is a multiple of it if it is 3, 5,
 * 7, ... 25 or 27 times a power of two up to 512, or 100, 200, 300, 400, 500, 600, 800, 900, 1000
 * or 1200. */
static void hidden_tiles(size_series *s)
{
    static const uint64_t multiples[] = {60000, 64512, 223744, 322560, 345600, 1244672};
    for (size_t i = 0; i < 6 * sizeof multiples / sizeof *multiples; i++)
        at_size(s, multiples[i / 6] - 1 + i % 3);
}

/* Of such a plugin: every n that a warp or a small block may do in a way of its own, and every
 * remainder of a vector where threads share the work. */
static void hidden_vectors(size_series *s)
{
    enum { SMALL = 257, VECTOR = 16, LARGE = 66001 };
    for (uint64_t n = DENSE + 1; n <= SMALL; n++)
        at_size(s, n);
    for (uint64_t i = 0; i < VECTOR; i++)
        at_size(s, LARGE + i);
    for (uint64_t i = 0; i < VECTOR; i++)
        at_size(s, s->p->limit / 2 + i);
}

/* In a type for which others stand: small n, and every remainder of a vector behind two
 * tiles and where threads share the work. A vector holds more elements that have fewer bytes. */
static proof_verdict test_remainders_briefly(proof *p, job j)
{
    enum { SMALL = 40, BEYOND = 6, LEAST = 16, VECTOR_BYTES = 64, LARGE = 66001 };
    const uint64_t in_vector = VECTOR_BYTES / dtype_bytes(j.dtype);
    const uint64_t vector = in_vector > LEAST ? in_vector : LEAST;
    const size_t before = p->jobs;
    const uint64_t tile = proof_tile_of(p, &j).elements;
    size_series s = {.p = p, .j = j};
    series_begin(&s, 0.5);
    for (uint64_t n = 1; n <= SMALL || n <= vector + BEYOND; n++)
        at_size(&s, n);
    for (uint64_t i = 0; i < vector; i++)
        at_size(&s, 2 * tile + i);
    for (uint64_t i = 0; i < vector; i++)
        at_size(&s, LARGE + i);
    return s.verdict == PROOF_OK && p->jobs == before ? PROOF_SKIPPED : s.verdict;
}

proof_verdict proof_do_remainders(proof *p, job j)
{
    if (p->brief)
        return test_remainders_briefly(p, j);
    size_set sizes = {.limit = p->limit};
    for (uint64_t n = 0; n <= DENSE; n++)
        add_size(&sizes, n);
    for (uint64_t power = 64; power <= p->limit && power > 0; power *= 2) {
        add_edges(&sizes, power);
        add_between(&sizes, power, p->s->seed);
    }
    return proof_reached_tile(p, at_sizes(p, j, &sizes, false), &j);
}

/* The smallest plugins are done in a tenth of these seconds. */
static proof_verdict test_tails(proof *p, job j)
{
    const uint64_t tile = proof_tile_of(p, &j).elements;
    size_series s = {.p = p, .j = j};
    series_begin(&s, 2);
    tails(&s, tile);
    series_begin(&s, 1);
    if (proof_is_tuned(p)) {
        numbers_of_tiles(&s, tile);
        return s.verdict;
    }
    hidden_tiles(&s);
    series_begin(&s, 1);
    hidden_vectors(&s);
    return s.verdict;
}

proof_verdict proof_test_remainders(proof *p)
{
    const proof_verdict verdict =
        proof_then(p, proof_with_telling_types(p, proof_do_remainders, NULL), proof_with_each_pair,
                   proof_do_remainders, NULL);
    return verdict == PROOF_OK ? proof_with_type(p, PROOF_ANY_TYPE, test_tails, NULL) : verdict;
}

/* ---- the claims of one type and operator ------------------------------------------------- */

proof_verdict proof_test_sizes(proof *p)
{
    enum { LARGE = 1 << 16 };
    job j = proof_job(p, p->dtype, p->op, 0);
    j.run.pattern = proof_exact(p->dtype, p->op);
    const proof_verdict verdict = proof_at_sizes(p, j, true, false);
    return proof_reached(p, proof_reached_tile(p, verdict, &j), proof_at_most(LARGE, p->limit) - 1,
                         "large n");
}

/* A small block gives three levels of recursion at a small n. */
proof_verdict proof_test_levels(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    int block = tunable_info_index(p->session->plugin, "block");
    int vt = tunable_info_index(p->session->plugin, "vt");
    j.run.pattern = proof_exact(p->dtype, p->op);
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

proof_verdict proof_do_patterns(proof *p, job j, bool few)
{
    /* For operators that add, fall and climb are other words for exact. */
    static const uint32_t selecting[] = {INPUT_RANDOM,      INPUT_FALL,     INPUT_ONES,
                                         INPUT_ALTERNATING, INPUT_EXTREMES, INPUT_CLIMB};
    static const uint32_t adding[] = {INPUT_GROWING, INPUT_EXTREMES,    INPUT_RANDOM,
                                      INPUT_ONES,    INPUT_ALTERNATING, INPUT_EXACT};
    const uint32_t *patterns = op_selects(j.op) ? selecting : adding;
    enum { FEW_POSITIONS = 1, POSITIONS = 7 };
    const uint64_t n = j.n, tile = proof_tile_of(p, &j).elements;
    const uint64_t positions[POSITIONS] = {0, 1, tile - 1, tile, 2 * tile - 1, 2 * tile, n / 2};
    /* For operators that add, sizes has had random inputs. */
    const size_t few_patterns = op_selects(j.op) || dtype_is_integer(j.dtype) ? 2 : 0;
    const size_t count = few ? few_patterns : sizeof selecting / sizeof *selecting;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        j.run.pattern = patterns[i];
        verdict = proof_do_near(p, &j, false);
    }
    j.run.pattern = INPUT_IMPULSE;
    for (size_t i = 0; i < (few ? FEW_POSITIONS : POSITIONS + 1) && verdict == PROOF_OK; i++) {
        const uint64_t position = i < POSITIONS ? positions[i] : n ? n - 1 : 0;
        j.run.position = position < j.n ? position : 0;
        verdict = proof_do_near(p, &j, false);
    }
    const bool general = dtype_is_float(j.dtype) && !op_commutes(j.op);
    const uint32_t last[] = {op_selects(j.op) ? INPUT_CLOSE : INPUT_MARKS, INPUT_SUBNORMALS,
                             INPUT_NAN, INPUT_FACTORS};
    j.run.position = few ? 0 : tile + 1; /* behind the first element of a tile */
    for (size_t i = 0; i < (general ? 4 : dtype_is_float(j.dtype) ? 3 : 1); i++) {
        j.run.pattern = last[i];
        verdict = verdict == PROOF_OK ? proof_do_near(p, &j, false) : verdict;
    }
    return verdict;
}

/* All patterns at a few tiles, and some at large n, where an algorithm that carries only from the
 * tile before goes wrong whatever its tile is: at the largest with each operator on i32, and in
 * sums of wide floats. */
proof_verdict proof_test_patterns(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    uint64_t sizes[PROOF_SPREAD];
    const size_t all = proof_spread(p, &j, sizes);
    const bool far =
        j.dtype == SCAN_DTYPE_I32 || (op_rounds(j.op, j.dtype) && !dtype_is_half(j.dtype));
    const size_t count = all == PROOF_SPREAD && !far ? all - 1 : all;
    bool skipped = false;
    for (uint32_t i = 0; i < SCAN_KIND_COUNT * count; i++) {
        j.kind = (uint32_t)(i / count);
        j.n = sizes[i % count];
        if (!proof_wants_kind(p, &j, j.kind))
            continue;
        if (i % count > 1 && (i % count + 1 < count || (j.kind > 0 && proof_wants_kind(p, &j, 0))))
            continue; /* two large sizes are enough, and one kind at the largest */
        const proof_verdict verdict = proof_do_patterns(p, j, i % count > 0);
        if (proof_is_over(verdict))
            return verdict;
        skipped |= verdict == PROOF_SKIPPED;
    }
    if (skipped && p->jobs == 0)
        return PROOF_SKIPPED;
    return proof_reached_tile(p, PROOF_OK, &j);
}
