/*
 * reached.c - a claim that did not come far is skipped, and says what it did not reach
 */
#include "proof/claim.h"

#include <inttypes.h>

proof_verdict proof_reached(proof *p, proof_verdict verdict, uint64_t beyond, const char *what)
{
    if (verdict != PROOF_OK || p->largest_n > beyond)
        return verdict;
    p->refused = false;
    return proof_skip(p, "right up to n=%" PRIu64 ", but no %s: that is n > %" PRIu64 "%s%s",
                      p->largest_n, what, beyond, p->own.refused > 0 ? "; refused: " : "",
                      p->own.refusal);
}

proof_verdict proof_reached_tile(proof *p, proof_verdict verdict, const job *j)
{
    return p->session->plugin->role == SCAN_ROLE_CEILING
               ? verdict
               : proof_reached(p, verdict, proof_tile_of(p, j).elements, "second tile");
}

proof_verdict proof_reached_large(proof *p, proof_verdict verdict)
{
    enum { LARGE = 65536 };
    return proof_reached(p, verdict, (p->limit < LARGE ? p->limit : LARGE) - 1, "large n");
}

proof_verdict proof_in_time(proof *p, proof_verdict verdict)
{
    if (p->own.late == 0 || verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED)
        return verdict;
    p->refused = false;
    if (p->jobs == 0)
        return proof_skip(p, "time is up: nothing was tested (--claim-limit)");
    return proof_skip(p,
                      "time is up: right in %zu runs up to n=%" PRIu64
                      ", %zu more are left out (--claim-limit)",
                      p->jobs, p->largest_n, p->own.late);
}
