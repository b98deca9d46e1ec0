/*
 * dtype.h - lookups in the table of dtypes at run time
 */
#ifndef SCANBENCH_PROBLEM_DTYPE_H
#define SCANBENCH_PROBLEM_DTYPE_H

#include "problem/dtype_table.h"

#include <stdbool.h>

typedef struct dtype_info {
    unsigned bytes;      /* of an any_element */
    unsigned components; /* of an element: 2 for pairs */
    unsigned bits;       /* of a component */
    bool is_signed;
    unsigned digits; /* of a float's significand; 0 for integers */
    unsigned exact;  /* bits of a level in exact inputs */
} dtype_info;

/* What is known about a dtype; all 0 for an unknown one. Never NULL. */
const dtype_info *dtype_get(uint32_t dtype);

/* Bytes per element, 0 for an unknown dtype. */
size_t dtype_bytes(uint32_t dtype);
bool dtype_is_float(uint32_t dtype);
/* Is it a float of 16 bits, whose sums are made in f32 or wider and rounded once? */
bool dtype_is_half(uint32_t dtype);
/* True for integers, false for pairs of integers. */
bool dtype_is_integer(uint32_t dtype);

/*
 * Results wider than the input. In the host a result is written as in scan_problem: 0 is the
 * input's type, t + 1 is the dtype t.
 */
#define RESULT_OF(dtype) ((dtype) + 1)
/* The dtype of such a result. */
static inline uint32_t result_dtype(uint32_t dtype, uint32_t result)
{
    return result ? result - 1 : dtype;
}
/* Is `to` of the same sort, signed, unsigned or float, and has more bits? Pairs never. */
bool dtype_widens(uint32_t from, uint32_t to);
/* The result of --results wide: i32, u32 and f32 of narrower types, else one of twice the bits; 0
 * where there is none. */
uint32_t dtype_wide_result(uint32_t dtype);
/* Converts `count` elements to a dtype that widens theirs; the arrays do not overlap. */
void dtype_widen(uint32_t from, const void *in, uint32_t to, void *out, size_t count);

/* One line of the table as a constant dtype_info. */
#define DTYPE_INFO(name, T, W, digits, exact, ...)                                 \
    {                                                                              \
        sizeof(name##_element), sizeof(name##_element) / sizeof(T), 8 * sizeof(T), \
            (digits) > 0 || (T)-1 < (T)1, digits, exact                            \
    }

/* An element of each dtype in C: I32_element is int32_t, U32X2_element a struct. */
#define DTYPE_SCALAR(name, T, ...) typedef T name##_element;
#define DTYPE_PAIR(name, T, ...)    \
    typedef struct name##_element { \
        T a, b;                     \
    } name##_element;
SCALAR_DTYPES(DTYPE_SCALAR, )
PAIR_DTYPES(DTYPE_PAIR, )
#undef DTYPE_SCALAR
#undef DTYPE_PAIR

#endif
