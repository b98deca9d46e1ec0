/*
 * selection.h - the rows of a file that a selector of a formula means
 */
#ifndef SCANBENCH_RECIPES_SELECTION_H
#define SCANBENCH_RECIPES_SELECTION_H

#include "recipes/formula.h"
#include "report/report.h"

enum { SELECTION_VALUE_BYTES = 128 };

typedef struct selection {
    const result_row **rows;
    size_t count;
} selection;

/* The rows that meet all conditions, in the phase that the selector names. SCAN_OK and
 * *selection_p, whose rows the caller frees; or SCAN_NO_MEMORY. */
scan_status selection_make(const report *r, size_t file, const formula_selector *s,
                           selection *selection_p);

/* What a row has under a name: "1000000" of n, "1" of pad; "" if it has no such column, which is
 * false. Copied into `value`. */
bool selection_value(const result_row *row, const char *name, char value[SELECTION_VALUE_BYTES]);

/* Does a value match what a condition or loop says? */
bool selection_agrees(const char *value, const char *wanted);

#endif
