/*
 * spot_plan.h - which elements of the input are changed for a look, and which outputs are read
 *
 * Changes are such that a few outputs alone differ: two neighbours are exchanged, or changed so
 * that their combination stays the same. So what is expected follows from the prefixes of the input
 * (spot_table.h) and never takes a whole scan. Nothing of this comes from a seed, so that a plugin
 * cannot know it by heart.
 */
#ifndef SCANBENCH_WORKER_SPOT_PLAN_H
#define SCANBENCH_WORKER_SPOT_PLAN_H

#include "worker/spot_check.h"

/* Chooses places for a visit; the input is in the buffers. Before anything is timed. false if it
 * set a fault. */
bool spot_plan(struct trial *e, spot_check *check_p);

#endif
