/* stats_test.c - medians, intervals and spreads of known samples */
#include "stats/stats.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static int close_to(double got, double expected)
{
    double error = fabs(got - expected);
    if (error > 1e-12 * fmax(1, fabs(expected)))
        printf("# got %.17g, expected %.17g\n", got, expected);
    return error <= 1e-12 * fmax(1, fabs(expected));
}

static void test_eleven_samples(void)
{
    static const double samples[] = {12.5,  11.0, 11.25, 30.0, 11.5, 12.0,
                                     11.75, 11.0, 13.5,  11.9, 2.0};
    stats_summary s;
    ok(stats_summarize(samples, 11, &s) == SCAN_OK && s.n == 11, "eleven samples are summarised");
    ok(close_to(s.median, 11.75), "median");
    ok(close_to(s.min, 2) && close_to(s.max, 30), "extremes");
    ok(close_to(s.q1, 11.125) && close_to(s.q3, 12.25), "quartiles are of type 7");
    ok(close_to(s.mad, 1.4826 * 0.75), "MAD is scaled by 1.4826");
    ok(close_to(s.mean, 12.581818181818182), "mean");
    ok(s.has_stddev && close_to(s.stddev, 6.524272860912269), "standard deviation with n - 1");
    ok(s.outliers == 2, "2 and 30 lie outside Tukey's fences");
    ok(s.has_ci && close_to(s.ci_lo, 11.0) && close_to(s.ci_hi, 13.5),
       "of 11 samples the interval runs from the second to the tenth");
}

/* The values of k were computed with integers of any length. */
static void test_ranks(void)
{
    static const size_t expected[][2] = {
        {0, 0},   {1, 0},   {2, 0},    {5, 0},    {6, 1},     {7, 1},     {8, 1},
        {9, 2},   {11, 2},  {12, 3},   {15, 4},   {17, 5},    {20, 6},    {30, 10},
        {50, 18}, {70, 27}, {100, 40}, {101, 41}, {500, 228}, {999, 469}, {1000, 469}};
    enum { COUNT = sizeof expected / sizeof expected[0] };
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT; i++) {
        size_t k = stats_ci_rank(expected[i][0]);
        if (k != expected[i][1]) {
            printf("# n %zu: got %zu, expected %zu\n", expected[i][0], k, expected[i][1]);
            wrong++;
        }
    }
    ok(wrong == 0, "ranks up to n = 1000 are those of the exact binomial");
    ok(stats_ci_rank(2000) == 956 && stats_ci_rank(5000) == 2431,
       "the normal approximation gives the exact ranks of 2000 and 5000");
    size_t falls = 0;
    for (size_t n = 1; n < 3000; n++)
        falls += stats_ci_rank(n + 1) < stats_ci_rank(n);
    ok(falls == 0, "ranks never fall as n grows");
}

static void test_few_samples(void)
{
    static const double five[] = {5, 4, 3, 2, 1};
    stats_summary s;
    memset(&s, 0xff, sizeof s);
    ok(stats_summarize(NULL, 0, &s) == SCAN_OK && s.n == 0 && !s.has_ci && !s.has_stddev,
       "no samples, no statements");
    ok(stats_summarize(five, 1, &s) == SCAN_OK && close_to(s.median, 5) && close_to(s.q1, 5) &&
           close_to(s.q3, 5) && close_to(s.mad, 0) && !s.has_stddev && !s.has_ci,
       "one sample has a median but neither spread nor interval");
    ok(stats_summarize(five, 2, &s) == SCAN_OK && close_to(s.median, 4.5) && s.has_stddev,
       "two samples have a standard deviation");
    ok(stats_summarize(five, 5, &s) == SCAN_OK && !s.has_ci, "five samples have no 95 %% interval");
    ok(five[0] > 4.5 && five[4] < 1.5, "the samples are not written");
}

static void test_odd_samples(void)
{
    double samples[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    stats_summary s;
    ok(stats_summarize(samples, 8, &s) == SCAN_OK && close_to(s.stddev, 0) && s.outliers == 0,
       "equal samples have no spread");
    samples[3] = NAN;
    ok(stats_summarize(samples, 8, &s) == SCAN_INVALID, "NaN is refused");
    samples[3] = INFINITY;
    ok(stats_summarize(samples, 8, &s) == SCAN_INVALID, "infinity is refused");
    ok(s.n == 8 && close_to(s.median, 7), "what is refused leaves the summary as it was");
    for (int i = 0; i < 8; i++)
        samples[i] = 1e15 + i;
    ok(stats_summarize(samples, 8, &s) == SCAN_OK && close_to(s.stddev, sqrt(6)),
       "a small spread on a great mean does not cancel");
}

/* The interval must contain the true median of an exponential distribution in at least 95 % of
 * 20000 trials, except for their noise. */
static void test_coverage(void)
{
    enum { TRIALS = 20000, N = 25 };
    unsigned long long state = 20240607;
    double samples[N];
    int covered = 0;
    stats_summary s;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < N; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            samples[i] = -log(((double)(state >> 11u) + 0.5) / 9007199254740992.0);
        }
        if (stats_summarize(samples, N, &s) != SCAN_OK)
            break;
        covered += s.ci_lo <= log(2) && log(2) <= s.ci_hi;
    }
    double share = (double)covered / TRIALS;
    ok(share > 0.95 && share < 0.965, "the interval covers the median in %.4f of all trials",
       share);
}

int main(void)
{
    tap_plan(9 + 3 + 5 + 5 + 1);
    test_eleven_samples();
    test_ranks();
    test_few_samples();
    test_odd_samples();
    test_coverage();
    return tap_done();
}
