/*
 * op_scan.h - computes with operators: identities, and a serial scan
 */
#ifndef SCANBENCH_PROBLEM_OP_SCAN_H
#define SCANBENCH_PROBLEM_OP_SCAN_H

#include "problem/element.h"

/* The identity of op on dtype; zeros where op is not defined on it. */
any_element op_identity(uint32_t op, uint32_t dtype);

/* A scan of one array, piece by piece. */
typedef struct op_scan {
    uint32_t op, dtype; /* op is defined on dtype */
    bool inclusive;
    any_element carry; /* the result of all elements so far, at first the identity */
} op_scan;

/* Each result is an element, so that sums of floats are rounded to the type each time. Of floats of
 * 16 bits that is no right scan: reference_bounded.c makes those sums. */

/* Scans the next `count` elements of `in` to `out`, one after the other. */
void op_scan_next(op_scan *scan, const void *in, void *out, size_t count);

/* The same of `count` scans that lie side by side: the next element of each, whose carry is
 * carries[i]; scan->carry is not used. */
void op_scan_across(const op_scan *scan, any_element *carries, const void *in, void *out,
                    size_t count);

#endif
