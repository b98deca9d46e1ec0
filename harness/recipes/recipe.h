/*
 * recipe.h - what to measure, and what somebody claims of it, as a text file
 *
 *     # a comment
 *     title   Padding
 *     measure --plugins cuda_blelloch,cuda_blelloch_bca --sizes 1e6..1e8
 *     source  Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007
 *
 *     claim   Padding makes the tree faster at all sizes.
 *     source  their table 2
 *     expect  for each n: median(cuda_blelloch) / median(cuda_blelloch_bca) > 1
 *
 * A line is a keyword and a text; a line that begins with a blank goes on with the one before.
 * `title` comes first; `measure` holds the arguments of scanbench, without --csv. Each `claim` has
 * one `expect` or several, formulas (formula.h) that have all to hold. A `source` before the first
 * claim is that of all.
 */
#ifndef SCANBENCH_RECIPES_RECIPE_H
#define SCANBENCH_RECIPES_RECIPE_H

#include "recipes/formula.h"

typedef struct recipe_expectation {
    char *text; /* of the formula, in one line */
    formula formula;
} recipe_expectation;

typedef struct recipe_claim {
    char *text;
    char *source; /* or NULL */
    recipe_expectation *expectations;
    size_t count; /* at least 1 */
} recipe_claim;

typedef struct recipe {
    char *title;
    char *measure, *source; /* or NULL */
    recipe_claim *claims;
    size_t count; /* at least 1 */
} recipe;

/* Reads a file. SCAN_OK and *recipe_p, released with recipe_free; SCAN_INVALID, and `error` names
 * line and column and says what to write; SCAN_ERROR or SCAN_NO_MEMORY. */
scan_status recipe_read(const char *path, recipe *recipe_p, errmsg *error);

/* The same for a text; `name` stands for the path in messages. */
scan_status recipe_parse(const char *text, const char *name, recipe *recipe_p, errmsg *error);

/* Accepts a zeroed one. */
void recipe_free(recipe *r);

#endif
