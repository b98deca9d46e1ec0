#include "worker/spin.h"

#include "system/clock.h"
#include "worker/frozen.h"

#include <math.h>

enum { TRIES = 3 };

static double best_of(uint64_t (*work)(uint64_t), uint64_t *kept)
{
    double best = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const double start = clock_now_ns();
        *kept = work(*kept);
        best = fmin(best, clock_now_ns() - start);
    }
    return best;
}

visit_spin spin_take(void)
{
    uint64_t kept = 3;
    const double chain = best_of(frozen_chain, &kept);
    const double adds = best_of(frozen_adds, &kept);
    __asm__ volatile("" : : "r"(kept));
    return (visit_spin){.chain_ns = chain, .adds_ns = adds};
}

visit_spin spin_mean(const visit_spin *before, const visit_spin *after)
{
    return (visit_spin){.chain_ns = (before->chain_ns + after->chain_ns) / 2,
                        .adds_ns = (before->adds_ns + after->adds_ns) / 2};
}
