#include "sweep/group.h"

#include "problem/dtype.h"

#include <math.h>
#include <stdlib.h>

static bool is_ceiling(const plan *p, const configuration *c)
{
    return p->sessions[c->session].plugin->role == SCAN_ROLE_CEILING;
}

/* Of the configurations from `first` on, all that can be compared with the first. */
static size_t end_of(const plan *p, size_t first)
{
    configuration one = plan_get(p, first);
    bool copies = is_ceiling(p, &one);
    size_t end = first + 1;
    for (; end < p->count; end++) {
        const configuration next = plan_get(p, end);
        const bool copy = is_ceiling(p, &next);
        if (copies && !copy && job_same_arrays(&one.job, &next.job))
            one = next;
        else if (copy != copies || !job_same_problem(&one.job, &next.job))
            break;
        copies = copy;
    }
    return end;
}

group_range group_next(const plan *p, const group_range *last, bool alone)
{
    group_range range = {.first = last->end, .end = last->end};
    if (range.first == p->count)
        return range;
    if (alone) {
        range.end++;
        return range;
    }
    range.end = end_of(p, range.first);
    const configuration first = plan_get(p, range.first);
    if (is_ceiling(p, &first)) {
        range.ceilings = range.ceilings_end = range.first;
        while (range.ceilings_end < range.end) {
            const configuration c = plan_get(p, range.ceilings_end);
            if (!is_ceiling(p, &c))
                break;
            range.ceilings_end++;
        }
    } else if (last->ceilings < last->ceilings_end) {
        const configuration copy = plan_get(p, last->ceilings);
        if (job_same_arrays(&copy.job, &first.job)) {
            range.ceilings = last->ceilings;
            range.ceilings_end = last->ceilings_end;
        }
    }
    return range;
}

scan_status group_begin(group *g_p, session *sessions, size_t capacity)
{
    group g = {.sessions = sessions, .members = calloc(capacity + 1, sizeof *g.members)};
    if (!g.members)
        return SCAN_NO_MEMORY;
    *g_p = g;
    return SCAN_OK;
}

group_entry *group_add(group *g, const configuration *c)
{
    group_entry *m = &g->members[g->count];
    *m = (group_entry){.configuration = *c};
    m->configuration.job.measure.id = (uint32_t)g->count++;
    m->measurement.session = &g->sessions[c->session];
    m->measurement.configuration = &m->configuration;
    if (c->status != ROW_OK) {
        m->state = MEMBER_OVER;
        m->measurement.result.status = c->status;
        m->measurement.result.fault = fault_with_text(FAULT_IN_WORDS, c->reason);
    }
    return m;
}

/* Arrays that no cache holds are as good as larger ones. */
enum { CALIBRATOR_N_LEAST = 1000, CALIBRATOR_N_MOST = 1 << 24 };

static bool has_state(const group *g, uint32_t cache)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->members[i].role != MEMBER_CALIBRATOR &&
            g->members[i].configuration.job.cache == cache)
            return true;
    return false;
}

void group_add_calibrators(group *g, size_t first)
{
    const job *others = &g->members[0].configuration.job;
    uint64_t n = job_elements(others) / 4 * dtype_bytes(others->dtype);
    if (n < CALIBRATOR_N_LEAST)
        n = CALIBRATOR_N_LEAST;
    if (n > CALIBRATOR_N_MOST)
        n = CALIBRATOR_N_MOST;
    configuration c = {.job = *others, .threads = 1};
    c.job.dtype = SCAN_DTYPE_I32;
    c.job.result = 0;
    c.job.op = SCAN_OP_SUM;
    c.job.n = n;
    c.job.rows = c.job.inner = 1;
    c.job.tunable_count = 0;
    for (c.job.cache = 0; c.job.cache < CACHE_STATE_COUNT; c.job.cache++)
        for (size_t i = 0; i < CALIBRATOR_COUNT && has_state(g, c.job.cache); i++) {
            c.session = first + i;
            c.job.kind = i == CALIBRATOR_COPY ? 0 : SCAN_KIND_EXCLUSIVE;
            group_add(g, &c)->role = MEMBER_CALIBRATOR;
            g->calibrators++;
        }
}

size_t group_left(const group *g)
{
    size_t left = 0;
    for (size_t i = 0; i < g->count - g->calibrators; i++)
        left += !group_entry_is_over(&g->members[i]);
    return left;
}

bool group_entry_is_over(const group_entry *m)
{
    return m->state >= MEMBER_OVER;
}

void group_free(group *g)
{
    for (size_t i = 0; i < g->count; i++)
        measurement_free(&g->members[i].measurement);
    free(g->members);
    free(g->visits);
    *g = (group){0};
}

/* ---- the race ---- */

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
