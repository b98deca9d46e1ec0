/*
 * claims_tails.c - many sizes of one type, of which each shows what others hide: tails, numbers of
 * tiles, and tiles that the plugin does not tell
 */
#include "proof/claim.h"

#include "system/clock.h"

/* The sizes of one test; the kinds take turns, where both are wanted. */
typedef struct turn_taker {
    proof *p;
    job j;
    size_t turn;
    double start_ns, most_s;
} turn_taker;

static turn_taker take_turns(proof *p, const job *j, double most_s)
{
    return (turn_taker){.p = p, .j = *j, .start_ns = clock_now_ns(), .most_s = most_s};
}

/* Sizes beyond the limit, and those for which there is no time left, are left out. */
static proof_verdict at_size(turn_taker *t, uint64_t n)
{
    if (n > t->p->limit || (clock_now_ns() - t->start_ns) * 1e-9 > t->most_s)
        return PROOF_OK;
    job j = t->j;
    j.n = n;
    j.kind = !t->j.kind;
    if (t->turn++ % 2 == 0 || !proof_wants_kind(t->p, &j, j.kind))
        j.kind = t->j.kind;
    const proof_verdict verdict = proof_do(t->p, &j, true);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

/* In both kinds. */
static proof_verdict at_edges(turn_taker *t, uint64_t n)
{
    proof_verdict verdict = PROOF_OK;
    for (uint64_t i = 0; i < 6 && verdict == PROOF_OK; i++)
        verdict = at_size(t, n - 1 + i % 3);
    return verdict;
}

/* Every tail of a tile behind a number of whole tiles that changes from tail to tail, then every
 * number of whole tiles; with a tile larger than that, only some tails. An algorithm that takes
 * several tiles at once, or several elements, goes wrong at one of these whatever its numbers are.
 */
static proof_verdict tails(turn_taker *t, uint64_t tile)
{
    enum { TAILS = 256, MOST_TILES = 19, STEP = 5, WHOLE = 33 };
    const uint64_t count = tile < TAILS ? tile : TAILS;
    proof_verdict verdict = PROOF_OK;
    /* cppcheck-suppress knownConditionTrueFalse ; it takes `count` for 0 */
    for (uint64_t i = 0; i < count && verdict == PROOF_OK; i++)
        verdict = at_size(t, (1 + i * STEP % MOST_TILES) * tile + i * tile / count);
    for (uint64_t i = 1; i <= WHOLE && verdict == PROOF_OK; i++)
        verdict = at_size(t, i * tile);
    return verdict;
}

/* Numbers of tiles around the sizes of blocks, in which totals are scanned. */
static proof_verdict numbers_of_tiles(turn_taker *t, uint64_t tile)
{
    enum { LEAST = 64, MOST = 2048 };
    proof_verdict verdict = PROOF_OK;
    for (uint64_t tiles = LEAST; tiles <= MOST; tiles *= 2)
        for (uint64_t i = 0; i < 3 && verdict == PROOF_OK; i++)
            verdict = at_size(t, (tiles - 1 + i) * tile);
    return verdict;
}

/* Of a plugin that does not tell its tile: one of these is a multiple of it, if it is a power of
 * two times 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25 or 27, or a round decimal number. */
static proof_verdict hidden_tiles(turn_taker *t)
{
    static const uint64_t multiples[] = {60000, 64512, 223744, 322560, 345600, 1244672};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples && verdict == PROOF_OK; i++)
        verdict = at_edges(t, multiples[i]);
    return verdict;
}

/* Of such a plugin: every n that a warp or a small block may do in a way of its own, and every
 * remainder of a vector where threads share the work. */
static proof_verdict hidden_vectors(turn_taker *t)
{
    enum { DENSE = 70, SMALL = 257, VECTOR = 16, LARGE = 66001 };
    proof_verdict verdict = PROOF_OK;
    for (uint64_t n = DENSE + 1; n <= SMALL && verdict == PROOF_OK; n++)
        verdict = at_size(t, n);
    for (uint64_t i = 0; i < VECTOR && verdict == PROOF_OK; i++)
        verdict = at_size(t, LARGE + i);
    for (uint64_t i = 0; i < VECTOR && verdict == PROOF_OK; i++)
        verdict = at_size(t, t->p->limit / 2 + i);
    return verdict;
}

static proof_verdict test_tails(proof *p, job j, const void *context)
{
    const uint64_t tile = proof_tile_of(p, &j).elements;
    turn_taker t = take_turns(p, &j, 2); /* the smallest plugins are done in a tenth of that */
    (void)context;
    proof_verdict verdict = tails(&t, tile);
    t = take_turns(p, &j, 1);
    if (verdict == PROOF_OK)
        verdict = proof_is_tuned(p) ? numbers_of_tiles(&t, tile) : hidden_tiles(&t);
    if (verdict == PROOF_OK && !proof_is_tuned(p))
        verdict = hidden_vectors(&t);
    return verdict;
}

proof_verdict proof_tails(proof *p)
{
    return proof_with_type(p, PROOF_ANY_TYPE, &(proof_subtest){test_tails, NULL});
}
