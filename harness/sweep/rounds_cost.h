/*
 * rounds_cost.h - how long the rounds of a group take, played through with the rules of rounds.h
 */
#ifndef SCANBENCH_SWEEP_ROUNDS_COST_H
#define SCANBENCH_SWEEP_ROUNDS_COST_H

#include "sweep/rounds.h"

typedef struct rounds_cost rounds_cost;

typedef struct rounds_cost_group {
    rounds_rule rule;
    double precise; /* rounds after which all are precise enough */
} rounds_cost_group;

/* Of a group of at most `capacity` measured members. NULL if out of memory. */
rounds_cost *rounds_cost_new(const rounds_cost_group *g, size_t capacity);

typedef struct rounds_cost_member {
    double run_ns;
    bool copies;     /* to a device and back */
    bool calibrator; /* it has no share of the time */
} rounds_cost_member;

void rounds_cost_add(rounds_cost *cost, const rounds_cost_member *m);
/* The duration in seconds. Releases `cost`. */
double rounds_cost_end(rounds_cost *cost);

#endif
