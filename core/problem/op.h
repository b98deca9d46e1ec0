/*
 * op.h - lookups in the table of operators at run time
 */
#ifndef SCANBENCH_PROBLEM_OP_H
#define SCANBENCH_PROBLEM_OP_H

#include "problem/dtype.h"

typedef enum op_result {
    OP_ADDS,     /* a sum, with or without factors: rounded on floats */
    OP_GREATEST, /* the greater operand */
    OP_LEAST,    /* the lesser operand */
    OP_BITS      /* made of the operands' bits */
} op_result;

/* The dtypes, as bits, on which op is defined; 0 for an unknown one. */
uint64_t op_dtypes(uint32_t op);
/* Is op defined on dtype? */
bool op_takes_dtype(uint32_t op, uint32_t dtype);
/* The first operator that is defined on dtype. A copy needs no operator, but its input does. */
uint32_t op_first_on(uint32_t dtype);

op_result op_gives(uint32_t op);
/* Is the result the greater or the lesser operand? */
bool op_selects(uint32_t op);
bool op_commutes(uint32_t op);
/* Do results depend on how a scan associates, as float sums do? */
bool op_rounds(uint32_t op, uint32_t dtype);

#endif
