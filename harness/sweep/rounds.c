#include "sweep/rounds.h"

#include "problem/splitmix.h"
#include <math.h>

/* A configuration that is visited in every third round has seven visits in ROUNDS_WANTED. */
enum { ASK_EVERY = 5, LEAST_OFTEN = 3 };

/* Runs below SHORT_NS are sampled more often, because that costs little. One of LONG_NS needs
 * none before it that warms up the machine. */
#define SHORT_NS 1e6
#define LONG_NS 1e8

/* The share of a group's time over which ROUNDS_WANTED are spread at least. */
#define SPREAD 0.25

#define WORD(name, word) [STOP_##name] = word,
const char *stop_reason_word(stop_reason reason)
{
    static const char *const words[] = {STOP_MAP(WORD)};
    return words[reason];
}
#undef WORD

bool rounds_are_spent(const rounds_rule *rule, size_t rounds, double elapsed_s)
{
    const double limits = elapsed_s / rule->time_limit_s / fmax(rule->patience, 1);
    return (limits >= 2 && rounds >= ROUNDS_FEWEST) || limits >= 4;
}

stop_reason rounds_check(const rounds_rule *rule, const rounds_state *state)
{
    const bool sampled = state->fewest_samples >= rule->min_samples;
    const bool precise = state->precise && state->rounds % ASK_EVERY == 0;
    const double times = precise ? 1 : fmax(rule->patience, 1);
    const double time_s = times * rule->time_limit_s * (double)state->configurations;
    const size_t most = rule->least_rounds > ROUNDS_MOST ? rule->least_rounds : ROUNDS_MOST;
    if (state->left == 0)
        return STOP_TIME_LIMIT;
    if (state->fewest_samples >= rule->max_samples)
        return STOP_ROUNDS;
    if (sampled && precise && state->rounds >= ROUNDS_WANTED && state->rounds >= rule->least_rounds)
        return STOP_PRECISION;
    if (sampled && (double)state->rounds >= times * (double)most)
        return STOP_ROUNDS;
    return state->elapsed_s >= time_s && state->fewest_rounds >= ROUNDS_LEAST ? STOP_TIME_LIMIT
                                                                              : STOP_NOT_YET;
}

double rounds_earliest_s(const rounds_rule *rule, size_t configurations, size_t round)
{
    return SPREAD * rule->time_limit_s * (double)configurations * (double)round / ROUNDS_WANTED;
}

/* Does a sample cost little? */
static bool is_short(const visit_estimate *estimate)
{
    return estimate->run_ns + estimate->before_ns < SHORT_NS;
}

/* The time of a visit, roughly. */
static double visit_ns_of(const visit_estimate *estimate, const visit *v, bool copies)
{
    const uint32_t others = copies ? 3 * v->trips : 0;
    const uint32_t runs = v->batch * (v->untimed + v->samples) + others;
    return estimate->run_ns * runs + estimate->before_ns * (v->samples + others);
}

rounds_pace rounds_pace_of(const rounds_rule *rule, const visit_estimate *estimate, bool copies)
{
    const double time_ns = rule->time_limit_s * 1e9 / ROUNDS_WANTED;
    rounds_pace pace = {.samples = is_short(estimate) ? 5 : 3, .every = 1};
    visit v = rounds_visit(rule, estimate, &pace, 0);
    if (!is_short(estimate) && visit_ns_of(estimate, &v, copies) > time_ns)
        pace.samples = v.samples = 1;
    while (pace.every < LEAST_OFTEN && visit_ns_of(estimate, &v, copies) > pace.every * time_ns)
        pace.every++;
    return pace;
}

visit rounds_visit(const rounds_rule *rule, const visit_estimate *estimate, const rounds_pace *pace,
                   size_t taken)
{
    const size_t left = taken < rule->max_samples ? rule->max_samples - taken : 0;
    size_t most = rule->max_samples / ROUNDS_WANTED;
    visit v = {.untimed = estimate->run_ns < SHORT_NS ? 2 : estimate->run_ns < LONG_NS,
               .samples = pace->samples,
               .recorded = is_short(estimate) ? 8 : 1,
               .trips = is_short(estimate) ? 2 : 1,
               .batch = estimate->batch};
    if (most < 1)
        most = 1;
    if (v.samples > most)
        v.samples = (uint32_t)most;
    if (v.samples > left)
        v.samples = (uint32_t)left;
    return v;
}

/* The share of a configuration's time that its trips may take, beyond ROUNDS_FEWEST of them. */
#define TRIPS_SHARE 0.5

uint32_t rounds_trips(const rounds_rule *rule, const visit *v, size_t round, size_t taken,
                      double trip_ns)
{
    if (taken == 0 || trip_ns < SHORT_NS)
        return v->trips;
    /* What would be taken with one more, and when it is due. */
    const double time_ns = trip_ns * (double)(taken + 1), limit_ns = rule->time_limit_s * 1e9;
    const double due = (double)(round + 1) / ROUNDS_WANTED;
    const bool few = (double)(taken + 1) <= ROUNDS_FEWEST * due && time_ns <= limit_ns;
    return few || time_ns <= TRIPS_SHARE * limit_ns * due ? 1 : 0;
}

rounds_order rounds_order_of(const job *j)
{
    const uint64_t parts[] = {j->n, j->dtype, j->op, j->kind, job_rows(j), job_inner(j), j->result};
    rounds_order order = {.state = j->seed};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        order.state = splitmix_next(&order.state) ^ parts[i];
    return order;
}

void rounds_shuffle(rounds_order *order, uint32_t *turns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        turns[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)(splitmix_next(&order->state) % i);
        const uint32_t turn = turns[i - 1];
        turns[i - 1] = turns[other];
        turns[other] = turn;
    }
}
