/*
 * group_watch.h - load and stolen time of the machine during the rounds of a group
 */
#ifndef SCANBENCH_SWEEP_GROUP_WATCH_H
#define SCANBENCH_SWEEP_GROUP_WATCH_H

#include "sweep/group.h"

typedef struct group_watch {
    char *stat; /* /proc/stat at the beginning, or NULL */
    bool has_load;
    double load;
} group_watch;

void group_watch_begin(group_watch *w_p);
/* Fills in the circumstances of all members, and releases w. */
void group_watch_end(group_watch *w, group *g);

/* The processing units in the text of a binding, "core:1 pu:1 node:0"; NULL if it names none. */
const char *group_watch_pus(const char *binding, char *pus, size_t size);

#endif
