/*
 * recipe_list.h - the recipes of a file, or of all *.recipe in a folder, in the order of their
 * names
 */
#ifndef SCANBENCH_RECIPES_RECIPE_LIST_H
#define SCANBENCH_RECIPES_RECIPE_LIST_H

#include "recipes/recipe.h"

typedef struct recipe_list {
    recipe *recipes;
    char **paths;
    size_t count;
} recipe_list;

/* As recipe_read; a folder without recipes is SCAN_INVALID. Released with recipe_list_free. */
scan_status recipe_list_read(const char *path, recipe_list *list_p, errmsg *error);
void recipe_list_free(recipe_list *list);

#endif
