/*
 * group.h - the configurations that are compared with each other: the same n, dtype, op and
 * kind (with --kinds any, either kind), and the ceilings of that n and dtype. They are measured
 * together, in rounds.
 */
#ifndef SCANBENCH_SWEEP_GROUP_H
#define SCANBENCH_SWEEP_GROUP_H

#include "protocol/job.h"
#include "sweep/measurement.h"

/* What a member is there for. */
typedef enum member_role {
    MEMBER_OWN,       /* its rows */
    MEMBER_BORROWED,  /* ratios alone: a ceiling that an earlier group has, without rows here */
    MEMBER_CALIBRATOR /* ratios alone, of the harness's own code */
} member_role;

typedef enum member_state {
    MEMBER_CLOSED, /* not yet open in its worker, or lost with it */
    MEMBER_OPEN,
    MEMBER_HOLDS,  /* open, with buffers */
    MEMBER_OVER,   /* its result is known */
    MEMBER_DROPPED /* so it is: it lost its race, and is not compared at its end */
} member_state;

typedef struct group_entry {
    configuration configuration;
    measurement measurement;
    member_role role;
    member_state state;

    /* of measure_group.c */
    bool spent;       /* it has had its time: rounds_are_spent */
    bool visited;     /* in this round */
    unsigned starts;  /* of its session, when it was opened */
    uint64_t last;    /* visit */
    double visits_ns; /* what its visits took */
    visit_estimate estimate;
    rounds_pace pace; /* its `every` is 0 until it is opened for the first time */
} group_entry;

typedef struct group {
    session *sessions;
    group_entry *members;
    size_t count;
    size_t calibrators; /* the last members: those of each state of the caches, or 0 */
    uint32_t *visits;   /* the member of each visit, in the order of time */
    size_t visit_count, visit_capacity;
    stop_reason stop;
} group;

/* Which configurations of a plan form a group, and the ceilings of its n and dtype: they are
 * borrowed where they lie before `first`. */
typedef struct group_range {
    size_t first, end;
    size_t ceilings, ceilings_end;
} group_range;

/* The group that follows `last` (zeros before the first); empty at the plan's end. alone: each
 * configuration is a group. */
group_range group_next(const plan *p, const group_range *last, bool alone);

/* A group of the members that are added, `capacity` at most. SCAN_OK or SCAN_NO_MEMORY; released
 * with group_free. */
scan_status group_begin(group *g_p, session *sessions, size_t capacity);
group_entry *group_add(group *g, const configuration *c);
/* Adds the calibrators, whose sessions begin at `first`, with arrays of the size of the others',
 * in each state of the caches that those have; after all other members. There is room for
 * CALIBRATOR_COUNT * CACHE_STATE_COUNT. */
void group_add_calibrators(group *g, size_t first);
void group_free(group *g);

/* Is its result known? */
bool group_entry_is_over(const group_entry *m);
/* Of how many, but for calibrators, is it not? */
size_t group_left(const group *g);

/* ---- measure_group.c: opens the configurations in their workers, visits them in rounds until that
 * is enough, and closes them ---- */

/* Who shows how far a sweep has come. Each may be NULL. */
typedef struct measure_watcher {
    void (*begin)(void *context, const group *g);
    void (*turn)(void *context, const group_entry *m); /* before a configuration is turned to */
    session_tick tick;                                 /* at every sign of life */
    void (*end)(void *context);
    void *context;
} measure_watcher;

typedef struct measure_options {
    rounds_rule rule;
    bool run_only;          /* no phase but `run` is sampled */
    double pair_half_width; /* unless 0, members stand in pairs: it is the ratio of each pair, and
                               not the time of a member, that has to be as precise as that */
    bool race;          /* settings that are certainly slower than their plugin's best drop out */
    uint64_t mem_limit; /* bytes of host memory for a worker and the arrays of what is open */
    measure_watcher watcher;
} measure_options;

/* With race only the survivors are compared with the reference, at their end. Fills in the
 * measurement of each member. A member that fails has that as its result, and the rounds go on.
 * SCAN_OK; SCAN_NO_MEMORY; SCAN_INVALID if a worker sent what is not a time; SCAN_ERROR when
 * interrupted. */
scan_status measure_group(group *g, const measure_options *o);

/*
 * Who must give its buffers back before m can take its own; NULL where there is room, or nobody
 * left to ask. host_limit: the bytes that all arrays may take of the host's memory.
 *
 * The least recently visited member goes first, but none whose turn in this round is still to
 * come while there is another: it would be needed sooner.
 */
group_entry *room_to_release(const group *g, const group_entry *m, uint64_t host_limit);

/* ---- which settings of a plugin drop out of a group's rounds, because they are certainly slower
 * than its best: a race, as in Maron and Moore, "Hoeffding races", 1994, with the intervals of
 * stats/rounds.h ---- */

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
