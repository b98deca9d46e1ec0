/*
 * room.h - which sessions may hold buffers at the same time: the configurations of one use the
 * same, one after the other
 */
#ifndef SCANBENCH_SWEEP_ROOM_H
#define SCANBENCH_SWEEP_ROOM_H

#include "sweep/group.h"

/*
 * Who must give its buffers back before m can take its own; NULL where there is room, or nobody
 * left to ask. host_limit: the bytes that all arrays may take of the host's memory.
 *
 * The least recently visited member goes first, but none whose turn in this round is still to
 * come while there is another: it would be needed sooner.
 */
group_entry *room_to_release(const group *g, const group_entry *m, uint64_t host_limit);

#endif
