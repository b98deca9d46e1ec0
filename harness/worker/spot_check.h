/*
 * spot_check.h - does a timed run do its work? Looked at in every visit, outside the timing
 *
 * Before one of the samples, at random, a few elements of the input are changed at random places
 * and words of the output are poisoned, now and then the last among them; when the run returns,
 * those words are read. Afterwards the input is put back. So it is with a sample of what the plugin
 * records, and with a trip of copies and a run. spot_plan.h chooses the places,
 * spot_judge.h compares what was read.
 */
#ifndef SCANBENCH_WORKER_SPOT_CHECK_H
#define SCANBENCH_WORKER_SPOT_CHECK_H

#include "problem/reference.h"
#include "worker/spot_stores.h"
#include "worker/spot_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

enum { SPOT_CHANGES = 4, SPOT_PLACES = SPOT_CHANGES + 4 };
_Static_assert(2 * SPOT_CHANGES + SPOT_PLACES <= SPOT_STORES, "every change is a store");

/* Two neighbours of the input. */
typedef struct spot_change {
    uint64_t index; /* of the first */
    any_element was[2], is[2];
} spot_change;

/* One output that is looked at. */
typedef struct spot_place {
    uint64_t index;
    reference_point before;
    any_element element; /* of the changed input */
    any_element poison, got;
    bool poisoned; /* the last element is not in each visit: who looks at the ends alone sees
                      nothing */
} spot_place;

/* What is done in one visit. */
typedef struct spot_check {
    size_t change_count, place_count;
    spot_change changes[SPOT_CHANGES];
    spot_place places[SPOT_PLACES];
    spot_stores stores; /* what begins a look on the host */
    bool looked;
    spot_times times; /* of this visit */
} spot_check;

/* Each returns false if it set a fault. */

/* Changes the input and poisons outputs, right before a run. */
bool spot_check_begin(struct trial *e, spot_check *check);
/* Reads them, right after that run, and puts the input back. */
bool spot_check_end(struct trial *e, spot_check *check);

#endif
