/* verdict_test.c - the verdicts on differences that are known */
#include "stats/verdict.h"
#include "tap.h"

#include <math.h>

#define THRESHOLD 0.03

/* A time of `median` with an interval of `half` (relative) on each side. */
static verdict_estimate about(double median, double half)
{
    return verdict_estimate_of(median, median / (1 + half), median * (1 + half));
}

/* A run whose time is `time` in units of the spin, `scan` and `copy` in those of calibrators. */
static verdict_run run_of(double time, double scan, double copy, double half)
{
    verdict_run run = {{about(time, half), about(scan, half), about(copy, half)}};
    run.estimates[1].calibrated = run.estimates[2].calibrated = true;
    return run;
}

static bool close_to(double got, double expected)
{
    if (fabs(got - expected) > 1e-9)
        printf("# got %.12g, expected %.12g\n", got, expected);
    return fabs(got - expected) <= 1e-9;
}

static verdict_outcome against(const verdict_run *first, const verdict_run *second)
{
    return verdict_across(first, second, THRESHOLD);
}

static void test_across(void)
{
    const verdict_run before = run_of(10, 2, 4, 0.005), equal = run_of(10.05, 2.01, 4, 0.005),
                      slow = run_of(10.5, 2.1, 4.2, 0.005), fast = run_of(9.4, 1.9, 3.7, 0.005),
                      apart = run_of(10.5, 2.1, 4.04, 0.005), noisy = run_of(10.5, 2.1, 4.2, 0.08),
                      near = run_of(10.3, 2.055, 4.1, 0.005);
    verdict_outcome o = against(&before, &slow);
    ok(o.verdict == VERDICT_SLOWER && o.reason == VERDICT_FOR_NONE && close_to(o.ratio, 1.05),
       "three estimates that are 5 %% longer are slower");
    ok(close_to(o.hi, 1.05 * exp(sqrt(2) * log1p(0.005))) &&
           close_to(o.lo, 1.05 / exp(sqrt(2) * log1p(0.005))),
       "and the halves of both intervals add up in quadrature");
    o = against(&before, &fast);
    ok(o.verdict == VERDICT_FASTER && close_to(o.ratio, 0.94),
       "three that are shorter are faster, by the middle one");
    ok(against(&slow, &before).verdict == VERDICT_FASTER,
       "the direction is the second over the first");
    o = against(&before, &equal);
    ok(o.verdict == VERDICT_SAME && o.reason == VERDICT_FOR_NONE && o.lo < 1 && o.hi < 1.03,
       "a hull within the threshold is the same");
    o = against(&before, &apart);
    ok(o.verdict == VERDICT_INCONCLUSIVE && o.reason == VERDICT_FOR_STATE && o.lo < 1.01 &&
           o.hi > 1.05,
       "estimates that disagree are inconclusive: the machine's state changed");
    o = against(&before, &noisy);
    ok(o.verdict == VERDICT_INCONCLUSIVE && o.reason == VERDICT_FOR_NOISY,
       "wide intervals are too noisy");
    o = against(&before, &near);
    ok(o.verdict == VERDICT_INCONCLUSIVE && o.reason == VERDICT_FOR_NEAR,
       "narrow ones about the threshold are too near it");
}

/* What a run on a device knows: its time, and that divided by the time of the device's copy. */
static verdict_run device_run(double time, double copies, double half)
{
    verdict_run run = {{about(time, half)}};
    run.estimates[2] = about(copies, half);
    run.estimates[2].calibrated = true;
    return run;
}

static void test_devices(void)
{
    verdict_run before = device_run(10, 2, 0.005), after = device_run(10.6, 2.12, 0.005),
                moved = device_run(10, 2.06, 0.005), noisy = device_run(10, 2, 0.05),
                unsure = device_run(10, 2.06, 0.05);
    ok(against(&before, &after).verdict == VERDICT_SLOWER, "a time and a copy are enough");
    ok(against(&before, &moved).reason == VERDICT_FOR_STATE,
       "a copy that moved by more than noise is a change of the machine");
    ok(against(&noisy, &unsure).reason == VERDICT_FOR_NOISY, "one that moved within noise is none");
    before.estimates[2].known = false;
    ok(against(&before, &after).reason == VERDICT_FOR_NO_CALIBRATORS,
       "without a copy the time alone is not");
    before.estimates[0].calibrated = true;
    ok(against(&before, &after).reason == VERDICT_FOR_NO_CALIBRATORS,
       "nor if it counts as calibrated in one run");
    after.estimates[0].calibrated = true;
    ok(against(&before, &after).verdict == VERDICT_SLOWER, "in both it does");
    const verdict_estimate wide = verdict_estimate_widened(about(1, 0.005), log1p(0.06)),
                           narrow = verdict_estimate_widened(about(1, 0.005), 0.001);
    ok(wide.known && close_to(wide.hi, log1p(0.06)) && close_to(wide.lo, -log1p(0.06)) &&
           close_to(narrow.hi, log1p(0.005)) && close_to(narrow.lo, -log1p(0.005)),
       "an interval is widened, never narrowed");
}

/* Logarithms of a time whose interval is wider on one side. */
static verdict_estimate skewed(double median, double below, double above)
{
    return verdict_estimate_of(exp(median), exp(median - below), exp(median + above));
}

static void test_skewed_intervals(void)
{
    verdict_run first = {{skewed(1, 0.01, 0.02), skewed(2, 0.01, 0.01), skewed(3, 0.01, 0.01)}},
                second = {
                    {skewed(1.1, 0.03, 0.04), skewed(2.01, 0.01, 0.01), skewed(3.2, 0.01, 0.01)}};
    verdict_outcome o = against(&first, &second);
    ok(close_to(o.lo, exp(0.01 - hypot(0.01, 0.01))) &&
           close_to(o.hi, exp(0.2 + hypot(0.01, 0.01))) && close_to(o.ratio, exp(0.1)),
       "the hull goes from the least to the greatest limit, the ratio is the middle one");
    second.estimates[1].known = first.estimates[2].known = false;
    o = against(&first, &second);
    const double half = hypot(0.03, 0.07) / 2;
    ok(close_to(o.lo, exp(0.1 - half)) && close_to(o.hi, exp(0.1 + half)),
       "skewed intervals count by their whole widths");
    ok(close_to(o.p, erfc(1.959963984540054 * 0.1 / half / sqrt(2))),
       "the p-value is that of half the interval");
}

static void test_what_is_not_known(void)
{
    verdict_run before = run_of(10, 2, 4, 0.005), after = run_of(11, 2.2, 4.4, 0.005);
    after.estimates[2].known = false;
    ok(against(&before, &after).verdict == VERDICT_SLOWER, "one calibrator is enough");
    before.estimates[1].known = false;
    verdict_outcome o = against(&before, &after);
    ok(o.verdict == VERDICT_INCONCLUSIVE && o.reason == VERDICT_FOR_NO_CALIBRATORS &&
           o.has_interval && close_to(o.ratio, 1.1),
       "without one there is a ratio but no verdict");
    before.estimates[0].known = false;
    o = against(&before, &after);
    ok(o.verdict == VERDICT_INCONCLUSIVE && o.reason == VERDICT_FOR_NO_ROUNDS && !o.has_interval,
       "without intervals nothing is known");
    ok(!verdict_estimate_of(0, 0, 0).known && !verdict_estimate_of(NAN, 1, 2).known &&
           !verdict_estimate_of(1, 2, 3).known && !verdict_estimate_of(1, 0.5, INFINITY).known &&
           !verdict_estimate_of(1, -1, 2).known && verdict_estimate_of(1, 1, 1).known,
       "an estimate needs positive numbers in order");
}

static void test_within(void)
{
    const stats_rounds slow = {.n = 20, .median = 1.05, .lo = 1.01, .hi = 1.09, .has_ci = true},
                       fast = {.n = 20, .median = 0.95, .lo = 0.92, .hi = 0.99, .has_ci = true},
                       small = {.n = 20, .median = 1.02, .lo = 1.01, .hi = 1.025, .has_ci = true},
                       wide = {.n = 20, .median = 1.05, .lo = 0.99, .hi = 1.2, .has_ci = true},
                       few = {.n = 5, .median = 2};
    ok(verdict_within(&slow, 0, THRESHOLD).verdict == VERDICT_SLOWER &&
           verdict_within(&fast, 0, THRESHOLD).verdict == VERDICT_FASTER,
       "in one run an interval without 1 and an estimate beyond the threshold decide");
    ok(verdict_within(&slow, VERDICT_WITHIN_P, THRESHOLD).verdict == VERDICT_SLOWER &&
           verdict_within(&slow, 0.01, THRESHOLD).verdict == VERDICT_INCONCLUSIVE &&
           verdict_within(&fast, 0.01, THRESHOLD).verdict == VERDICT_INCONCLUSIVE &&
           verdict_within(&small, 0.01, THRESHOLD).verdict == VERDICT_SAME,
       "if it is certain");
    ok(verdict_within(&small, 0, THRESHOLD).verdict == VERDICT_SAME &&
           verdict_within(&small, 0, 0.015).verdict == VERDICT_SLOWER,
       "a difference below the threshold is the same");
    ok(verdict_within(&wide, 0, THRESHOLD).verdict == VERDICT_INCONCLUSIVE &&
           verdict_within(&wide, 0, THRESHOLD).reason == VERDICT_FOR_NOISY,
       "an interval with 1 is too noisy");
    ok(verdict_within(&few, 0, THRESHOLD).reason == VERDICT_FOR_NO_ROUNDS, "five rounds are none");
}

static void test_sign_test(void)
{
    double mixed[20], ones[20];
    for (int i = 0; i < 20; i++) {
        mixed[i] = i < 15 ? 2 : 0.5;
        ones[i] = 1;
    }
    ok(close_to(verdict_sign_test(mixed, ones, 20), 0.04138946533203125),
       "15 of 20 have the p-value of the binomial distribution");
    ok(close_to(verdict_sign_test(ones, mixed, 20), 0.04138946533203125), "as have 5");
    ok(close_to(verdict_sign_test(mixed, ones, 10), pow(0.5, 9)), "as have 10 of 10");
    mixed[0] = NAN;
    mixed[1] = 1;
    ok(close_to(verdict_sign_test(mixed, ones, 10), pow(0.5, 7)),
       "rounds without a value and ties do not count");
    ok(verdict_sign_test(mixed, ones, 1) == 1, "no rounds say nothing");
}

static void test_holm(void)
{
    static const double ps[] = {0.03, 0.001, 0.02, 0.01};
    verdict_outcome each[5], *family[5];
    for (int i = 0; i < 4; i++)
        each[i] = (verdict_outcome){.verdict = VERDICT_SLOWER, .has_interval = true, .p = ps[i]};
    each[4] = (verdict_outcome){.verdict = VERDICT_MISSING};
    for (int i = 0; i < 5; i++)
        family[i] = &each[i];
    verdict_holm(family, 5);
    ok(each[1].verdict == VERDICT_SLOWER && each[3].verdict == VERDICT_SLOWER,
       "of four p-values 0.001 (below 0.05 / 4) and 0.01 (below 0.05 / 3) are certain");
    ok(each[2].verdict == VERDICT_SLOWER && each[0].verdict == VERDICT_SLOWER,
       "and then 0.02 and 0.03, of which fewer are left");
    for (int i = 0; i < 4; i++)
        each[i] = (verdict_outcome){.verdict = VERDICT_FASTER, .has_interval = true, .p = 0.02};
    each[2].p = 0.0126;
    each[3] = (verdict_outcome){.verdict = VERDICT_SAME, .has_interval = true, .p = 1};
    verdict_holm(family, 5);
    ok(each[2].verdict == VERDICT_INCONCLUSIVE && each[2].reason == VERDICT_FOR_FAMILY &&
           each[0].verdict == VERDICT_INCONCLUSIVE && each[3].verdict == VERDICT_SAME,
       "once one is not certain, those behind it are not; same stays");
    each[0] = (verdict_outcome){.verdict = VERDICT_SLOWER, .has_interval = true, .p = 0.04};
    verdict_holm((verdict_outcome *[]){&each[0], &each[4]}, 2);
    ok(each[0].verdict == VERDICT_SLOWER, "what was not compared is not counted");
}

int main(void)
{
    tap_plan(8 + 7 + 3 + 4 + 5 + 5 + 4 + 1);
    test_across();
    test_devices();
    test_skewed_intervals();
    test_what_is_not_known();
    test_within();
    test_sign_test();
    test_holm();
    is_text(verdict_word(VERDICT_INCONCLUSIVE), "inconclusive", "a verdict has a word");
    return tap_done();
}
