/*
 * rank_loops.h - what a rank does with its slice: the total of it, and the scan from a carry
 */
#ifndef RANK_LOOPS_H
#define RANK_LOOPS_H

#include "scan_plugin.h"

enum { RANK_ELEMENT_BYTES = 8 };

/* One element of any type. */
typedef union rank_element {
    unsigned char bytes[RANK_ELEMENT_BYTES];
    uint64_t aligned;
} rank_element;

typedef struct rank_loops {
    void (*identity)(rank_element *identity_p);
    /* *total_p = *total_p (+) x[0] (+) ... (+) x[n - 1] */
    void (*reduce)(const void *x, uint64_t n, rank_element *total_p);
    /* The scan of x behind `carry`, of each kind. x and y may be one array. */
    void (*scan[SCAN_KIND_COUNT])(const void *x, void *y, uint64_t n, const rank_element *carry);
    /* *right = *left (+) *right */
    void (*join)(const rank_element *left, rank_element *right);
} rank_loops;

/* NULL: the operator is not defined on the type. */
const rank_loops *rank_loops_for(uint32_t op, uint32_t dtype);

#endif
