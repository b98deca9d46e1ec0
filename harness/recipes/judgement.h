/*
 * judgement.h - whether what a recipe claims holds in a file of results
 *
 * A formula is judged once, or once for each value of its loops. What it compares has an interval
 * if each time on the left can be divided by one of the same rounds (ratio.h), or stands alone with
 * an interval of its own; several such ratios add up in quadrature. It holds if the whole interval
 * is on the right side of the limit, does not hold if the whole interval is on the other side, and
 * cannot be told otherwise.
 *
 * A loop holds if all its values hold. It does not hold if one of them does not, certainly: by
 * Holm's rule (verdict.h), since of 40 values that hold one will seem not to. So it is with the
 * formulas of a claim.
 */
#ifndef SCANBENCH_RECIPES_JUDGEMENT_H
#define SCANBENCH_RECIPES_JUDGEMENT_H

#include "recipes/judged_value.h"
#include "recipes/recipe.h"

typedef struct judged_expectation {
    const recipe_expectation *expectation;
    judged_value *values; /* by their loops */
    size_t count;
    size_t left_out; /* values of the loops at which not all selectors have rows */
    char problem[JUDGED_PROBLEM_BYTES]; /* why nothing can be told, if it is not noise; "" */
    judgement judgement;
} judged_expectation;

typedef struct judged_claim {
    const recipe_claim *claim;
    size_t file;
    judged_expectation *expectations;
    size_t count;
    judgement judgement;
    judgement by_medians; /* of UNKNOWN for want of intervals: HOLDS or FAILS; else UNKNOWN */
} judged_claim;

/* The claims of a recipe in one file of a report. SCAN_OK and *claims_p, as many as the recipe has,
 * which refer to both, released with judged_free; or SCAN_NO_MEMORY. */
scan_status judged_make(const report *r, size_t file, const recipe *from, judged_claim **claims_p);
void judged_free(judged_claim *claims, size_t count);

const char *judgement_word(judgement j);

/* Why a value cannot be told, or ""; static text. */
const char *judged_doubt(const judged_value *v);

#endif
