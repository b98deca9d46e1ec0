/*
 * group_cost.h - how long a group takes: from what configurations usually cost, and from what those
 * of similar size have really cost
 *
 * A group costs what it takes to open and close its members, which grows with their arrays, and
 * the time of its rounds. These are played through with the rules of rounds.h and the duration of
 * a run. Both durations are known for the sizes that were measured, are extended along a line to
 * larger ones, and start from a guess. What the rounds of the finished group of the nearest size
 * took besides is expected of others too.
 */
#ifndef SCANBENCH_SWEEP_GROUP_COST_H
#define SCANBENCH_SWEEP_GROUP_COST_H

#include "supervisor/session.h"
#include "sweep/cost_curve.h"
#include "sweep/rounds.h"

/* What a group is made of. */
typedef struct group_members {
    double array_bytes; /* of one array of a configuration */
    double time_limit_s;
    const uint32_t *sessions; /* of the members that are measured, count of them */
    size_t count;
    size_t calibrators; /* the last of them: they have no share of the time */
} group_members;

/* What the rounds of a finished group took. */
typedef struct group_rounds {
    double rounds_s; /* without opening and closing */
    size_t rounds;
    bool precise; /* no more rounds were needed */
} group_rounds;

typedef struct session_costs {
    cost_curve opening_s; /* without OPENING_RUNS runs */
    cost_curve run_ns;
    /* Sums over members of the current group, and over how many: */
    double opening_sum_s, closing_sum_s, run_sum_ns;
    size_t openings, closings, runs;
    bool copies; /* to a device and back */
} session_costs;

/* What a finished group teaches. */
typedef struct lesson {
    double array_bytes;
    double factor; /* the time of its rounds over the expected one */
    double rounds; /* after which it was precise */
} lesson;

/* How many lessons are kept. */
enum { LESSONS = 32 };

typedef struct group_costs {
    session_costs *of; /* by session */
    size_t session_count;
    rounds_rule rule;
    lesson lessons[LESSONS];
    size_t lesson_count; /* so far: later ones replace the first */
} group_costs;

/* SCAN_OK and *costs_p, released with group_costs_free; or SCAN_NO_MEMORY. */
scan_status group_costs_make(const session *sessions, size_t session_count, const rounds_rule *rule,
                             group_costs *costs_p);
void group_costs_free(group_costs *costs);

/* Seconds to open and close all members. Where nothing is known of their size yet, they take
 * `ratio` times as long as expected. */
double group_costs_openings_s(const group_costs *costs, const group_members *g, double ratio);
/* Seconds to open and close one member, of session `of`. */
double group_costs_opening_s(const group_costs *costs, const group_members *g, uint32_t of);
/* Seconds of all rounds. */
double group_costs_rounds_s(const group_costs *costs, const group_members *g);

/* A group begins. What follows is told of its members, and the means are kept. */
void group_costs_begin(group_costs *costs);
/* A member of session `of` was opened: to open and close it takes opening_s, as far as that tells.
 */
void group_costs_opened(group_costs *costs, const group_members *g, uint32_t of, double opening_s);
/* It was closed: to open and close it took opening_s. */
void group_costs_closed(group_costs *costs, const group_members *g, uint32_t of, double opening_s);
/* A run of it takes run_ns. */
void group_costs_estimated(group_costs *costs, const group_members *g, uint32_t of, double run_ns);
/* The group is finished. */
void group_costs_learn(group_costs *costs, const group_members *g, const group_rounds *rounds);

#endif
