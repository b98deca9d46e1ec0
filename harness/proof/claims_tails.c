/*
 * claims_tails.c - many sizes of one type, of which each shows what others hide: tails, numbers of
 * tiles, and tiles that the plugin does not tell
 */
#include "proof/claim.h"

#include "system/clock.h"

/* The sizes of one test; the kinds take turns, where both are wanted. */
typedef struct size_series {
    proof *p;
    job j;
    size_t done;
    double start_ns, most_s;
} size_series;

static size_series series_begin(proof *p, const job *j, double most_s)
{
    return (size_series){.p = p, .j = *j, .start_ns = clock_now_ns(), .most_s = most_s};
}

/* Sizes beyond the limit, and those for which there is no time left, are left out. */
static proof_verdict at_size(size_series *s, uint64_t n)
{
    if (n > s->p->limit || (clock_now_ns() - s->start_ns) * 1e-9 > s->most_s)
        return PROOF_OK;
    job j = s->j;
    j.n = n;
    j.kind = !s->j.kind;
    if (s->done++ % 2 == 0 || !proof_wants_kind(s->p, &j, j.kind))
        j.kind = s->j.kind;
    const proof_verdict verdict = proof_do(s->p, &j, true);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

/* In both kinds. */
static proof_verdict at_edges(size_series *s, uint64_t n)
{
    proof_verdict verdict = PROOF_OK;
    for (uint64_t i = 0; i < 6 && verdict == PROOF_OK; i++)
        verdict = at_size(s, n - 1 + i % 3);
    return verdict;
}

/* Every tail of a tile behind a number of whole tiles that changes from tail to tail, then every
 * number of whole tiles; with a tile larger than that, only some tails. An algorithm that takes
 * several tiles at once, or several elements, goes wrong at one of these whatever its numbers are.
 */
static proof_verdict tails(size_series *s, uint64_t tile)
{
    enum { TAILS = 256, MOST_TILES = 19, STEP = 5, WHOLE = 33 };
    const uint64_t count = tile < TAILS ? tile : TAILS;
    proof_verdict verdict = PROOF_OK;
    /* cppcheck-suppress knownConditionTrueFalse ; it takes `count` for 0 */
    for (uint64_t i = 0; i < count && verdict == PROOF_OK; i++)
        verdict = at_size(s, (1 + i * STEP % MOST_TILES) * tile + i * tile / count);
    for (uint64_t i = 1; i <= WHOLE && verdict == PROOF_OK; i++)
        verdict = at_size(s, i * tile);
    return verdict;
}

/* Numbers of tiles around the sizes of blocks, in which totals are scanned. */
static proof_verdict numbers_of_tiles(size_series *s, uint64_t tile)
{
    enum { LEAST = 64, MOST = 2048 };
    proof_verdict verdict = PROOF_OK;
    for (uint64_t tiles = LEAST; tiles <= MOST; tiles *= 2)
        for (uint64_t i = 0; i < 3 && verdict == PROOF_OK; i++)
            verdict = at_size(s, (tiles - 1 + i) * tile);
    return verdict;
}

/* Of a plugin that hides its tile: one of these is a multiple of it if it is 3, 5, 7, ... 25 or 27
 * times a power of two up to 512, or 100, 200, 300, 400, 500, 600, 800, 900, 1000 or 1200. */
static proof_verdict hidden_tiles(size_series *s)
{
    static const uint64_t multiples[] = {60000, 64512, 223744, 322560, 345600, 1244672};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples && verdict == PROOF_OK; i++)
        verdict = at_edges(s, multiples[i]);
    return verdict;
}

/* Of such a plugin: every n that a warp or a small block may do in a way of its own, and every
 * remainder of a vector where threads share the work. */
static proof_verdict hidden_vectors(size_series *s)
{
    enum { DENSE = 70, SMALL = 257, VECTOR = 16, LARGE = 66001 };
    proof_verdict verdict = PROOF_OK;
    for (uint64_t n = DENSE + 1; n <= SMALL && verdict == PROOF_OK; n++)
        verdict = at_size(s, n);
    for (uint64_t i = 0; i < VECTOR && verdict == PROOF_OK; i++)
        verdict = at_size(s, LARGE + i);
    for (uint64_t i = 0; i < VECTOR && verdict == PROOF_OK; i++)
        verdict = at_size(s, s->p->limit / 2 + i);
    return verdict;
}

static proof_verdict test_tails(proof *p, job j, const void *context)
{
    const uint64_t tile = proof_tile_of(p, &j).elements;
    size_series s = series_begin(p, &j, 2); /* the smallest plugins are done in a tenth of that */
    (void)context;
    proof_verdict verdict = tails(&s, tile);
    s = series_begin(p, &j, 1);
    if (verdict == PROOF_OK)
        verdict = proof_is_tuned(p) ? numbers_of_tiles(&s, tile) : hidden_tiles(&s);
    s = series_begin(p, &j, 1);
    if (verdict == PROOF_OK && !proof_is_tuned(p))
        verdict = hidden_vectors(&s);
    return verdict;
}

proof_verdict proof_tails(proof *p)
{
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){test_tails, NULL});
}
