/*
 * rounds.h - when rounds are enough, what a visit takes, and the order of the visits in a round
 *
 * All samples of a configuration that are taken one after the other share the state of the
 * machine at that moment, so another run contradicts them. Rounds spread them over a group's
 * time, and every round visits the configurations in another order.
 */
#ifndef SCANBENCH_SWEEP_ROUNDS_H
#define SCANBENCH_SWEEP_ROUNDS_H

#include "protocol/job.h"
#include "protocol/visit.h"

/* X(name, word): the word stands in the CSV's stop_reason. */
#define STOP_MAP(X)             \
    X(NOT_YET, "")              \
    X(ROUNDS, "rounds")         \
    X(TIME_LIMIT, "time_limit") \
    X(PRECISION, "precision")   \
    X(ONCE, "once")

#define STOP_ENUMERATOR(name, word) STOP_##name,
typedef enum stop_reason { STOP_MAP(STOP_ENUMERATOR) } stop_reason;
#undef STOP_ENUMERATOR

/* "" for STOP_NOT_YET. Static text. */
const char *stop_reason_word(stop_reason reason);

/* How many rounds. Fewer than ROUNDS_FEWEST give no interval. */
enum { ROUNDS_FEWEST = 6, ROUNDS_LEAST = 10, ROUNDS_WANTED = 20, ROUNDS_MOST = 40 };

typedef struct rounds_rule {
    size_t min_samples, max_samples; /* of each configuration */
    size_t least_rounds; /* before precision ends them, even if more than ROUNDS_MOST; 0:
                            ROUNDS_WANTED */
    double time_limit_s; /* of each configuration's visits; a group has their sum */
    double patience; /* this many times as much time, and as many rounds, until they are precise;
                        0: no more than once */
} rounds_rule;

/* The rounds that are over. */
typedef struct rounds_state {
    size_t rounds;
    size_t configurations; /* that share the time */
    size_t left;           /* of them neither over nor spent */
    size_t fewest_rounds;  /* that one of those was visited in */
    size_t fewest_samples; /* of one of those */
    bool precise;          /* all of those: stats_rounds */
    double elapsed_s;      /* of all visits */
} rounds_state;

/* Has a configuration had so much time that it is not visited any more? Twice its time is enough
 * for ROUNDS_FEWEST, four times for any number of rounds; patience multiplies that. */
bool rounds_are_spent(const rounds_rule *rule, size_t rounds, double elapsed_s);

/*
 * Are they enough, and why? Precision is asked for at every fifth round from ROUNDS_WANTED on,
 * because asking after each until the answer is yes makes intervals cover less than they
 * promise. When the group's time is up, ROUNDS_LEAST are enough; with patience, if they are
 * precise.
 */
stop_reason rounds_check(const rounds_rule *rule, const rounds_state *state);

/* The earliest time at which round `round` begins, in seconds after the first: what takes a few
 * milliseconds is spread over a quarter of the group's time, because the machine's state (its
 * frequency, its other work) stays the same for longer than that. */
double rounds_earliest_s(const rounds_rule *rule, size_t configurations, size_t round);

/* How often a configuration is visited, and with how many samples. */
typedef struct rounds_pace {
    uint32_t samples; /* a visit */
    uint32_t every;   /* 1: it is visited in every round, 2: in every other; slow ones leave time */
} rounds_pace;

/* copies: its visits copy to a device and back, too. */
rounds_pace rounds_pace_of(const rounds_rule *rule, const visit_estimate *estimate, bool copies);

/* What a visit takes of a configuration that has `taken` samples; without samples where it needs
 * none any more. */
visit rounds_visit(const rounds_rule *rule, const visit_estimate *estimate, const rounds_pace *pace,
                   size_t taken);

/* Of the trips (copy, run, copy back) of visit v, how many it takes in round `round` after `taken`
 * of trip_ns each: copies can take hundreds of times as long as the run, which would then be
 * visited in few rounds. So they are spread over the rounds as far as half of the time allows. */
uint32_t rounds_trips(const rounds_rule *rule, const visit *v, size_t round, size_t taken,
                      double trip_ns);

/* A stream of orders: those of one job's group are the same in each run. */
typedef struct rounds_order {
    uint64_t state;
} rounds_order;

rounds_order rounds_order_of(const job *j);
/* Puts 0 ... count-1 in the next order. */
void rounds_shuffle(rounds_order *order, uint32_t *turns, size_t count);

#endif
