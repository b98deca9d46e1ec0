#include "sweep/rounds.h"

enum { ASK_EVERY = 5 };

/* Runs below SHORT_NS are sampled more often, because that costs little. One of LONG_NS needs
 * none before it that warms up the machine. */
#define SHORT_NS 1e6
#define LONG_NS 1e8

#define WORD(name, word) [STOP_##name] = word,
const char *stop_reason_word(stop_reason reason)
{
    static const char *const words[] = {STOP_MAP(WORD)};
    return words[reason];
}
#undef WORD

static bool time_is_up(const rounds_rule *rule, const rounds_state *state)
{
    const double limits = state->elapsed_s / rule->time_limit_s;
    return (limits >= 1 && state->rounds >= ROUNDS_LEAST) ||
           (limits >= 2 && state->rounds >= ROUNDS_FEWEST) || limits >= 4;
}

stop_reason rounds_check(const rounds_rule *rule, const rounds_state *state)
{
    const bool sampled = state->fewest_samples >= rule->min_samples;
    if (state->fewest_samples >= rule->max_samples)
        return STOP_ROUNDS;
    if (sampled && state->precise && state->rounds >= ROUNDS_WANTED &&
        state->rounds % ASK_EVERY == 0)
        return STOP_PRECISION;
    if (sampled && state->rounds >= ROUNDS_MOST)
        return STOP_ROUNDS;
    return time_is_up(rule, state) ? STOP_TIME_LIMIT : STOP_NOT_YET;
}

bool rounds_are_short_of_time(const rounds_rule *rule, double full_ns)
{
    return full_ns * ROUNDS_WANTED > rule->time_limit_s * 1e9;
}

visit rounds_visit(const rounds_rule *rule, const visit_estimate *estimate, bool short_of_time,
                   size_t taken)
{
    const bool is_short = estimate->run_ns < SHORT_NS;
    const size_t left = taken < rule->max_samples ? rule->max_samples - taken : 0;
    size_t most = rule->max_samples / ROUNDS_WANTED;
    visit v = {.untimed = is_short ? 2 : estimate->run_ns < LONG_NS,
               .samples = is_short ? 5 : short_of_time ? 1 : 3,
               .recorded = is_short ? 2 : 1,
               .batch = estimate->batch};
    if (most < 1)
        most = 1;
    if (v.samples > most)
        v.samples = (uint32_t)most;
    if (v.samples > left)
        v.samples = (uint32_t)left;
    return v;
}

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static uint64_t next(rounds_order *order)
{
    uint64_t z = order->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

rounds_order rounds_order_of(const job *j)
{
    const uint64_t parts[] = {j->n, j->dtype, j->op, j->kind};
    rounds_order order = {.state = j->seed};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        order.state = next(&order) ^ parts[i];
    return order;
}

void rounds_shuffle(rounds_order *order, uint32_t *turns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        turns[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)(next(order) % i);
        const uint32_t turn = turns[i - 1];
        turns[i - 1] = turns[other];
        turns[other] = turn;
    }
}
