/* noisy_test.c - of rows of synthetic rounds whose distribution is known at most 2 % are noisy
 * where nothing disturbed them, and at least 95 % are noisy or spread where half of the rounds are
 * slowed */
#include "problem/splitmix.h"
#include "stats/rounds.h"
#include "tap.h"

#include <math.h>

enum { ROWS = 2000, MOST = 40 };

static uint64_t state = 20261128;

static double uniform(void)
{
    return ((double)(splitmix_next(&state) >> 11u) + 0.5) / 9007199254740992.0;
}

static double normal(double sigma)
{
    return sigma * sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Between the visits of one run on two shared cores the deviation of a copy of 10^7 elements is
 * 4.5 % (docs/measuring.md), the largest there. */
#define SIGMA 0.045

static double symmetric(void)
{
    return 1 + normal(SIGMA);
}

static double log_normal(void)
{
    return exp(normal(SIGMA));
}

/* a hard lower edge and a long upper tail */
static double skewed(void)
{
    return 1 - SIGMA * log(uniform());
}

/* of a clock whose ticks are 7 % of the time */
static double ticking(void)
{
    return 0.07 * floor((1 + normal(0.02)) / 0.07 + uniform());
}

static double seldom_disturbed(void)
{
    return (uniform() < 0.02 ? 1.5 : 1) + normal(0.01);
}

static double two_valued(void)
{
    return (uniform() < 0.5 ? 28 : 20) + normal(0.1);
}

/* Beside half of the rounds another program uses the core's caches or its other thread. */
static double loaded(void)
{
    return (uniform() < 0.5 ? 1.2 + 0.8 * uniform() : 1) + normal(0.01);
}

typedef struct distribution {
    const char *name;
    double (*round)(void);
} distribution;

/* How many rows of n rounds are noisy, and how many noisy or spread, in percent. */
typedef struct shares {
    double noisy, either;
} shares;

static shares shares_of(const distribution *d, size_t n)
{
    int noisy = 0, either = 0;
    for (int row = 0; row < ROWS; row++) {
        double values[MOST];
        stats_rounds rounds = {.n = 0};
        for (size_t i = 0; i < n; i++)
            values[i] = d->round();
        stats_rounds_summarize(values, n, &rounds);
        noisy += rounds.noisy;
        either += rounds.noisy || rounds.spread;
    }
    return (shares){100.0 * noisy / ROWS, 100.0 * either / ROWS};
}

static void test_undisturbed(const distribution *d)
{
    static const size_t counts[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, MOST};
    double most = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        most = fmax(most, shares_of(d, counts[i]).either);
    ok(most <= 2, "%s: at most %.2f %% of rows of 2 to %d rounds are noisy or spread", d->name,
       most, MOST);
}

static void test_disturbed(const distribution *d)
{
    const shares of_20 = shares_of(d, 20), of_40 = shares_of(d, MOST);
    ok(of_20.either >= 95 && of_40.noisy >= 95,
       "%s: %.1f %% of rows of 20 rounds are noisy or spread, %.1f %% of %d noisy", d->name,
       of_20.either, of_40.noisy, MOST);
}

int main(void)
{
    static const distribution undisturbed[] = {{"normal", symmetric},
                                               {"log-normal", log_normal},
                                               {"skewed", skewed},
                                               {"a clock that ticks coarsely", ticking},
                                               {"one round in 50 disturbed", seldom_disturbed}};
    static const distribution disturbed[] = {{"two values", two_valued},
                                             {"something beside half of the rounds", loaded}};
    double few[] = {1, 1.3, 1.4, 1, 1, 1, 1};
    stats_rounds rounds = {.n = 0};
    tap_plan(5 + 2 + 3);
    for (int i = 0; i < 5; i++)
        test_undisturbed(&undisturbed[i]);
    for (int i = 0; i < 2; i++)
        test_disturbed(&disturbed[i]);
    stats_rounds_summarize(few, 7, &rounds);
    ok(!rounds.noisy && rounds.hi > 1.35, "two rounds of seven make the interval wide, not noisy");
    few[4] = 0.8;
    stats_rounds_summarize(few, 7, &rounds);
    ok(rounds.noisy, "three of seven are noisy");
    double even[MOST];
    for (int i = 0; i < MOST; i++)
        even[i] = 0.8 + 0.4 * i / (MOST - 1);
    stats_rounds_summarize(even, MOST, &rounds);
    ok(!rounds.noisy, "nor is a narrow interval of 40 rounds, half of them far from its median");
    return tap_done();
}
