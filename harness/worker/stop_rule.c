#include "worker/stop_rule.h"

#include "stats/stats.h"

enum { FEWEST_SAMPLES = 6, EVERY = 10, LATEST = 4 };

stop_reason stop_rule_check(const stop_rule *rule, const double *ns, size_t count, double elapsed_s)
{
    stats_summary summary;
    if (count >= rule->max_samples)
        return STOP_MAX_SAMPLES;
    if (elapsed_s >= rule->time_limit_s &&
        (count >= FEWEST_SAMPLES || elapsed_s >= LATEST * rule->time_limit_s))
        return STOP_TIME_LIMIT;
    if (count >= rule->min_samples && count % EVERY == 0 &&
        stats_summarize(ns, count, &summary) == SCAN_OK && stats_enough(&summary))
        return STOP_PRECISION;
    return STOP_NOT_YET;
}

#define WORD(name, word) [STOP_##name] = word,
const char *stop_reason_word(stop_reason reason)
{
    static const char *const words[] = {STOP_MAP(WORD)};
    return words[reason];
}
#undef WORD
