/*
 * spot_table.h - the prefixes of an input at every SPOT_STRIDE-th element: what an output anywhere
 * must be follows from them and the elements of one block
 *
 * The first full comparison leaves them on its way, so that they cost nothing.
 */
#ifndef SCANBENCH_WORKER_SPOT_TABLE_H
#define SCANBENCH_WORKER_SPOT_TABLE_H

#include "problem/reference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

enum { SPOT_STRIDE = 1024 };

/* Of one input, for all configurations of a worker. Zeros: of none yet. */
typedef struct spot_table {
    input_spec spec;
    bool copy; /* of a ceiling */
    uint64_t count;
    reference_point *points; /* before each SPOT_STRIDE-th element */
} spot_table;

/* The points of the input that is about to be compared in full, to be filled by the comparison
 * (reference_keep); NULL if they are there, or if there is no memory for them. When it has ended,
 * spot_table_filled says whether it came to its end. */
reference_point *spot_table_to_fill(struct trial *e);
void spot_table_filled(struct trial *e, bool whole);
/* For a trial that has not been compared yet, and where there was no memory for it then: fills the
 * table unless it is there. false if that set a fault. */
bool spot_table_need(struct trial *e);
void spot_table_free(spot_table *table);

/* Elements of the input, as they are in memory. */
typedef struct spot_block {
    uint64_t first;
    size_t count, width;
    _Alignas(any_element) unsigned char bytes[SPOT_STRIDE * sizeof(any_element)];
} spot_block;

/* Reads at most `count` elements of the block of that number. */
void spot_block_read(const input_spec *spec, uint64_t number, size_t count, spot_block *b_p);
void *spot_block_at(spot_block *b, size_t i);

/* What the output of the trial is compared with, from its first element on. */
reference spot_reference(const struct trial *e);

#endif
