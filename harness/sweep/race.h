/*
 * race.h - which settings of a plugin drop out of a group's rounds, because they are certainly
 * slower than its best: a race, as in Maron and Moore, "Hoeffding races", 1994, with the intervals
 * of stats/rounds.h
 */
#ifndef SCANBENCH_SWEEP_RACE_H
#define SCANBENCH_SWEEP_RACE_H

#include "sweep/group.h"

/* From RACE_FEWEST rounds on a setting drops out that was RACE_FAR times as slow as the best in
 * each; from ROUNDS_FEWEST on one whose ratio to it is above RACE_NEAR with 95 % confidence. */
enum { RACE_FEWEST = 3 };
#define RACE_FAR 1.15
#define RACE_NEAR 1.01

/* The fastest setting of m's session by the median of its rounds, m itself perhaps; NULL where none
 * has RACE_FEWEST. Those that are over count only if they were measured to the end. */
const group_entry *race_best(const group *g, const group_entry *m);

/* The time of m over that of another, round by round; n = 0 where they share none. */
stats_rounds race_ratio(const group_entry *m, const group_entry *other);

/* Does m drop out after this round? */
bool race_loses(const group *g, const group_entry *m);

#endif
