/*
 * element.h - one element of any dtype: its identity, its text
 */
#ifndef SCANBENCH_PROBLEM_ELEMENT_H
#define SCANBENCH_PROBLEM_ELEMENT_H

#include "scan_plugin.h"

/* The bytes of an element begin where the union begins; pairs are (x[0], x[1]). */
typedef union element {
    uint32_t u32[2];
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    float f32[2];
    double f64;
} element;

/* A value every dtype can hold, `second` being the other half of a pair. */
element element_of(uint32_t dtype, double value, double second);

/* The identity of op on dtype. */
element element_identity(uint32_t op, uint32_t dtype);

/* One element as text, floats in full precision: "-7", "0.1", "(3, 5)". Returns
 * `text`; 80 bytes hold any. */
const char *element_text(uint32_t dtype, const void *from, char *text, size_t bytes);

#endif
