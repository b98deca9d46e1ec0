/*
 * stop_rule.h - decides when a group has enough samples
 */
#ifndef SCANBENCH_WORKER_STOP_RULE_H
#define SCANBENCH_WORKER_STOP_RULE_H

#include <stddef.h>

/* X(name, word): the word is the CSV's stop_reason. */
#define STOP_MAP(X)               \
    X(NOT_YET, "")                \
    X(MAX_SAMPLES, "max_samples") \
    X(TIME_LIMIT, "time_limit")   \
    X(PRECISION, "precision")     \
    X(ONCE, "once")

#define STOP_ENUMERATOR(name, word) STOP_##name,
typedef enum stop_reason { STOP_MAP(STOP_ENUMERATOR) } stop_reason;
#undef STOP_ENUMERATOR

typedef struct stop_rule {
    size_t min_samples, max_samples;
    double time_limit_s;
} stop_rule;

/*
 * Are these `count` samples, taken in `elapsed_s` seconds, enough, and why? Precision is tested at
 * every tenth sample. When the time is up, six samples are enough, because fewer give no interval.
 * After four times the limit, any number is enough.
 */
stop_reason stop_rule_check(const stop_rule *rule, const double *ns, size_t count,
                            double elapsed_s);

/* "" for STOP_NOT_YET. Static text. */
const char *stop_reason_word(stop_reason reason);

#endif
