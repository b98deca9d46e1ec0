/*
 * spot_check.h - does a timed run do its work? Looked at in every visit, outside the timing
 *
 * Before one of the samples, at random, a few elements of the input are changed at random places
 * and words of the output are poisoned, now and then the last among them; when the run returns,
 * those words are read. Afterwards the input is put back. So it is with a sample of what the plugin
 * records, and with a trip of copies and a run.
 *
 * Changes are such that a few outputs alone differ: two neighbours in a scan are exchanged, or
 * changed so that their combination stays the same. So what is expected follows from the prefixes
 * of the input and never takes a whole scan. Nothing of this comes from a seed, so that a plugin
 * cannot know it by heart.
 */
#ifndef SCANBENCH_WORKER_SPOT_CHECK_H
#define SCANBENCH_WORKER_SPOT_CHECK_H

#include "problem/reference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

enum { SPOT_STRIDE = 1024, SPOT_CHANGES = 4, SPOT_PLACES = SPOT_CHANGES + 4 };
enum { SPOT_PUTS = 2 * SPOT_CHANGES + SPOT_PLACES };

/* The prefixes of an input at every SPOT_STRIDE-th element of a scan: what an output anywhere must
 * be follows from them and the elements of one block. The first full comparison leaves them on its
 * way, so that they cost nothing. Of one input, for all configurations of a worker; zeros: of none
 * yet. */
typedef struct spot_table {
    input_spec spec;
    bool copy; /* of a ceiling */
    uint64_t count;
    reference_point *points; /* reference_keep */
} spot_table;

/* Does it hold the points of that input? */
bool spot_table_holds(const spot_table *table, const input_spec *spec, bool copy);
/* Room for the points of an input, in place of those it holds, for whoever passes all of it next
 * (reference_keep); NULL if there is no memory for them. If that comes to no end, the table is to
 * be freed. */
reference_point *spot_table_make_room(spot_table *table, const input_spec *spec, bool copy);
void spot_table_free(spot_table *table);

/* Two neighbours in a scan. */
typedef struct spot_change {
    uint64_t index[2];
    any_element was[2], is[2];
} spot_change;

/* One output that is looked at. */
typedef struct spot_place {
    uint64_t index;
    uint64_t at; /* among the elements of its scan */
    reference_point before;
    any_element element; /* of the changed input */
    any_element poison, got;
    bool poisoned; /* the last element is not in each visit: who looks at the ends alone sees
                      nothing */
} spot_place;

/* An element that is written before a run that is looked at. */
typedef struct spot_put {
    bool is_input; /* or poison of an output */
    void *to;      /* on the host */
    size_t offset;
    any_element value, before;
} spot_put;

/* Runs right after a copy, held against runs before which nothing was copied. */
typedef struct spot_pace {
    uint32_t visits; /* that had both */
    uint32_t uneven; /* of these, the ones in which the first took much longer */
} spot_pace;

/* A run by itself, and as it is recorded at each level: SCAN_RECORD_* is the index. */
enum { SPOT_LEVELS = 3 };

/* What copies of a few bytes take around the runs that are looked at, at best; ns. 0: unknown. */
typedef struct spot_times {
    uint32_t looks;
    uint32_t late;           /* of these, the ones where the device was still at work after run */
    double late_ns;          /* what copying out right after run took, at the last of them */
    double in_ns, poison_ns; /* copying into the input, and into the output */
    double idle_ns;          /* copying out when nothing was asked of the device before */
    double run_ns;
    spot_pace paces[SPOT_LEVELS];
} spot_times;

/* What is done in one visit. */
typedef struct spot_check {
    size_t change_count, place_count;
    spot_change changes[SPOT_CHANGES];
    spot_place places[SPOT_PLACES];
    size_t put_count, width, out_width; /* of an element of the input and of the output, in bytes */
    spot_put puts[SPOT_PUTS];
    bool looked;
    spot_times times; /* of this visit */
    /* A run right after the copies of a look, and the shortest of the others; 0: none. */
    double changed_ns, same_ns;
} spot_check;

/* Each that returns a bool: false if it set a fault. */

/* ---- spot_plan.c ---- */

/* Chooses places for a visit; the input is in the buffers. Before anything is timed. */
bool spot_plan(struct trial *t, spot_check *check_p);
/* A comparison of one scan of the input alone, which counts the elements of that scan. */
reference spot_reference(const struct trial *t);

/* ---- spot_check.c ---- */

/* On the host: changes the input, or stores the same elements without a change, and poisons
 * outputs, in some nanoseconds. Runs may be reading them meanwhile. */
void spot_store(const spot_check *check, bool changed);
/* Changes the input and poisons outputs, right before a run. */
bool spot_begin(struct trial *t, spot_check *check);
/* Reads them, right after that run, and puts the input back. */
bool spot_end(struct trial *t, spot_check *check);
/* Both without a touch or a reading: changes the input and poisons outputs, or puts it back. */
bool spot_put_all(struct trial *t, spot_check *check, bool back);
/* Compares what was read, if anything was. When all samples are taken. */
bool spot_judge_outputs(struct trial *t, const spot_check *check);

/* ---- spot_times.c ---- */

/* Keeps the lesser of two times; 0: there is none. */
void spot_keep_least(double *least_p, double ns);
/* How long it takes to ask the device for a few bytes. */
bool spot_time_touch(struct trial *t, double *ns_p);
/* Keeps the times of a look, whose run took run_ns. */
void spot_keep_run(struct trial *t, spot_check *check, double run_ns);
/* Keeps what a visit at that level has shown of runs with and without a look. */
void spot_keep_pace(struct trial *t, uint32_t level, const spot_check *check);
/* When a configuration is closed: do copies take so long that the plugin must be at work in them,
 * or are runs so short where nothing was copied before that it must be idle in them? May destroy
 * the instance. */
bool spot_judge_times(struct trial *t);

#endif
