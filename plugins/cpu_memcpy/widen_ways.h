/*
 * widen_ways.h - ways to copy elements into wider ones, of which the value stays
 */
#ifndef WIDEN_WAYS_H
#define WIDEN_WAYS_H

#include "copy_ways.h"
#include "scan_plugin.h"

/* Converts `count` elements from `from` to `to`, each aligned for its type, in those of the ways of
 * copy_ways.h that widen_way_exists knows. */
typedef void widen_loop(void *to, const void *from, size_t count, copy_way way);

bool widen_way_exists(copy_way way);

/* The loop for a pair of SCAN_WIDE_1_1 or SCAN_WIDE_HALF_1_1, with the widest instructions that
 * this CPU has. */
widen_loop *widen_loop_of(uint32_t dtype);

/* How many sets of instructions there are, the widest first, and the loop in one of them; NULL
 * where this CPU lacks it. For tests. */
size_t widen_sets(void);
widen_loop *widen_loop_in(size_t set, uint32_t dtype);

#endif
