/*
 * element.h - one element of any dtype: its value, its text
 */
#ifndef SCANBENCH_PROBLEM_ELEMENT_H
#define SCANBENCH_PROBLEM_ELEMENT_H

#include "problem/dtype.h"

/* An element begins where the union begins; the member for a dtype has its name: I32. */
#define ELEMENT_MEMBER(name, ...) name##_element name;
typedef union any_element {
    ALL_DTYPES(ELEMENT_MEMBER, )
} any_element;
#undef ELEMENT_MEMBER

/* `value` as an element; `second` is the other half of a pair. An integer too narrow for the value
 * keeps its lowest bits. */
any_element element_of(uint32_t dtype, double value, double second);

/* The least or the greatest element; for floats -infinity or infinity. */
any_element element_end(uint32_t dtype, bool greatest);

/* Are two elements equal by value? -0 equals 0, and NaN equals nothing. */
bool element_same(uint32_t dtype, const void *one, const void *other);

enum { ELEMENT_TEXT_BYTES = 80 }; /* enough for any */
/* One element as text, floats in full precision: "-7", "0.1", "(3, 5)". Returns `text`. */
const char *element_text(uint32_t dtype, const void *from, char *text, size_t bytes);

#endif
