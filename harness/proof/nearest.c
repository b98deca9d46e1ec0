/*
 * nearest.c - goes to the nearest accepted size where supports refuses one
 */
#include "proof/claim.h"

/* After this many sizes without an accepted one nearby, only the last known unit is tried. */
enum { HOPELESS = 2 };

/* Probes a size that the claim did not ask for: that it is refused is no news. Did it pass?
 * *verdict_p: PROOF_FAILED and PROOF_INTERRUPTED end the search. */
static bool probe(proof *p, job *j, uint64_t n, proof_verdict *verdict_p)
{
    const size_t before = p->jobs;
    job there = *j;
    there.n = n;
    p->probing = true;
    const proof_verdict verdict = proof_do(p, &there, true);
    p->probing = false;
    if (verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED)
        *verdict_p = verdict;
    if (p->jobs == before)
        return false;
    *verdict_p = PROOF_OK;
    j->n = n;
    return true;
}

static bool is_over(proof_verdict verdict)
{
    return verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED;
}

/* Tries the multiple of `unit` next above n, or below it at the limit. */
static bool try_unit(proof *p, job *j, uint64_t unit, proof_verdict *verdict_p)
{
    if (unit < 2 || j->n == 0)
        return false;
    uint64_t n = (j->n + unit - 1) / unit * unit;
    if (n > p->limit)
        n = p->limit / unit * unit;
    if (n == 0 || n == j->n || !probe(p, j, n, verdict_p))
        return false;
    p->reach->unit = unit;
    return true;
}

static bool try_units(proof *p, job *j, proof_verdict *verdict_p)
{
    enum { MOST_UNIT = 1 << 16 };
    const proof_tile tile = proof_tile_of(p, j);
    const uint64_t likely[] = {p->reach->unit, tile.elements, tile.block};
    for (size_t i = 0; i < sizeof likely / sizeof *likely && !is_over(*verdict_p); i++)
        if (try_unit(p, j, likely[i], verdict_p))
            return true;
    for (uint64_t unit = 2; unit <= MOST_UNIT && p->hopeless < HOPELESS && !is_over(*verdict_p);
         unit *= 2)
        if (try_unit(p, j, unit, verdict_p))
            return true;
    return false;
}

/* Searches for the largest accepted size between the largest that passed and a refused one. */
static bool try_smaller(proof *p, job *j, proof_verdict *verdict_p)
{
    enum { STEPS = 24 };
    const uint64_t unit = p->reach->unit > 1 ? p->reach->unit : 1;
    uint64_t below = p->largest_n, above = j->n;
    bool found = false;
    for (int i = 0; i < STEPS && above - below > unit && !is_over(*verdict_p); i++) {
        uint64_t n = below + (above - below) / 2 / unit * unit;
        n = n > below ? n : below + 1;
        if (probe(p, j, n, verdict_p)) {
            below = n;
            found = true;
        } else {
            above = n;
        }
    }
    p->refused_from = above;
    return found;
}

proof_verdict proof_do_near(proof *p, job *j, bool may_refuse)
{
    const size_t before = p->jobs;
    proof_verdict verdict = proof_do(p, j, may_refuse);
    if (is_over(verdict) || p->jobs > before || !p->refused ||
        (p->refused_from > 0 && j->n >= p->refused_from))
        return verdict;
    const bool first_above = p->largest_n > 0 && j->n > p->largest_n && p->refused_from == 0;
    if (try_units(p, j, &verdict) || is_over(verdict)) {
        p->hopeless = 0;
        return verdict;
    }
    p->hopeless++;
    if (first_above)
        try_smaller(p, j, &verdict);
    p->refused = !is_over(verdict) && p->jobs == before;
    return verdict;
}
