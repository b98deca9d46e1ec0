/*
 * report_fuzz.c - any table is refused, or makes a report in which each row has its place, whose
 * tables hold no NaN, whose parts are held against one part, and whose claims can be judged
 */
#include "report/scaling.h"
#include "tables/judged_print.h"
#include "tables/report_tables.h"

#include "fuzz.h"

#include <string.h>

static const char claims[] =
    "title T\nclaim C\nexpect for each n, block: best(a*, pad!=1) / best(role=ceiling) < 2\n"
    "expect from n = 1e3 on: median(b, phase=e2e) <= best(b)\n";

static void print(const report *r, bool markdown)
{
    char *text = NULL;
    size_t bytes = 0;
    errmsg error;
    recipe one = {.count = 0};
    const paper p = {.out = open_memstream(&text, &bytes), .width = 80, .markdown = markdown};
    ALWAYS(p.out);
    ALWAYS(report_tables_print(r, &p) == SCAN_OK);
    ALWAYS(recipe_parse(claims, "t", &one, &error) == SCAN_OK);
    const recipe_list list = {.recipes = &one, .paths = (char *[]){"t.recipe"}, .count = 1};
    judged_list judged;
    ALWAYS(judged_list_make(r, &list, &judged) == SCAN_OK);
    ALWAYS(judged_print(r, &judged, &p) == SCAN_OK);
    judged_list_free(&judged);
    recipe_free(&one);
    ALWAYS(fclose(p.out) == 0 && !strstr(text, "-nan") && !strstr(text, " nan"));
    free(text);
}

static bool is_of(const report *r, size_t file, const result_row *row)
{
    const result_file *results = r->files[file].results;
    return row >= results->rows && row < results->rows + results->count;
}

static void scale(const report *r)
{
    scaling_list list;
    ALWAYS(scaling_make(r, &list) == SCAN_OK);
    for (size_t i = 0; i < list.count; i++) {
        const scaling_point *p = &list.points[i];
        const scaling_gain *gains[] = {&p->best, &p->own};
        ALWAYS(p->parts > 1 && p->bound >= 0 && is_of(r, p->file, p->row) && p->best.one);
        ALWAYS(p->row->n == p->n_of_one * (p->way == SCALING_STRONG ? 1 : p->parts));
        for (size_t k = 0; k < 2 && gains[k]->one; k++) {
            ALWAYS(gains[k]->speedup.ratio >= 0 && gains[k]->one->n == p->n_of_one);
            ALWAYS(is_of(r, gains[k]->file, gains[k]->one));
        }
    }
    scaling_free(&list);
}

static void check(const result_file *file)
{
    const result_file files[] = {*file, *file};
    run_info infos[2] = {{.known = false}};
    report r;
    size_t uses = 0;
    for (size_t i = 0; i < 2; i++)
        ALWAYS(run_info_take(NULL, &infos[i]) == SCAN_OK);
    ALWAYS(report_make(files, infos, 2, &r) == SCAN_OK);
    for (size_t i = 0; i < REPORT_USES; i++)
        uses += r.uses[i];
    ALWAYS(uses == r.rows && r.rows == 2 * file->count);
    print(&r, false);
    print(&r, true);
    scale(&r);
    report_free(&r);
    for (size_t i = 0; i < 2; i++)
        run_info_free(&infos[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    csv_table table = {0};
    result_file file = {0};
    char *text = fuzz_text(data, bytes);
    ALWAYS(text);
    if (csv_read_text(text, bytes, "t", CSV_TAIL_KEEP, &table, &error) == SCAN_OK) {
        if (result_file_take(table, "t", &file, &error) == SCAN_OK) {
            /* A text of the input may hold "nan" itself. */
            if (!strcasestr(text, "nan"))
                check(&file);
            result_file_free(&file);
        } else {
            ALWAYS(error.text[0] != '\0');
            csv_free_table(&table);
        }
    }
    free(text);
    return 0;
}
