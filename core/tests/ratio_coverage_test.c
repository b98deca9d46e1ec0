/* ratio_coverage_test.c - of 1000 runs with a known ratio of two times, how many intervals hold it,
 * and what is said of the two */
#include "problem/splitmix.h"
#include "stats/rounds.h"
#include "tap.h"

#include <math.h>

enum { RUNS = 1000, MOST = 40 };

static double uniform(uint64_t *state)
{
    return ((double)(splitmix_next(state) >> 11u) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

/* Two times of each round: what the round does to the machine weighs on both, noise of their own
 * (as a logarithm) on each. */
static void measure(uint64_t *state, size_t rounds, double ratio, double over[MOST],
                    double under[MOST])
{
    const double noise = 0.02 + 0.2 * uniform(state);
    double machine = 0;
    for (size_t i = 0; i < rounds; i++) {
        machine += 0.3 * normal(state);
        under[i] = 1000 * exp(machine + noise * normal(state));
        over[i] = ratio * 1000 * exp(machine + noise * normal(state));
    }
}

/* What was found in all runs. */
typedef struct found {
    size_t covered, orders[STATS_SLOWER + 1];
} found;

/* equal: both take as long in each run. */
static found judge(uint64_t seed, bool equal)
{
    static const size_t rounds[] = {20, 25, 30, 40};
    found f = {0};
    uint64_t state = seed;
    for (size_t run = 0; run < RUNS; run++) {
        double over[MOST], under[MOST];
        stats_rounds found_ratio;
        const double ratio = equal ? 1 : exp(log(4) * (uniform(&state) - 0.5));
        const size_t n = rounds[run % 4];
        measure(&state, n, ratio, over, under);
        if (stats_rounds_ratio(over, under, n, &found_ratio) != SCAN_OK)
            break;
        f.covered += found_ratio.lo <= ratio && ratio <= found_ratio.hi;
        f.orders[stats_rounds_order(&found_ratio)]++;
    }
    return f;
}

static bool is_of(stats_order expected, stats_rounds ratio)
{
    return stats_rounds_order(&ratio) == expected;
}

/* 94 to 97 %. */
static bool is_within(size_t covered)
{
    return 100 * covered >= 94 * (size_t)RUNS && 100 * covered <= 97 * (size_t)RUNS;
}

int main(void)
{
    tap_plan(5);
    const found any = judge(20261123, false), equal = judge(7, true);
    ok(is_within(any.covered), "the interval of a ratio holds the known one in %zu of %d runs",
       any.covered, RUNS);
    ok(equal.covered == equal.orders[STATS_TIED] && is_within(equal.covered),
       "and two that take as long are tied in as many: %zu", equal.covered);
    ok(any.orders[STATS_UNKNOWN] == 0, "with enough rounds something is known");
    ok(is_of(STATS_TIED, (stats_rounds){.n = 6, .lo = 1, .hi = 2, .has_ci = true}) &&
           is_of(STATS_TIED, (stats_rounds){.n = 6, .lo = 0.5, .hi = 1, .has_ci = true}) &&
           is_of(STATS_FASTER, (stats_rounds){.n = 6, .lo = 0.5, .hi = 0.99, .has_ci = true}) &&
           is_of(STATS_SLOWER, (stats_rounds){.n = 6, .lo = 1.01, .hi = 2, .has_ci = true}),
       "an interval that holds 1 is a tie, also at its end");
    ok(is_of(STATS_UNKNOWN, (stats_rounds){.n = 5, .median = 2}) &&
           is_of(STATS_UNKNOWN, (stats_rounds){.n = 0, .has_ci = true}),
       "without an interval nothing is known");
    return tap_done();
}
