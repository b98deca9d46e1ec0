/* reference_private.h - what the files of the reference share */
#ifndef SCANBENCH_PROBLEM_REFERENCE_PRIVATE_H
#define SCANBENCH_PROBLEM_REFERENCE_PRIVATE_H

#include "problem/reference.h"

/* What `mode` of a reference says: a scan compared exactly, within a bound, or behind a NaN; or a
 * copy, or the inversion of every bit. */
enum { MODE_EXACT, MODE_BOUNDED, MODE_NAN, MODE_COPY, MODE_INVERTED };

enum {
    PIECE = 512
}; /* elements: two pieces stay in the first-level cache; at most as many of a
      scan are summed until the sum is settled (reference_bounded.c) */

typedef struct piece {
    any_element elements[PIECE]; /* smaller dtypes are packed */
} piece;

/* `count` elements of the input, at most PIECE, in the type of the output: themselves, or in
 * *room_p. */
const void *reference_widened(const reference *check, const void *in, size_t count, piece *room_p);

/* Counts a wrong element. */
void reference_note_wrong(reference *check, uint64_t index, const void *got, const void *expected);

/* Sets what is known before the first element of a scan. */
void reference_begin_scan(reference *check);

/* Adds `count` elements of a scan, before which it has `before` others, to the sum, and compares
 * their outputs, unless `out` is NULL. In mode bounded. */
void reference_compare_bounded(reference *check, uint64_t before, const void *in, const void *out,
                               size_t count);

/* Adds the sum of the elements that come next. */
void reference_sum_append(reference_sum *sum, const reference_sum *next);

/* The value of a sum, rounded to the type. */
any_element reference_sum_element(uint32_t dtype, const reference_sum *sum);

#endif
