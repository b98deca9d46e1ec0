#include "sweep/forecast.h"

#include "problem/dtype.h"

#include <math.h>

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
    g->array_bytes = (double)c->job.n * (double)dtype_bytes(c->job.dtype);
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
