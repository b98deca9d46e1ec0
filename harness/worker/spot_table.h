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

enum { SPOT_STRIDE = 1024 };

/* Of one input, for all configurations of a worker. Zeros: of none yet. */
typedef struct spot_table {
    input_spec spec;
    bool copy; /* of a ceiling */
    uint64_t count;
    reference_point *points; /* before each SPOT_STRIDE-th element */
} spot_table;

/* Does it hold the points of that input? */
bool spot_table_holds(const spot_table *table, const input_spec *spec, bool copy);
/* Room for the points of an input, in place of those it holds, for whoever passes all of it next
 * (reference_keep); NULL if there is no memory for them. If that comes to no end, the table is to
 * be freed. */
reference_point *spot_table_make_room(spot_table *table, const input_spec *spec, bool copy);
/* The points of the input, which `r`, at its start, passes. SCAN_OK or SCAN_NO_MEMORY. */
scan_status spot_table_fill(spot_table *table, const input_spec *spec, bool copy, reference *r);
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

#endif
