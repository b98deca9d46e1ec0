#include "sweep/group_cost.h"

#include "sweep/rounds_cost.h"

#include <math.h>
#include <stdlib.h>

/* What is expected of a plugin that was not measured yet, by the bytes of an array: to open and
 * close a configuration besides its runs, and a run. */
#define OPENING_BASE_S 0.02
#define OPENING_SLOPE_S 1e-8
#define OPENING_SLOPE_ERROR_S 5e-9
#define OPENING_ERROR_S 0.1
#define RUN_BASE_NS 2e3
#define RUN_SLOPE_NS 0.25
#define RUN_SLOPE_ERROR_NS 2.5
#define RUN_ERROR_NS 500.0

/* How often a configuration runs, about, while it is opened and closed. */
#define OPENING_RUNS 4

/* How far the rounds of one group may correct those of others. */
#define FACTOR_MOST 4.0

scan_status group_costs_make(const session *sessions, size_t session_count, const rounds_rule *rule,
                             group_costs *costs_p)
{
    session_costs *of = calloc(session_count + 1, sizeof *of);
    if (!of)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < session_count; i++)
        of[i] = (session_costs){
            .opening_s = {.base = OPENING_BASE_S,
                          .slope = OPENING_SLOPE_S,
                          .slope_error = OPENING_SLOPE_ERROR_S,
                          .error = OPENING_ERROR_S},
            .run_ns = {.base = RUN_BASE_NS,
                       .slope = RUN_SLOPE_NS,
                       .slope_error = RUN_SLOPE_ERROR_NS,
                       .error = RUN_ERROR_NS},
            .copies = sessions[i].plugin->device_memory,
        };
    *costs_p = (group_costs){.of = of, .session_count = session_count, .rule = *rule};
    return SCAN_OK;
}

void group_costs_free(group_costs *costs)
{
    free(costs->of);
    costs->of = NULL;
}

/* ---- what a group is expected to cost --------------------------------------- */

/* The lesson of the nearest size, or what is expected without one. */
static lesson lesson_for(const group_costs *costs, double array_bytes)
{
    lesson nearest = {.factor = 1, .rounds = ROUNDS_MOST};
    double least = INFINITY;
    for (size_t i = 0; i < costs->lesson_count && i < LESSONS; i++) {
        const double distance = fabs(log((array_bytes + 1) / (costs->lessons[i].array_bytes + 1)));
        if (distance <= least) {
            least = distance;
            nearest = costs->lessons[i];
        }
    }
    return nearest;
}

/* How long the rounds of a group are expected to take, if `precise` rounds are precise enough. */
static double play(const group_costs *costs, const group_members *g, double precise)
{
    const rounds_cost_group played = {.rule = {.min_samples = costs->rule.min_samples,
                                               .max_samples = costs->rule.max_samples,
                                               .least_rounds = costs->rule.least_rounds,
                                               .time_limit_s = g->time_limit_s},
                                      .precise = precise};
    rounds_cost *cost = rounds_cost_new(&played, g->count);
    if (!cost) /* then the openings are all that is known */
        return 0;
    for (size_t i = 0; i < g->count; i++) {
        const session_costs *c = &costs->of[g->sessions[i]];
        const rounds_cost_member m = {.run_ns = cost_curve_at(&c->run_ns, g->array_bytes),
                                      .copies = c->copies,
                                      .calibrator = i + g->calibrators >= g->count};
        rounds_cost_add(cost, &m);
    }
    return rounds_cost_end(cost);
}

double group_costs_rounds_s(const group_costs *costs, const group_members *g)
{
    const lesson l = lesson_for(costs, g->array_bytes);
    return l.factor * play(costs, g, l.rounds);
}

static double runs_s(const session_costs *c, double array_bytes)
{
    return OPENING_RUNS * 1e-9 * cost_curve_at(&c->run_ns, array_bytes);
}

static double opening_of(const session_costs *c, double array_bytes)
{
    return fmax(cost_curve_at(&c->opening_s, array_bytes) + runs_s(c, array_bytes), 0);
}

double group_costs_opening_s(const group_costs *costs, const group_members *g, uint32_t of)
{
    return opening_of(&costs->of[of], g->array_bytes);
}

double group_costs_openings_s(const group_costs *costs, const group_members *g, double ratio)
{
    double opening_s = 0;
    for (size_t i = 0; i < g->count; i++) {
        const session_costs *c = &costs->of[g->sessions[i]];
        const bool known = cost_curve_knows(&c->opening_s, g->array_bytes);
        opening_s += (known ? 1 : ratio) * opening_of(c, g->array_bytes);
    }
    return opening_s;
}

/* ---- what groups have cost --------------------------------------------------- */

void group_costs_begin(group_costs *costs)
{
    for (size_t i = 0; i < costs->session_count; i++)
        costs->of[i].openings = costs->of[i].closings = costs->of[i].runs = 0;
}

/* Adds to a sum and its count, and notes their mean. */
static void note_mean(cost_curve *curve, double size, double value, double *sum, size_t *count)
{
    *sum = (*count > 0 ? *sum : 0) + value;
    ++*count;
    cost_curve_note(curve, size, *sum / (double)*count);
}

void group_costs_opened(group_costs *costs, const group_members *g, uint32_t of, double opening_s)
{
    session_costs *c = &costs->of[of];
    note_mean(&c->opening_s, g->array_bytes, opening_s - runs_s(c, g->array_bytes),
              &c->opening_sum_s, &c->openings);
}

void group_costs_closed(group_costs *costs, const group_members *g, uint32_t of, double opening_s)
{
    session_costs *c = &costs->of[of];
    note_mean(&c->opening_s, g->array_bytes, opening_s - runs_s(c, g->array_bytes),
              &c->closing_sum_s, &c->closings);
}

void group_costs_estimated(group_costs *costs, const group_members *g, uint32_t of, double run_ns)
{
    session_costs *c = &costs->of[of];
    note_mean(&c->run_ns, g->array_bytes, run_ns, &c->run_sum_ns, &c->runs);
}

void group_costs_learn(group_costs *costs, const group_members *g, const group_rounds *rounds)
{
    lesson l = {.array_bytes = g->array_bytes,
                .rounds = rounds->precise ? (double)rounds->rounds : ROUNDS_MOST};
    const double expected_s = play(costs, g, l.rounds);
    if (expected_s <= 0)
        return;
    l.factor = fmin(fmax(rounds->rounds_s / expected_s, 1 / FACTOR_MOST), FACTOR_MOST);
    costs->lessons[costs->lesson_count++ % LESSONS] = l;
}
