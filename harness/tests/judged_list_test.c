/* judged_list_test.c - which recipes are judged in which files, in tables and on the page */
#include "report_rows.h"

#include "page/page_data.h"
#include "tables/judged_print.h"
#include "tap.h"

#define ROWS ROW_CPU("a") "1000,,,,hot,run" ROW_TIME(100, 99, 101) ",,,,,,,\n"

static const char claims[] = "title T\nclaim It is quick.\nexpect median(a) < 1 s\n";

/* Makes a file of rows; it keeps the path. */
static bool make_file(const char *path, result_file *file_p)
{
    errmsg error = {""};
    csv_table table = {0};
    static const char text[] = REPORT_HEADER ROWS;
    return csv_read_text(text, strlen(text), path, CSV_TAIL_KEEP, &table, &error) == SCAN_OK &&
           result_file_take(table, path, file_p, &error) == SCAN_OK;
}

static void test_files(const judged_list *list)
{
    const judged_recipe *named = list->recipes;
    if (!named)
        return;
    const judged_recipe *other = &named[1];
    ok(named->of_file[0] && !named->of_file[1],
       "a recipe of the name of a CSV is judged in that one alone");
    ok(other->of_file[0] && other->of_file[1], "another recipe is judged in all of them");
    ok(judged_list_claim(named, 0, 0) && !judged_list_claim(named, 1, 0) &&
           judged_list_claim(other, 1, 0)->judgement == JUDGEMENT_HOLDS,
       "each claim is there in the files that it is about");
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static void test_print(const report *r, const judged_list *list)
{
    char *page = NULL, *text = NULL;
    size_t page_bytes = 0, bytes = 0;
    FILE *data = open_memstream(&page, &page_bytes), *out = open_memstream(&text, &bytes);
    const paper p = {.out = out, .width = 80};
    ok(page_data_write(r, list, data) == SCAN_OK && judged_print(r, list, &p) == SCAN_OK,
       "they are printed and put on a page");
    fclose(data);
    fclose(out);
    ok(occurrences(page, "\"formula\":") == 3, "the page has each claim as often as it is judged");
    ok(occurrences(text, "Expected: median(a) < 1 s") == 3, "and so has the text");
    free(page);
    free(text);
}

int main(void)
{
    result_file files[2];
    run_info infos[2];
    report r;
    recipe parsed[2];
    judged_list list = {.count = 0};
    errmsg error = {""};
    char *paths[] = {"recipes/figure_a.recipe", "recipes/other.recipe"};
    const recipe_list recipes = {.recipes = parsed, .paths = paths, .count = 2};
    tap_plan(7);
    if (!ok(make_file("results/figure_a.csv", &files[0]) &&
                make_file("results/figure_b.csv", &files[1]) &&
                run_info_take(NULL, &infos[0]) == SCAN_OK &&
                run_info_take(NULL, &infos[1]) == SCAN_OK &&
                report_make(files, infos, 2, &r) == SCAN_OK &&
                recipe_parse(claims, "t", &parsed[0], &error) == SCAN_OK &&
                recipe_parse(claims, "t", &parsed[1], &error) == SCAN_OK &&
                judged_list_make(&r, &recipes, &list) == SCAN_OK,
            "two recipes are judged by a report of two files"))
        return tap_done();
    test_files(&list);
    test_print(&r, &list);
    judged_list_free(&list);
    report_free(&r);
    for (size_t i = 0; i < 2; i++) {
        recipe_free(&parsed[i]);
        run_info_free(&infos[i]);
        result_file_free(&files[i]);
    }
    return tap_done();
}
