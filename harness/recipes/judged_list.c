#include "recipes/judged_list.h"

#include <stdlib.h>
#include <string.h>

/* Are the names of recipe and CSV the same but for their ends? */
static bool is_named_alike(const char *recipe_path, const char *csv)
{
    static const char recipe_end[] = ".recipe", csv_end[] = ".csv";
    const char *one = strrchr(recipe_path, '/'), *other = strrchr(csv, '/');
    one = one ? one + 1 : recipe_path;
    other = other ? other + 1 : csv;
    const size_t length = strlen(one), with = strlen(other);
    return length >= sizeof recipe_end && with + sizeof recipe_end == length + sizeof csv_end &&
           strcmp(one + length + 1 - sizeof recipe_end, recipe_end) == 0 &&
           strcmp(other + with + 1 - sizeof csv_end, csv_end) == 0 &&
           strncmp(one, other, length + 1 - sizeof recipe_end) == 0;
}

static bool is_about(const char *recipe_path, const report *r, size_t file)
{
    bool any = false;
    for (size_t i = 0; i < r->file_count; i++)
        any |= is_named_alike(recipe_path, r->files[i].results->path);
    return !any || is_named_alike(recipe_path, r->files[file].results->path);
}

static scan_status judge_files(const report *r, const char *path, judged_recipe *to)
{
    scan_status status = SCAN_OK;
    to->of_file = calloc(r->file_count + 1, sizeof *to->of_file);
    if (!to->of_file)
        return SCAN_NO_MEMORY;
    for (size_t file = 0; file < r->file_count && status == SCAN_OK; file++)
        if (is_about(path, r, file))
            status = judged_make(r, file, to->recipe, &to->of_file[file]);
    return status;
}

scan_status judged_list_make(const report *r, const recipe_list *recipes, judged_list *list_p)
{
    judged_list list = {.recipes = calloc(recipes->count + 1, sizeof *list.recipes),
                        .file_count = r->file_count};
    scan_status status = list.recipes ? SCAN_OK : SCAN_NO_MEMORY;
    for (; list.count < recipes->count && status == SCAN_OK; list.count++) {
        list.recipes[list.count].recipe = &recipes->recipes[list.count];
        status = judge_files(r, recipes->paths[list.count], &list.recipes[list.count]);
    }
    if (status == SCAN_OK)
        *list_p = list;
    else
        judged_list_free(&list);
    return status;
}

void judged_list_free(judged_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        judged_recipe *of = &list->recipes[i];
        for (size_t file = 0; of->of_file && file < list->file_count; file++)
            judged_free(of->of_file[file], of->recipe->count);
        free(of->of_file);
    }
    free(list->recipes);
    *list = (judged_list){0};
}

const judged_claim *judged_list_claim(const judged_recipe *from, size_t file, size_t claim)
{
    const judged_claim *c = from->of_file[file] ? &from->of_file[file][claim] : NULL;
    return c && c->judgement != JUDGEMENT_UNMEASURED ? c : NULL;
}
