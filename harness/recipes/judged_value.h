/*
 * judged_value.h - a formula at one value of its loops: which rows it means, what stands on its
 * left
 */
#ifndef SCANBENCH_RECIPES_JUDGED_VALUE_H
#define SCANBENCH_RECIPES_JUDGED_VALUE_H

#include "recipes/loops.h"

/* X(name, word) */
#define JUDGEMENT_MAP(X)           \
    X(HOLDS, "holds")              \
    X(FAILS, "does not hold here") \
    X(UNKNOWN, "cannot be told")   \
    X(UNMEASURED, "was not measured") /* the file has no rows for it */

#define JUDGEMENT_ENUMERATOR(name, word) JUDGEMENT_##name,
typedef enum judgement { JUDGEMENT_MAP(JUDGEMENT_ENUMERATOR) } judgement;
#undef JUDGEMENT_ENUMERATOR

/* The formula at one value of its loops. */
typedef struct judged_value {
    char where[192];                         /* "n=1e6, block=256"; "" without loops */
    const result_row *rows[FORMULA_FACTORS]; /* of each selector */
    size_t tied[FORMULA_FACTORS];            /* how many others cannot be told from the best */
    report_ratio ratio;                      /* of all that is on the left, and its interval */
    judgement judgement;
    judgement by_medians; /* HOLDS or FAILS */
    bool is_uncertain;    /* it would fail, but not certainly among so many */
} judged_value;

/* Finds the rows at these values of the loops, and sets `where`, `rows`, `tied` and `ratio`. false
 * if a selector has no row there, or does not mean one; why not is then in `problem`, unless that
 * has a text already. `sequential`: the file was measured one configuration after the other. */
enum { JUDGED_PROBLEM_BYTES = 512 };
bool judged_value_find(const loops *over, const loop_values *at, bool sequential, judged_value *v,
                       char problem[JUDGED_PROBLEM_BYTES]);

#endif
