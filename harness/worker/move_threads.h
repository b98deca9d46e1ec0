/*
 * move_threads.h - where the threads of this process run, changed for a while
 */
#ifndef SCANBENCH_WORKER_MOVE_THREADS_H
#define SCANBENCH_WORKER_MOVE_THREADS_H

#include "system/topology.h"

#include <sched.h>
#include <stdint.h>

enum { MOVE_THREADS_UNITS = 256 };

typedef struct move_threads {
    cpu_set_t before; /* of the calling thread */
    int units[MOVE_THREADS_UNITS];
    size_t unit_count; /* this process may use */
} move_threads;

void move_threads_begin(move_threads *m_p, const cpu_topology *machine);
/* All threads to one processing unit; each to one of its own choice; or to any of them. `random`
 * decides. A thread that run starts goes where the calling thread is. */
void move_threads_to_one(const move_threads *m, uint64_t random);
void move_threads_apart(const move_threads *m, uint64_t random);
void move_threads_anywhere(const move_threads *m);
/* Puts the calling thread back; the others may go anywhere. */
void move_threads_end(const move_threads *m);

#endif
