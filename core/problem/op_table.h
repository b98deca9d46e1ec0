/*
 * op_table.h - all that the host knows about operators, including their arithmetic
 *
 * Each operator of the contract (SCAN_OP_MAP) has its line here; nothing else in the host lists
 * operators, except reference_test.c, which computes each independently.
 * X(name, dtypes, result, order, identity, left (+) right):
 *
 *   dtypes    where it is defined: a list of dtype_table.h
 *   result    of left (+) right, an op_result (op.h), which decides how outputs are
 *             compared and which input reveals most
 *   order     COMMUTES or ORDERED
 *   identity  and
 *   (+)       are expressions, compiled once for each dtype. They may use
 *
 *       l, r            the left and the right element
 *       LEAST, GREATEST the ends of the dtype, in an identity
 *       ADD, MUL        l + r and l * r of two components: integers wrap
 *       LESS            is l < r?
 *       PAIR(a, b)      a pair; its halves are l.a and l.b
 */
#ifndef SCANBENCH_PROBLEM_OP_TABLE_H
#define SCANBENCH_PROBLEM_OP_TABLE_H

#include "problem/dtype_table.h"

/* clang-format off */
#define OP_TABLE(X) \
    X(SUM,    SCALAR_DTYPES, ADDS,     COMMUTES, 0,          ADD(l, r))              \
    X(MAX,    SCALAR_DTYPES, GREATEST, COMMUTES, LEAST,      (LESS(l, r) ? r : l))   \
    X(MIN,    SCALAR_DTYPES, LEAST,    COMMUTES, GREATEST,   (LESS(r, l) ? r : l))   \
    X(AFFINE, PAIR_DTYPES,   ADDS,     ORDERED,  PAIR(1, 0), PAIR(MUL(l.a, r.a), ADD(MUL(l.b, r.a), r.b)))
/* clang-format on */

#endif
