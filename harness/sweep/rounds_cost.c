#include "sweep/rounds_cost.h"

#include <math.h>
#include <stdlib.h>

/* What a visit takes besides its runs, and the least duration of a sample: runs are repeated up
 * to it. */
#define VISIT_NS 2e5
#define SAMPLE_NS 4e3

enum { PLAYED_MOST = 4096 };

typedef struct player {
    double visit_ns, spent_ns;
    uint32_t every, samples;
    size_t visits;
    bool calibrator;
} player;

struct rounds_cost {
    rounds_cost_group group;
    size_t count, calibrators;
    player players[];
};

rounds_cost *rounds_cost_new(const rounds_cost_group *g, size_t capacity)
{
    rounds_cost *cost = calloc(1, sizeof *cost + capacity * sizeof *cost->players);
    if (cost)
        cost->group = *g;
    return cost;
}

void rounds_cost_add(rounds_cost *cost, const rounds_cost_member *m)
{
    const rounds_rule *rule = &cost->group.rule;
    const double repeated = m->run_ns < SAMPLE_NS ? ceil(SAMPLE_NS / (m->run_ns + 1)) : 1;
    const visit_estimate estimate = {.run_ns = m->run_ns, .batch = (uint32_t)repeated};
    const rounds_pace pace = rounds_pace_of(rule, &estimate, m->copies);
    const visit v = rounds_visit(rule, &estimate, &pace, 0);
    cost->players[cost->count++] =
        (player){.visit_ns = VISIT_NS + rounds_visit_ns(&estimate, &v, m->copies),
                 .every = pace.every,
                 .samples = v.samples,
                 .calibrator = m->calibrator};
    cost->calibrators += m->calibrator;
}

/* How many members share the time. */
static size_t sharers_of(const rounds_cost *cost)
{
    return cost->count - cost->calibrators;
}

/* Plays one round, and returns what rounds_check then knows. *spent_ns_p: of all so far. */
static rounds_state play_round(rounds_cost *cost, size_t round, double *spent_ns_p)
{
    const rounds_cost_group *g = &cost->group;
    rounds_state state = {.rounds = round + 1,
                          .configurations = sharers_of(cost),
                          .fewest_rounds = round + 1,
                          .fewest_samples = SIZE_MAX,
                          .precise = (double)(round + 1) >= g->precise};
    *spent_ns_p = 0;
    for (size_t i = 0; i < cost->count; i++) {
        player *p = &cost->players[i];
        const bool spent = rounds_are_spent(&g->rule, p->visits, p->spent_ns * 1e-9);
        if (!spent && round % p->every == 0) {
            p->spent_ns += p->visit_ns;
            p->visits++;
        }
        *spent_ns_p += p->spent_ns;
        state.elapsed_s += p->calibrator ? 0 : p->spent_ns * 1e-9;
        if (spent || p->calibrator)
            continue;
        state.left++;
        if (p->visits < state.fewest_rounds)
            state.fewest_rounds = p->visits;
        if (p->visits * p->samples < state.fewest_samples)
            state.fewest_samples = p->visits * p->samples;
    }
    return state;
}

double rounds_cost_end(rounds_cost *cost)
{
    const rounds_cost_group *g = &cost->group;
    double now_s = 0, spent_ns = 0;
    for (size_t round = 0; round < PLAYED_MOST && cost->count > 0; round++) {
        const double earliest_s = rounds_earliest_s(&g->rule, sharers_of(cost), round);
        if (round < ROUNDS_MOST && now_s < earliest_s)
            now_s = earliest_s;
        const double before_ns = spent_ns;
        const rounds_state state = play_round(cost, round, &spent_ns);
        now_s += (spent_ns - before_ns) * 1e-9;
        if (rounds_check(&g->rule, &state) != STOP_NOT_YET)
            break;
    }
    free(cost);
    return now_s;
}
