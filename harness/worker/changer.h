/*
 * changer.h - a thread that changes the input in the middle of an interval of runs
 *
 * Where an interval holds many runs, a change between two of them would make a pause, which a
 * plugin could tell by the clock. So another thread, on another processing unit, changes the input
 * and poisons outputs at a random moment. The thread that runs notes which run begins, in every
 * interval; it reads nothing that the other one writes, because waiting for that would be a pause,
 * too. The other one reads that note when its changes are made. Both live for one interval.
 */
#ifndef SCANBENCH_WORKER_CHANGER_H
#define SCANBENCH_WORKER_CHANGER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct trial;
struct spot_check;

/* What the thread that runs notes; in cache lines of their own. */
typedef struct interval_notes {
    char before[64];
    atomic_bool begun;
    char between[64];
    atomic_uint run; /* the number of the last that has begun */
    char behind[64];
} interval_notes;

typedef struct changer {
    struct trial *t;
    const struct spot_check *check;
    double after_ns; /* from the first run of the interval to the changes */
    pthread_t thread;
    atomic_bool ready;
    unsigned begun; /* the run that had begun last when they were made */
    double cpu_ns;  /* that the thread took */
} changer;

/* Starts the thread, which waits for the next interval. false where this process may use no other
 * processing unit, or there is no thread to be had. Ended by changer_end. */
bool changer_start(changer *c_p, struct trial *t, const struct spot_check *check, double after_ns);
/* Waits until they are made and ends the thread. Returns the number, in the interval, of the first
 * run that is certain to have found all of them. */
uint64_t changer_end(changer *c);

#endif
