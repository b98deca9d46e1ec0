/* rounds_test.c - when rounds are enough, what a visit takes, and the order of visits */
#include "stats/rounds.h"
#include "sweep/rounds.h"
#include "tap.h"

#include <math.h>

enum { MEMBERS = 10 };

static const rounds_rule rule = {.min_samples = 20, .max_samples = 1000, .time_limit_s = 1};

/* After rounds of four configurations, three samples a visit. */
static stop_reason after(size_t rounds, bool precise, double elapsed_s)
{
    const rounds_state state = {.rounds = rounds,
                                .configurations = 4,
                                .left = 4,
                                .fewest_rounds = rounds,
                                .fewest_samples = 3 * rounds,
                                .precise = precise,
                                .elapsed_s = elapsed_s};
    return rounds_check(&rule, &state);
}

static void test_stop(void)
{
    const rounds_rule patient = {.min_samples = 1000, .max_samples = 2000, .time_limit_s = 1};
    const rounds_state few = {.rounds = 40,
                              .configurations = 1,
                              .left = 1,
                              .fewest_rounds = 40,
                              .fewest_samples = 120,
                              .precise = true};
    rounds_state enough = few;
    enough.rounds = enough.fewest_rounds = 80;
    const rounds_rule many = {
        .min_samples = 20, .max_samples = 1000, .least_rounds = 80, .time_limit_s = 10};
    const rounds_rule brief = {.min_samples = 20, .max_samples = 120, .time_limit_s = 1};
    ok(after(20, true, 0.1) == STOP_PRECISION, "twenty precise rounds are enough");
    ok(after(19, true, 0.1) == STOP_NOT_YET, "nineteen are not");
    ok(after(21, true, 0.1) == STOP_NOT_YET && after(25, true, 0.1) == STOP_PRECISION,
       "precision is asked for at every fifth round");
    ok(after(39, false, 0.1) == STOP_NOT_YET && after(40, false, 0.1) == STOP_ROUNDS,
       "rounds that scatter go on to the fortieth");
    ok(after(10, false, 3.9) == STOP_NOT_YET && after(10, false, 4) == STOP_TIME_LIMIT,
       "or until the sum of the configurations' time is up");
    ok(after(9, false, 50) == STOP_NOT_YET, "for which ten rounds are needed");
    ok(rounds_check(&rule, &(rounds_state){.rounds = 3, .configurations = 4}) == STOP_TIME_LIMIT,
       "unless nobody is left");
    ok(!rounds_are_spent(&rule, 6, 1.9) && rounds_are_spent(&rule, 6, 2),
       "six rounds that took twice a configuration's time are enough for it");
    ok(!rounds_are_spent(&rule, 5, 3.9) && rounds_are_spent(&rule, 1, 4),
       "or fewer that took four times that");
    ok(stats_round_value((double[]){1}, 1) == 1 && rounds_check(&patient, &few) == STOP_NOT_YET,
       "fewer than --min-samples are never precise enough");
    ok(rounds_check(&brief, &few) == STOP_ROUNDS, "--max-samples end the rounds");
    ok(rounds_check(&many, &few) == STOP_NOT_YET && rounds_check(&many, &enough) == STOP_PRECISION,
       "a rule of more rounds than forty has its way");
    is_text(stop_reason_word(STOP_ROUNDS), "rounds", "the word of the CSV's stop_reason");
    is_text(stop_reason_word(STOP_NOT_YET), "", "and there is none before");
}

/* After rounds of two configurations whose ratio is what has to be precise. */
static stop_reason after_patience(size_t rounds, bool precise, double elapsed_s)
{
    static const rounds_rule patient = {.min_samples = 20,
                                        .max_samples = 10000,
                                        .least_rounds = 80,
                                        .time_limit_s = 2,
                                        .patience = 5};
    const rounds_state state = {.rounds = rounds,
                                .configurations = 2,
                                .left = 2,
                                .fewest_rounds = rounds,
                                .fewest_samples = 3 * rounds,
                                .precise = precise,
                                .elapsed_s = elapsed_s};
    return rounds_check(&patient, &state);
}

static void test_patience(void)
{
    const rounds_rule rushed = {.time_limit_s = 1}, patient = {.time_limit_s = 1, .patience = 5};
    ok(after_patience(80, true, 1) == STOP_PRECISION &&
           after_patience(80, false, 1) == STOP_NOT_YET,
       "with patience rounds that scatter go on");
    ok(after_patience(45, true, 4) == STOP_TIME_LIMIT &&
           after_patience(45, false, 4) == STOP_NOT_YET,
       "beyond their time, too");
    ok(after_patience(100, true, 1) == STOP_PRECISION &&
           after_patience(101, true, 1) == STOP_NOT_YET,
       "until they are precise, which is asked at every fifth round");
    ok(after_patience(400, false, 1) == STOP_ROUNDS &&
           after_patience(45, false, 20) == STOP_TIME_LIMIT,
       "but not beyond so many times as much");
    ok(rounds_are_spent(&rushed, 6, 2) && !rounds_are_spent(&patient, 6, 9) &&
           rounds_are_spent(&patient, 6, 10),
       "and a configuration has so many times as much time");
}

static void test_visits(void)
{
    const visit_estimate brief = {.run_ns = 2e3, .batch = 3}, medium = {.run_ns = 5e6, .batch = 1},
                         slow = {.run_ns = 6e8, .batch = 1};
    rounds_pace pace = rounds_pace_of(&rule, &brief, false);
    visit v = rounds_visit(&rule, &brief, &pace, 0);
    ok(v.untimed == 2 && v.samples == 5 && v.recorded == 8 && v.trips == 2 && v.batch == 3 &&
           pace.every == 1,
       "a short run is sampled five times behind two that are not timed");
    ok(rounds_visit(&rule, &brief, &pace, 998).samples == 2 &&
           rounds_visit(&rule, &brief, &pace, 1000).samples == 0,
       "no more often than --max-samples say");
    pace = rounds_pace_of(&rule, &medium, false);
    v = rounds_visit(&rule, &medium, &pace, 0);
    ok(v.untimed == 1 && v.samples == 3 && v.recorded == 1 && v.trips == 1 && pace.every == 1,
       "a longer one three times behind one");
    pace = rounds_pace_of(&rule, &slow, true);
    v = rounds_visit(&rule, &slow, &pace, 0);
    ok(v.untimed == 0 && v.samples == 1 && pace.every == 3,
       "and a very long one once, in every third round");
    const visit_estimate cold = {.run_ns = 2e3, .before_ns = 1e7, .batch = 1},
                         far = {.run_ns = 2e3, .before_ns = 4e8, .batch = 1};
    pace = rounds_pace_of(&rule, &cold, false);
    v = rounds_visit(&rule, &cold, &pace, 0);
    ok(v.untimed == 2 && v.samples == 3 && v.recorded == 1 && v.trips == 1 && pace.every == 1,
       "where caches are displaced before each sample, a short run costs as much as a longer one");
    pace = rounds_pace_of(&rule, &far, false);
    ok(pace.samples == 1 && pace.every == 3, "or as a very long one");
    const rounds_rule thirty = {.min_samples = 20, .max_samples = 30, .time_limit_s = 1};
    pace = rounds_pace_of(&thirty, &brief, false);
    ok(rounds_visit(&thirty, &brief, &pace, 0).samples == 1,
       "few samples are spread over many rounds");
}

/* How many trips of trip_ns are taken in `rounds` rounds. */
static size_t trips(size_t rounds, double trip_ns)
{
    const visit v = {.trips = 2};
    size_t taken = 0;
    for (size_t i = 0; i < rounds; i++)
        taken += rounds_trips(&rule, &v, i, taken, trip_ns);
    return taken;
}

static void test_trips(void)
{
    double coarse[] = {96, 96, 64, 96, 64, 96, 96, 3200};
    ok(trips(20, 1e5) == 40, "short trips are taken in every round");
    ok(trips(20, 2e7) == 20, "long ones once a round where half of the time allows");
    ok(trips(20, 1.5e8) == 6, "six of them while they fit into the time");
    ok(trips(20, 3e8) == 3 && trips(20, 1e10) == 2, "else fewer, but those of the first round");
    ok(fabs(stats_round_middle(coarse, 8) - 96) < 1e-9 &&
           fabs(stats_round_middle((double[]){64, 96, 64, 96}, 4) - 80) < 1e-9 &&
           fabs(stats_round_middle((double[]){7}, 1) - 7) < 1e-9,
       "the middle half of a coarse clock's samples lies between its ticks");
}

static void test_spread(void)
{
    ok(rounds_earliest_s(&rule, 4, 0) == 0 && rounds_earliest_s(&rule, 4, 20) == 1 &&
           rounds_earliest_s(&rule, 4, 10) == 0.5,
       "twenty rounds of four configurations with a second each take a second");
}

static bool same(const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, MEMBERS * sizeof *a) == 0;
}

static void test_order(void)
{
    const job one = {.seed = 1, .n = 1000}, other = {.seed = 2, .n = 1000},
              larger = {.seed = 1, .n = 2000};
    uint32_t first[MEMBERS], again[MEMBERS], turns[MEMBERS];
    rounds_order order = rounds_order_of(&one);
    rounds_shuffle(&order, first, MEMBERS);
    rounds_shuffle(&order, again, MEMBERS);
    uint32_t seen = 0;
    for (size_t i = 0; i < MEMBERS; i++)
        seen |= UINT32_C(1) << first[i];
    ok(seen == (1u << MEMBERS) - 1, "a round visits each configuration once");
    ok(!same(first, again), "the next one in another order");
    order = rounds_order_of(&one);
    rounds_shuffle(&order, turns, MEMBERS);
    ok(same(first, turns), "the same seed gives the same order");
    order = rounds_order_of(&other);
    rounds_shuffle(&order, turns, MEMBERS);
    ok(!same(first, turns), "another seed another one");
    order = rounds_order_of(&larger);
    rounds_shuffle(&order, turns, MEMBERS);
    ok(!same(first, turns), "as does another size");
    size_t places[MEMBERS] = {0};
    for (int round = 0; round < 10000; round++) {
        rounds_shuffle(&order, turns, MEMBERS);
        for (size_t i = 0; i < MEMBERS; i++)
            places[i] += turns[i] == 0;
    }
    bool even = true;
    for (size_t i = 0; i < MEMBERS; i++)
        even &= places[i] > 850 && places[i] < 1150;
    ok(even, "over 10000 rounds a configuration has every turn equally often");
}

/* A number in (0, 1). */
static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return ((double)(*state >> 11u) + 0.5) / 9007199254740992.0;
}

/* A time of 1000 ns with independent noise of `spread`, whose median is 1000 too. */
static double noisy_time(unsigned long long *state, double spread)
{
    const double normal = sqrt(-2 * log(uniform(state))) * cos(6.283185307179586 * uniform(state));
    return 1000 * (1 + spread * normal);
}

/* How often the interval holds the true median when the stop rule has ended the rounds. */
static double coverage(double spread, double *mean_rounds_p)
{
    enum { TRIALS = 2000 };
    unsigned long long state = 20261121;
    size_t covered = 0, total = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[ROUNDS_MOST];
        stats_rounds interval = {.n = 0};
        size_t rounds = 0;
        stop_reason stop = STOP_NOT_YET;
        while (stop == STOP_NOT_YET && rounds < ROUNDS_MOST) {
            double samples[3];
            for (int i = 0; i < 3; i++)
                samples[i] = noisy_time(&state, spread);
            values[rounds++] = stats_round_value(samples, 3);
            stats_rounds_summarize(values, rounds, &interval);
            stop = after(rounds, interval.precise, 0);
        }
        covered += interval.lo <= 1000 && 1000 <= interval.hi;
        total += rounds;
    }
    *mean_rounds_p = (double)total / TRIALS;
    return (double)covered / TRIALS;
}

static void test_coverage(void)
{
    static const double spreads[] = {0.03, 0.04, 0.06, 0.1};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        double rounds;
        const double share = coverage(spreads[i], &rounds);
        ok(share >= 0.93 && share <= 0.97,
           "with %.0f %% of noise the interval covers the median in %.4f of 2000 trials (%.1f "
           "rounds)",
           100 * spreads[i], share, rounds);
    }
}

static void test_ratios(void)
{
    enum { ROUNDS = 20 };
    double base[ROUNDS], mine[ROUNDS];
    unsigned long long state = 7;
    stats_rounds ratio, times;
    for (int i = 0; i < ROUNDS; i++) { /* the machine drifts by half; the ratio does not */
        const double drift = 1 + 0.5 * i / ROUNDS;
        base[i] = drift * noisy_time(&state, 0.001);
        mine[i] = 2 * drift * noisy_time(&state, 0.001);
    }
    ok(stats_rounds_summarize(mine, ROUNDS, &times) == SCAN_OK && !times.precise,
       "times that drift are not precise");
    ok(stats_rounds_ratio(base, mine, ROUNDS, &ratio) == SCAN_OK && ratio.precise &&
           fabs(ratio.median - 0.5) < 0.001 && ratio.n == ROUNDS,
       "their ratio within rounds is");
    ok(ratio.lo <= 0.995 * ratio.median && ratio.hi >= 1.005 * ratio.median && ratio.lo > 0.49 &&
           ratio.hi < 0.51,
       "and its interval is no narrower than 0.5 %% on each side");
    base[3] = mine[4] = NAN;
    ok(stats_rounds_ratio(base, mine, ROUNDS, &ratio) == SCAN_OK && ratio.n == ROUNDS - 2,
       "a round without a value is left out");
    ok(stats_rounds_summarize(mine, 4, &times) == SCAN_OK && !times.has_ci && !times.precise,
       "four rounds have no interval");
    mine[0] = 0;
    ok(stats_rounds_ratio(base, mine, ROUNDS, &ratio) == SCAN_INVALID,
       "a ratio to nothing is refused");
}

int main(void)
{
    tap_plan(5 + 14 + 7 + 5 + 1 + 6 + 4 + 6);
    test_stop();
    test_patience();
    test_visits();
    test_trips();
    test_spread();
    test_order();
    test_coverage();
    test_ratios();
    return tap_done();
}
