/*
 * rounds_cost.h - how long the rounds of a group take, played through with the rules of rounds.h
 */
#ifndef SCANBENCH_SWEEP_ROUNDS_COST_H
#define SCANBENCH_SWEEP_ROUNDS_COST_H

#include "sweep/rounds.h"

typedef struct rounds_cost rounds_cost;

typedef struct rounds_cost_group {
    rounds_rule rule;
    size_t idle;    /* members that are not measured, but have a share of the time */
    double precise; /* rounds after which all are precise enough */
} rounds_cost_group;

/* Of a group of at most `capacity` measured members. NULL if out of memory. */
rounds_cost *rounds_cost_new(const rounds_cost_group *g, size_t capacity);
/* Adds a member whose run takes so long, and which copies to a device and back or does not. */
void rounds_cost_add(rounds_cost *cost, double run_ns, bool copies);
/* The duration in seconds. Releases `cost`. */
double rounds_cost_end(rounds_cost *cost);

#endif
