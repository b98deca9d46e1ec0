#include "recipes/recipe_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_recipe(const struct dirent *entry)
{
    static const char end[] = ".recipe";
    const size_t length = strlen(entry->d_name);
    return length >= sizeof end && strcmp(entry->d_name + length + 1 - sizeof end, end) == 0;
}

/* The recipes of a folder, behind each other in `list`; how many. -1 on failure, with errno. */
static int list_folder(const char *path, recipe_list *list)
{
    struct dirent **found = NULL;
    const int count = scandir(path, &found, is_recipe, alphasort);
    bool good = count >= 0;
    if (good) {
        list->paths = calloc((size_t)count + 1, sizeof *list->paths);
        good = list->paths != NULL;
    }
    for (int i = 0; i < count; i++) {
        good = good && asprintf(&list->paths[i], "%s/%s", path, found[i]->d_name) >= 0;
        free(found[i]);
    }
    free(found);
    return good ? count : -1;
}

/* The files that the path means. */
static scan_status list_paths(const char *path, recipe_list *list, errmsg *error)
{
    struct stat about;
    int count = 1;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        count = list_folder(path, list);
    } else {
        list->paths = calloc(2, sizeof *list->paths);
        if (!list->paths || !(list->paths[0] = strdup(path)))
            count = -1;
    }
    if (count > 0)
        list->recipes = calloc((size_t)count + 1, sizeof *list->recipes);
    if (count > 0 && list->recipes)
        return SCAN_OK;
    if (count == 0)
        return errmsg_set(error, SCAN_INVALID, "%s: no *.recipe in this folder", path);
    return errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
}

scan_status recipe_list_read(const char *path, recipe_list *list_p, errmsg *error)
{
    recipe_list list = {.count = 0};
    scan_status status = list_paths(path, &list, error);
    while (status == SCAN_OK && list.paths && list.recipes && list.paths[list.count]) {
        status = recipe_read(list.paths[list.count], &list.recipes[list.count], error);
        if (status == SCAN_OK)
            list.count++;
    }
    if (status == SCAN_OK)
        *list_p = list;
    else
        recipe_list_free(&list);
    return status;
}

void recipe_list_free(recipe_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        recipe_free(&list->recipes[i]);
    for (size_t i = 0; list->paths && list->paths[i]; i++)
        free(list->paths[i]);
    free(list->paths);
    free(list->recipes);
    *list = (recipe_list){0};
}
