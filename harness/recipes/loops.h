/*
 * loops.h - what the loops of a formula stand for in a file, and which rows belong to each of their
 * values
 */
#ifndef SCANBENCH_RECIPES_LOOPS_H
#define SCANBENCH_RECIPES_LOOPS_H

#include "recipes/selection.h"

/* One value of each loop, as text. */
typedef struct loop_values {
    char values[FORMULA_LOOPS][SELECTION_VALUE_BYTES];
} loop_values;

typedef struct loops {
    const formula *f;
    selection of[FORMULA_FACTORS]; /* of each selector, whatever the loops say; by n */
    bool is_measured;              /* each selector has rows */
    loop_values *list;             /* each once, in order; one of nothing if there are no loops */
    size_t count;
    /* Private. */
    size_t capacity, n_loop;
} loops;

/* SCAN_OK and *loops_p, released with loops_free; or SCAN_NO_MEMORY. */
scan_status loops_make(const report *r, size_t file, const formula *f, loops *loops_p);
void loops_free(loops *l);

/* The rows of a selector that have these values, one after the other from *at_p = 0 on; NULL behind
 * the last. A row that lacks a column has any value of it. */
const result_row *loops_next(const loops *l, size_t selector, const loop_values *b, size_t *at_p);

/* "n=1e6, block=256"; "" without loops. */
void loops_describe(const formula *f, const loop_values *b, char *text, size_t size);

#endif
