/*
 * group.h - the configurations that are compared with each other: the same n, dtype, op and
 * kind (with --kinds any, either kind), and the ceilings of that n and dtype. They are measured
 * together, in rounds.
 */
#ifndef SCANBENCH_SWEEP_GROUP_H
#define SCANBENCH_SWEEP_GROUP_H

#include "protocol/calibrator.h"
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
    MEMBER_DROPPED /* so it is: it lost its race (race.h), with samples, but not compared at its end
                    */
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

#endif
