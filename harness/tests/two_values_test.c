/* two_values_test.c - times that have two values: of 200 comparisons with itself at most 5 % are
 * called faster or slower, whether the value depends on the run or on the visit, and times 5 %
 * apart are still found */
#include "problem/splitmix.h"
#include "stats/stats.h"
#include "stats/verdict.h"
#include "sweep/rounds.h"
#include "tap.h"

#include <math.h>

enum { PAIRS = 200, SAMPLES = 5, IN_RUN_LEAST = 80 };
#define THRESHOLD 0.03

/* What a value depends on. */
typedef enum hangs_on { NOTHING, RUN, VISIT, KINDS } hangs_on;

typedef struct source {
    hangs_on on;
    double slow;    /* the second value over the first */
    uint64_t state; /* of random numbers */
    uint64_t runs, visits;
} source;

static double uniform(uint64_t *state)
{
    return ((double)(splitmix_next(state) >> 11u) + 0.5) / 9007199254740992.0;
}

/* The value of a round whose samples have a little noise, after a random number of untimed runs. */
static double value_of_round(source *s)
{
    double samples[SAMPLES];
    s->runs += splitmix_next(&s->state) % 4;
    s->visits++;
    for (int i = 0; i < SAMPLES; i++) {
        const bool slow = (s->on == RUN && s->runs++ % 2) || (s->on == VISIT && s->visits % 2);
        samples[i] = (slow ? s->slow : 1) * 20e3 * (1 + 0.004 * (uniform(&s->state) - 0.5));
    }
    return stats_round_value(samples, SAMPLES);
}

/* What a run of the program finds: rounds until the rule ends them. */
static stats_rounds measure(source *s)
{
    static const rounds_rule rule = {.min_samples = 30, .max_samples = 300, .time_limit_s = 1};
    double values[ROUNDS_MOST];
    stats_rounds found = {.n = 0};
    rounds_state state = {.configurations = 1, .left = 1};
    s->visits = splitmix_next(&s->state);
    while (state.rounds < ROUNDS_MOST && rounds_check(&rule, &state) == STOP_NOT_YET) {
        values[state.rounds] = value_of_round(s);
        state.fewest_rounds = ++state.rounds;
        state.fewest_samples = state.rounds * SAMPLES;
        stats_rounds_summarize(values, state.rounds, &found);
        state.precise = found.precise;
    }
    return found;
}

/* Its estimates: the time, and the time over that of two calibrators, which differ a little. */
static verdict_run estimates_of(source *s, double factor)
{
    const stats_rounds found = measure(s);
    verdict_run run = {.estimates = {{.known = false}}};
    for (int i = 0; i < VERDICT_ESTIMATES; i++) {
        const double by = factor * (1 + 0.006 * (uniform(&s->state) - 0.5));
        run.estimates[i] = verdict_estimate_of(found.median * by, found.lo * by, found.hi * by);
        run.estimates[i].calibrated = i > 0;
    }
    return run;
}

/* How many of PAIRS are called faster or slower: of two runs, the second with times `factor` times
 * as long. */
static int differ_across(hangs_on on, double slow, double factor)
{
    source s = {.on = on, .slow = slow, .state = 20261125};
    int differ = 0;
    for (int i = 0; i < PAIRS; i++) {
        const verdict_run first = estimates_of(&s, 1), second = estimates_of(&s, factor);
        const verdict v = verdict_across(&first, &second, THRESHOLD).verdict;
        differ += v == VERDICT_FASTER || v == VERDICT_SLOWER;
    }
    return differ;
}

/* The same of two sides in one run. */
static int differ_within(hangs_on on, double slow, double factor)
{
    source one = {.on = on, .slow = slow, .state = 7}, other = {.on = on, .slow = slow, .state = 8};
    int differ = 0;
    for (int i = 0; i < PAIRS; i++) {
        double before[IN_RUN_LEAST], after[IN_RUN_LEAST];
        stats_rounds ratio = {.n = 0};
        one.visits = splitmix_next(&one.state);
        other.visits = splitmix_next(&other.state);
        for (size_t k = 0; k < IN_RUN_LEAST; k++) {
            before[k] = value_of_round(&one);
            after[k] = factor * value_of_round(&other);
        }
        stats_rounds_ratio(after, before, IN_RUN_LEAST, &ratio);
        const double p = verdict_sign_test(after, before, IN_RUN_LEAST);
        const verdict v = verdict_within(&ratio, p, THRESHOLD).verdict;
        differ += v == VERDICT_FASTER || v == VERDICT_SLOWER;
    }
    return differ;
}

static void test_interval(void)
{
    double values[ROUNDS_WANTED];
    stats_rounds locked = {.n = 0}, seldom = {.n = 0}, near = {.n = 0};
    for (int i = 0; i < ROUNDS_WANTED; i++)
        values[i] = i < 15 ? 20e3 : 28e3;
    stats_rounds_summarize(values, ROUNDS_WANTED, &locked);
    ok(locked.spread && !locked.precise && locked.lo < 20e3 && locked.hi > 28e3,
       "an interval of rounds of which 5 in 20 have another value holds both, and is not precise");
    values[15] = values[16] = 20e3;
    stats_rounds_summarize(values, ROUNDS_WANTED, &seldom);
    ok(!seldom.spread && seldom.precise && seldom.hi < 20.2e3,
       "but three disturbed rounds in 20 leave it as it is");
    for (int i = 0; i < ROUNDS_WANTED; i++)
        values[i] = i < 15 ? 20e3 : 21.5e3;
    stats_rounds_summarize(values, ROUNDS_WANTED, &near);
    ok(!near.spread && !near.precise && near.lo < 20e3 && near.hi > 21.5e3,
       "two values 8 %% apart are in the interval, too, and no remark");
    for (int i = 0; i < ROUNDS_WANTED; i++)
        values[i] = 20e3 + 250 * i;
    stats_rounds_summarize(values, ROUNDS_WANTED, &near);
    ok(!near.precise && !near.noisy && !near.spread, "nor is an interval of 6 %% on each side");
    for (int i = 0; i < ROUNDS_WANTED; i++)
        values[i] = 20e3 + 1000 * i;
    stats_rounds_summarize(values, ROUNDS_WANTED, &near);
    ok(near.noisy, "rounds of which 15 in 20 are more than 10 %% from the median are noisy");
}

int main(void)
{
    static const char *const words[KINDS] = {"nothing", "the run", "the visit"};
    static const double slower[] = {1.4, 1.08};
    tap_plan(5 + 2 * 2 * (KINDS - 1) + 2);
    test_interval();
    for (hangs_on on = RUN; on < KINDS; on++)
        for (int i = 0; i < 2; i++) {
            const int across = differ_across(on, slower[i], 1);
            const int within = differ_within(on, slower[i], 1);
            ok(100 * across <= 5 * PAIRS,
               "a value that depends on %s, %g times as long: %d of %d pairs of runs differ",
               words[on], slower[i], across, PAIRS);
            ok(100 * within <= 5 * PAIRS, "and %d of %d comparisons within a run", within, PAIRS);
        }
    const int across = differ_across(NOTHING, 1, 1.05), within = differ_within(NOTHING, 1, 1.05);
    ok(across == PAIRS, "of one value 5 %% more is found in %d of %d pairs of runs", across, PAIRS);
    ok(within == PAIRS, "and in %d of %d comparisons within a run", within, PAIRS);
    return tap_done();
}
