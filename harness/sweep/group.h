/*
 * group.h - the configurations that are compared with each other: the same n, dtype, op and
 * kind (with --kinds any, either kind), and the ceilings of that n and dtype. They are measured
 * together, in rounds.
 */
#ifndef SCANBENCH_SWEEP_GROUP_H
#define SCANBENCH_SWEEP_GROUP_H

#include "protocol/calibrator.h"
#include "sweep/measurement.h"

typedef struct group_entry {
    configuration configuration;
    measurement measurement;
    bool guest; /* it has no rows: a ceiling that an earlier group has, or a calibrator */
    bool calibrator;
    bool dropped; /* it lost its race (race.h): it has samples, but nothing was compared at its end
                   */

    /* of measure_group.c */
    bool over;        /* its result is known */
    bool spent;       /* it has had its time: rounds_are_spent */
    double visits_ns; /* what its visits took */
    bool open;        /* in the worker that its session started as the starts-th */
    bool holds;       /* buffers there */
    bool estimated;   /* visit_estimate is that of its first opening */
    bool visited;     /* in this round */
    bool loses;       /* after this round */
    unsigned starts;
    uint64_t last; /* visit */
    visit_estimate estimate;
    rounds_pace pace;
    double opening_ns; /* what it took to open, release and close it */
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
 * guests where they lie before `first`. */
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
/* A calibrator that was measured in that cache_state; NULL where there is none. */
const measurement *group_calibrator(const group *g, calibrator which, uint32_t cache);
void group_free(group *g);

#endif
