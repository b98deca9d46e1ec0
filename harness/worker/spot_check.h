/*
 * spot_check.h - does a timed run do its work? Looked at in every visit, outside the timing
 *
 * Before one of the samples, at random, a few elements of the input are changed at random places
 * and words of the output are poisoned, now and then the last among them; when the run returns,
 * those words are read and later compared. Changes are such that a few outputs alone differ: two
 * neighbours are exchanged, or changed so that their combination stays the same. So what is
 * expected follows from the prefixes of the input at every SPOT_STRIDE-th element, which the first
 * full comparison leaves, and never takes a whole scan. Afterwards the input is put back.
 *
 * Nothing of this comes from a seed, so that a plugin cannot know it by heart.
 */
#ifndef SCANBENCH_WORKER_SPOT_CHECK_H
#define SCANBENCH_WORKER_SPOT_CHECK_H

#include "problem/reference.h"
#include "worker/spot_stores.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

enum { SPOT_STRIDE = 1024, SPOT_CHANGES = 4, SPOT_PLACES = SPOT_CHANGES + 4 };
_Static_assert(2 * SPOT_CHANGES + SPOT_PLACES <= SPOT_STORES, "every change is a store");

/* The prefixes of one input, of all configurations of a worker. Zeros: of none yet. */
typedef struct spot_table {
    input_spec spec;
    bool copy; /* of a ceiling */
    uint64_t count;
    reference_point *points; /* before each SPOT_STRIDE-th element */
} spot_table;

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

/* What copies of a few bytes to and from a device take, at best; ns. 0: unknown. */
typedef struct spot_times {
    uint32_t looks;
    uint32_t late;           /* of these, the ones where the device was still at work after run */
    double late_ns;          /* what copying out right after run took, at the last of them */
    double in_ns, poison_ns; /* copying into the input, and into the output */
    double idle_ns;          /* copying out when nothing was asked of the device before */
    double run_ns;
} spot_times;

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

/* Chooses places for a visit; the input is in the buffers. Before anything is timed. */
bool spot_check_plan(struct trial *e, spot_check *check_p);
/* Changes the input and poisons outputs, right before a run. */
bool spot_check_begin(struct trial *e, spot_check *check);
/* Reads them, right after that run, which took run_ns, and puts the input back. */
bool spot_check_end(struct trial *e, spot_check *check, double run_ns);
/* Compares what was read, if anything was. When all samples are taken. */
bool spot_check_compare(struct trial *e, const spot_check *check);
/* When a configuration is closed: was work of run done in copies? May destroy the instance. */
bool spot_check_judge(struct trial *e);

/* The points of the input that is about to be compared in full, to be filled by the comparison
 * (reference_keep); NULL if they are there, or if there is no memory for them. When it has ended,
 * spot_table_filled says whether it came to its end. */
reference_point *spot_table_to_fill(struct trial *e);
void spot_table_filled(struct trial *e, bool whole);
void spot_table_free(spot_table *table);

#endif
