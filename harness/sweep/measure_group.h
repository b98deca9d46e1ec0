/*
 * measure_group.h - measures a group: opens its configurations in their workers, visits them in
 * rounds until that is enough, and closes them
 */
#ifndef SCANBENCH_SWEEP_MEASURE_GROUP_H
#define SCANBENCH_SWEEP_MEASURE_GROUP_H

#include "sweep/group.h"

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
    bool race; /* settings that are certainly slower than their plugin's best drop out: race.h */
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

#endif
