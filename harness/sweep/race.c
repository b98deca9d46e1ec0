#include "sweep/race.h"

#include <math.h>

/* The median of its rounds, or NaN where they are too few. */
static double median_of(const group_entry *m)
{
    const measurement_phase *run = measurement_run(&m->measurement);
    stats_rounds rounds = {.n = 0};
    if (!run || stats_rounds_summarize(run->values, run->value_count, &rounds) != SCAN_OK ||
        rounds.n < RACE_FEWEST)
        return NAN;
    return rounds.median;
}

static bool competes(const group_entry *m)
{
    return m->state != MEMBER_DROPPED &&
           !(group_entry_is_over(m) && m->measurement.result.status != ROW_OK);
}

const group_entry *race_best(const group *g, const group_entry *m)
{
    const group_entry *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *other = &g->members[i];
        if (other->configuration.session != m->configuration.session || !competes(other))
            continue;
        const double median = median_of(other);
        if (median < least) {
            least = median;
            best = other;
        }
    }
    return best;
}

stats_rounds race_ratio(const group_entry *m, const group_entry *other)
{
    const measurement_phase *own = measurement_run(&m->measurement),
                            *others = measurement_run(&other->measurement);
    return own && others ? measurement_ratio(own, others) : (stats_rounds){.n = 0};
}

/* The least quotient of the rounds that both have. */
static double least_ratio(const group_entry *m, const group_entry *other)
{
    const measurement_phase *own = measurement_run(&m->measurement),
                            *others = measurement_run(&other->measurement);
    double least = INFINITY;
    for (size_t i = 0; i < own->value_count && i < others->value_count; i++)
        least = fmin(least, own->values[i] / others->values[i]);
    return least;
}

bool race_loses(const group *g, const group_entry *m)
{
    const group_entry *best = race_best(g, m);
    if (group_entry_is_over(m) || m->role != MEMBER_OWN || !best || best == m)
        return false;
    const stats_rounds ratio = race_ratio(m, best);
    if (ratio.n < RACE_FEWEST)
        return false;
    return (ratio.has_ci && ratio.lo > RACE_NEAR) || least_ratio(m, best) > RACE_FAR;
}
