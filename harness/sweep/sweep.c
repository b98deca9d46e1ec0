#include "sweep/sweep.h"

#include "problem/dtype.h"
#include "supervisor/interrupt.h"

#include <math.h>

typedef struct sweep {
    const plan *plan;
    session *sessions;
    const sweep_options *o;
    const sweep_listener *listener;
    errmsg *error;
} sweep;

bool sweep_has(const sweep_listener *listener, const session *sessions, const configuration *c)
{
    const measurement m = {.session = &sessions[c->session], .configuration = c};
    return listener->has && listener->has(listener->context, &m);
}

/* The ceilings that an earlier group has measured, if there is anything to compare with them. */
static void borrow_ceilings(const sweep *s, const group_range *range, group *g)
{
    const bool measured = group_left(g) > 0;
    for (size_t i = range->ceilings; measured && i < range->ceilings_end && i < range->first; i++) {
        const configuration c = plan_get(s->plan, i);
        if (c.status == ROW_OK && !sweep_has(s->listener, s->sessions, &c))
            group_add(g, &c)->role = MEMBER_BORROWED;
    }
}

double sweep_time_limit_s(const group *g)
{
    double time_s = 0;
    const size_t count = g->count - g->calibrators;
    for (size_t i = 0; i < count; i++)
        time_s += g->members[i].configuration.job.time_limit_s;
    return count ? time_s / (double)count : 1;
}

/* Calibrators have a say in intervals alone. */
static void calibrate(const sweep *s, group *g)
{
    const bool rounds = !s->o->alone && s->o->max_samples >= ROUNDS_FEWEST;
    if (s->o->calibrators > 0 && rounds && group_left(g) > 0)
        group_add_calibrators(g, s->o->calibrators);
}

static scan_status measure_members(const sweep *s, group *g)
{
    const sweep_options *o = s->o;
    const measure_options how = {.rule = {.min_samples = o->min_samples,
                                          .max_samples = o->max_samples,
                                          .least_rounds = o->least_rounds,
                                          .time_limit_s = sweep_time_limit_s(g)},
                                 .run_only = o->race,
                                 .race = o->race,
                                 .mem_limit = o->mem_limit,
                                 .watcher = s->listener->watcher};
    scan_status status = measure_group(g, &how);
    if (status == SCAN_NO_MEMORY)
        return errmsg_set(s->error, status, "out of memory");
    if (status == SCAN_INVALID)
        return errmsg_set(s->error, status, "a worker sent a value that is not a time");
    return status == SCAN_OK ? status : errmsg_set(s->error, status, "%s", "");
}

/* One group, from its configurations to what the listener makes of it. */
static scan_status measure(const sweep *s, const group_range *range)
{
    group g;
    const size_t calibrators = (size_t)CALIBRATOR_COUNT * CACHE_STATE_COUNT;
    const size_t most =
        range->end - range->first + (range->ceilings_end - range->ceilings) + calibrators;
    if (group_begin(&g, s->sessions, most) != SCAN_OK)
        return errmsg_set(s->error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = range->first; i < range->end; i++) {
        const configuration c = plan_get(s->plan, i);
        if (!sweep_has(s->listener, s->sessions, &c))
            group_add(&g, &c);
    }
    borrow_ceilings(s, range, &g);
    calibrate(s, &g);
    scan_status status = measure_members(s, &g);
    if (status == SCAN_OK && s->listener->done)
        status = s->listener->done(s->listener->context, &g, s->error);
    group_free(&g);
    return status;
}

scan_status sweep_measure(const plan *p, session *sessions, const sweep_options *o,
                          const sweep_listener *listener, errmsg *error)
{
    const sweep s = {.plan = p, .sessions = sessions, .o = o, .listener = listener, .error = error};
    group_range range = {0};
    for (;;) {
        range = group_next(p, &range, o->alone);
        if (range.first == range.end)
            return SCAN_OK;
        if (interrupt_requested())
            return errmsg_set(error, SCAN_ERROR, "%s", "");
        scan_status status = measure(&s, &range);
        if (status != SCAN_OK)
            return status;
    }
}

/* ---- the forecast ---- */

/* The guess: rounds are precise after half of their time, and what opens, checks and closes a
 * configuration reads and writes its arrays many times. */
#define ROUNDS_SHARE 0.5
#define SECONDS_PER_BYTE 1.5e-8

/* The share of its cost that a group is expected to need at least, when it takes longer. */
#define LEAST_LEFT 0.03

static size_t class_of(const forecast_group *g)
{
    const double power = log2(fmax(g->array_bytes, 1));
    return power < FORECAST_CLASSES ? (size_t)power : FORECAST_CLASSES - 1;
}

static double guess_s(const forecast_group *g)
{
    return (double)g->configurations *
           (ROUNDS_SHARE * g->time_limit_s + SECONDS_PER_BYTE * g->array_bytes);
}

/* The factor of the nearest class of which a group has ended. */
static double factor_at(const forecast *f, size_t class)
{
    for (size_t away = 0; away < FORECAST_CLASSES; away++) {
        if (class >= away && f->factor[class - away] > 0)
            return f->factor[class - away];
        if (class + away < FORECAST_CLASSES && f->factor[class + away] > 0)
            return f->factor[class + away];
    }
    return 1;
}

void forecast_add(forecast *f, const forecast_group *g)
{
    f->configurations += g->configurations;
    f->groups += g->configurations > 0;
    f->guess_s[class_of(g)] += guess_s(g);
}

static void count(forecast_group *g, const configuration *c)
{
    if (c->status != ROW_OK)
        return;
    g->array_bytes = (double)job_moved_bytes(&c->job) / 2;
    g->time_limit_s = c->job.time_limit_s;
    g->configurations++;
}

void forecast_add_plan(forecast *f, const plan *p, const sweep_options *o,
                       const sweep_listener *listener)
{
    group_range range = group_next(p, &(group_range){0}, o->alone);
    for (; range.first < range.end; range = group_next(p, &range, o->alone)) {
        forecast_group g = {.configurations = 0};
        for (size_t i = range.first; i < range.end; i++) {
            const configuration c = plan_get(p, i);
            if (!sweep_has(listener, p->sessions, &c))
                count(&g, &c);
        }
        forecast_add(f, &g);
    }
}

void forecast_begin(forecast *f, const group *g)
{
    f->current = (forecast_group){.configurations = 0};
    for (size_t i = 0; i < g->count; i++)
        if (g->members[i].role == MEMBER_OWN)
            count(&f->current, &g->members[i].configuration);
    f->guess_s[class_of(&f->current)] -= guess_s(&f->current);
}

void forecast_end(forecast *f, double took_s)
{
    const double expected_s = guess_s(&f->current);
    if (expected_s > 0)
        f->factor[class_of(&f->current)] = took_s / expected_s;
    f->current.configurations = 0;
}

double forecast_left_s(const forecast *f, double elapsed_s)
{
    const double cost_s = guess_s(&f->current) * factor_at(f, class_of(&f->current));
    double left_s = fmax(cost_s - elapsed_s, LEAST_LEFT * cost_s);
    for (size_t i = 0; i < FORECAST_CLASSES; i++)
        left_s += fmax(f->guess_s[i], 0) * factor_at(f, i);
    return left_s;
}
