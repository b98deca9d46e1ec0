/*
 * judged_list.h - the claims of all recipes, judged in the files that they are about
 *
 * A recipe of the name of a CSV is about that one alone: figure_a.recipe about figure_a.csv, if it
 * is among the files. Another recipe is about all of them.
 */
#ifndef SCANBENCH_RECIPES_JUDGED_LIST_H
#define SCANBENCH_RECIPES_JUDGED_LIST_H

#include "recipes/judgement.h"
#include "recipes/recipe_list.h"

typedef struct judged_recipe {
    const recipe *recipe;
    judged_claim **of_file; /* its claims in each file; NULL: it is not about that file */
} judged_recipe;

typedef struct judged_list {
    judged_recipe *recipes;
    size_t count;
    size_t file_count;
} judged_list;

/* SCAN_OK and *list_p, which refers to both and is released with judged_list_free; or
 * SCAN_NO_MEMORY. */
scan_status judged_list_make(const report *r, const recipe_list *recipes, judged_list *list_p);

/* Accepts a zeroed one. */
void judged_list_free(judged_list *list);

/* A claim in a file; NULL if it was not measured there. */
const judged_claim *judged_list_claim(const judged_recipe *from, size_t file, size_t claim);

#endif
