/*
 * cost_curve.h - a duration that grows with the size of arrays: known at the sizes that were
 * measured, a line between them, and a guess beyond them
 */
#ifndef SCANBENCH_SWEEP_COST_CURVE_H
#define SCANBENCH_SWEEP_COST_CURVE_H

#include <stdbool.h>
#include <stddef.h>

enum { COST_CURVE_POINTS = 12 };

typedef struct cost_curve {
    double base, slope; /* of the guess: base + slope * size */
    double slope_error; /* how wrong its slope may be */
    double error;       /* how wrong a measured cost may be */
    size_t count;
    struct cost_point {
        double size, cost;
    } points[COST_CURVE_POINTS]; /* by ascending size */
} cost_curve;

/* Notes what a size has cost; the last note of a size counts. */
void cost_curve_note(cost_curve *c, double size, double cost);
bool cost_curve_knows(const cost_curve *c, double size);

/*
 * The cost of a size. Beyond the largest known one the curve goes on with a slope between that of
 * the last two and the guess, each weighted by the inverse square of its error: from two small
 * sizes next to nothing is seen of a slope.
 */
double cost_curve_at(const cost_curve *c, double size);

#endif
