/*
 * spread.c - the few sizes of claims that need no more
 */
#include "proof/claim.h"

bool proof_is_tuned(const proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    return plugin->tile > 0 || tunable_info_index(plugin, "block") >= 0;
}

size_t proof_spread(proof *p, const job *j, uint64_t sizes[PROOF_SPREAD])
{
    enum { MIDDLE = 16411, LARGE = 65539, LARGER = 262147 };
    const uint64_t few = 3 + 5 * proof_tile_of(p, j).elements;
    const uint64_t wanted[PROOF_SPREAD] = {few, LARGE, MIDDLE, LARGER, p->limit - 5};
    const size_t most = proof_is_tuned(p) ? 2 : PROOF_SPREAD;
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const uint64_t n = wanted[i] < p->limit ? wanted[i] : p->limit;
        if (i > 0 && n <= sizes[0])
            continue;
        if (i > 0 && reach_is_slow(p->reach, n)) {
            p->own.slow_n = p->reach->slow_n;
            p->own.left_out++;
            p->reach->left_out++;
            continue;
        }
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known |= sizes[k] == n;
        if (!known)
            sizes[count++] = n;
    }
    return count;
}
