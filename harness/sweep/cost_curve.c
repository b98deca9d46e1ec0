#include "sweep/cost_curve.h"

#include <math.h>
#include <string.h>

/* A measured cost is wrong by this share of it, at least. */
#define RELATIVE_ERROR 0.05

/* The index of the first point that is not smaller. */
static size_t place_of(const cost_curve *c, double size)
{
    size_t at = 0;
    while (at < c->count && c->points[at].size < size)
        at++;
    return at;
}

bool cost_curve_knows(const cost_curve *c, double size)
{
    const size_t at = place_of(c, size);
    return at < c->count && c->points[at].size <= size;
}

void cost_curve_note(cost_curve *c, double size, double cost)
{
    size_t at = place_of(c, size);
    if (cost_curve_knows(c, size)) {
        c->points[at].cost = cost;
        return;
    }
    if (c->count == COST_CURVE_POINTS) { /* the small ones say least of what is to come */
        memmove(c->points, c->points + 1, (c->count - 1) * sizeof *c->points);
        c->count--;
        at -= at > 0;
    }
    memmove(c->points + at + 1, c->points + at, (c->count - at) * sizeof *c->points);
    c->points[at] = (struct cost_point){.size = size, .cost = cost};
    c->count++;
}

static double beyond(const cost_curve *c, double size)
{
    const struct cost_point *last = &c->points[c->count - 1], *one = last - 1;
    const double error = fmax(c->error, RELATIVE_ERROR * last->cost);
    double slope = c->slope;
    if (c->count > 1) {
        const double apart = last->size - one->size;
        const double seen = (last->cost - one->cost) / apart;
        const double seen_weight = pow(apart / error, 2), weight = pow(c->slope_error, -2);
        slope = (seen * seen_weight + c->slope * weight) / (seen_weight + weight);
    }
    /* Costs that are not negative at size 0 grow no faster than this. */
    const double steepest = (last->cost + c->error) / fmax(last->size, 1);
    return last->cost + fmax(fmin(slope, steepest), 0) * (size - last->size);
}

double cost_curve_at(const cost_curve *c, double size)
{
    if (c->count == 0)
        return c->base + c->slope * size;
    const size_t at = place_of(c, size);
    if (at == c->count)
        return beyond(c, size);
    const struct cost_point *next = &c->points[at];
    if (at == 0 || next->size <= size)
        return next->cost;
    const struct cost_point *one = next - 1;
    return one->cost + (next->cost - one->cost) * (size - one->size) / (next->size - one->size);
}
