/* stop_rule_test.c - when a group of samples is enough, and what its reason is called */
#include "stats/stats.h"
#include "tap.h"
#include "worker/stop_rule.h"

enum { MOST = 200 };

static const stop_rule rule = {.min_samples = 20, .max_samples = MOST, .time_limit_s = 1};

static stop_reason after(const double *ns, size_t count, double elapsed_s)
{
    return stop_rule_check(&rule, ns, count, elapsed_s);
}

int main(void)
{
    double even[MOST], wild[MOST];
    for (int i = 0; i < MOST; i++) {
        even[i] = 1000 + i % 2;
        wild[i] = 1000 + 500 * (i % 7);
    }
    tap_plan(12);
    ok(after(even, 20, 0.1) == STOP_PRECISION, "precise samples are enough");
    ok(after(even, 21, 0.1) == STOP_NOT_YET, "that is asked at every tenth sample alone");
    ok(after(even, 10, 0.1) == STOP_NOT_YET, "and not before min_samples");
    ok(after(wild, 100, 0.1) == STOP_NOT_YET, "samples that scatter are not enough");
    ok(after(wild, MOST, 0.1) == STOP_MAX_SAMPLES, "unless there are max_samples");
    ok(after(wild, 30, 1) == STOP_TIME_LIMIT, "or the time is up");
    ok(after(wild, 6, 1) == STOP_TIME_LIMIT, "for which six are enough");
    ok(after(wild, 5, 1) == STOP_NOT_YET && after(wild, 5, 3.9) == STOP_NOT_YET,
       "and five are not");
    ok(after(wild, 1, 4) == STOP_TIME_LIMIT, "until four times the limit have passed");
    ok(stats_ci_rank(6) > 0 && stats_ci_rank(5) == 0, "fewer than six give no interval");
    ok(strcmp(stop_reason_word(STOP_PRECISION), "precision") == 0 &&
           strcmp(stop_reason_word(STOP_TIME_LIMIT), "time_limit") == 0 &&
           strcmp(stop_reason_word(STOP_MAX_SAMPLES), "max_samples") == 0 &&
           strcmp(stop_reason_word(STOP_ONCE), "once") == 0,
       "the words are those of the CSV's stop_reason");
    is_text(stop_reason_word(STOP_NOT_YET), "", "and there is none before");
    return tap_done();
}
