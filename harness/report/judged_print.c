#include "report/judged_print.h"

#include "report/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

/* Times above the line less those below: 1 is a time, 0 a ratio. */
static int dimension_of(const formula *f)
{
    int dimension = 0;
    for (size_t i = 0; i < f->count; i++)
        dimension += f->selectors[i].divides ? -1 : 1;
    return dimension;
}

static const char *value_text(const formula *f, double value, char text[WORDS_NUMBER_BYTES])
{
    return dimension_of(f) == 1 ? words_time(value, text) : words_number(value, text);
}

/* "962 µs block=32, 2 tied / 1.08 ms block=512" */
static void put_times(const formula *f, const judged_value *v, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < f->count && used < size; i++) {
        const formula_selector *s = &f->selectors[i];
        char time[WORDS_NUMBER_BYTES], setting[WORDS_SETTING_BYTES];
        words_setting(v->rows[i], setting);
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0       ? (s->divides ? "1 / " : "")
                                 : s->divides ? " / "
                                              : " * ",
                                 words_time(v->rows[i]->median_ns, time));
        if (s->is_best && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%.80s", *setting ? " " : "", setting);
        if (s->is_best && v->tied[i] > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, " (%zu tied)", v->tied[i]);
    }
}

static const char *verdict_text(const judged_value *v)
{
    if (v->judgement != JUDGEMENT_UNKNOWN)
        return judgement_word(v->judgement);
    return v->ratio.has_interval              ? "cannot be told"
           : v->by_medians == JUDGEMENT_HOLDS ? "? by medians it holds"
                                              : "? by medians it does not";
}

static scan_status put_values(const judged_expectation *e, const paper *p)
{
    static const char *const header[] = {"at", "value", "95 % interval", "", "times"};
    static const int give[] = {4, -1};
    const formula *f = &e->expectation->formula;
    paper_table t = {.columns = sizeof header / sizeof *header,
                     .right = {false, true, true, false, false}};
    for (size_t i = 0; i < t.columns; i++)
        paper_cell(&t, header[i]);
    for (size_t i = 0; i < e->count; i++) {
        const judged_value *v = &e->values[i];
        char text[TEXT_BYTES], lo[WORDS_NUMBER_BYTES], hi[WORDS_NUMBER_BYTES];
        paper_cell(&t, v->where);
        paper_cell(&t, value_text(f, v->ratio.ratio, text));
        snprintf(text, sizeof text, "%s to %s", value_text(f, v->ratio.lo, lo),
                 value_text(f, v->ratio.hi, hi));
        paper_cell(&t, v->ratio.has_interval ? text : "");
        paper_cell(&t, verdict_text(v));
        put_times(f, v, text, sizeof text);
        paper_cell(&t, text);
    }
    if (e->count > 0 && p->markdown)
        paper_space(p);
    return paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
}

/* Why some values are not there, or cannot be told. */
static void put_notes(const judged_expectation *e, const paper *p)
{
    char text[TEXT_BYTES];
    const judged_value *unknown = NULL;
    for (size_t i = 0; i < e->count; i++)
        if (e->values[i].judgement == JUDGEMENT_UNKNOWN)
            unknown = &e->values[i];
    if (*e->problem)
        paper_paragraph(p, "Note:", e->problem);
    if (unknown) {
        snprintf(text, sizeof text, "%s.", judged_doubt(unknown));
        paper_paragraph(p, "Cannot be told:", text);
    }
    if (e->left_out > 0 && !*e->problem) {
        snprintf(text, sizeof text, "%zu value%s of the loop: not all times were measured there.",
                 e->left_out, e->left_out == 1 ? "" : "s");
        paper_paragraph(p, "Left out:", text);
    }
}

/* "Cannot be told; by medians it holds". */
static const char *claim_verdict(const judged_claim *c, char text[128])
{
    snprintf(text, 128, "%s%s", judgement_word(c->judgement),
             c->by_medians == JUDGEMENT_HOLDS   ? "; by medians it holds"
             : c->by_medians == JUDGEMENT_FAILS ? "; by medians it does not hold"
                                                : "");
    return text;
}

static scan_status put_claim(const report *r, const judged_claim *c, const paper *p)
{
    char bold[256], word[128], text[TEXT_BYTES];
    scan_status status = SCAN_OK;
    snprintf(bold, sizeof bold, "%s%s%.60s:", claim_verdict(c, word), r->file_count > 1 ? ", " : "",
             r->file_count > 1 ? r->files[c->file].label : "");
    bold[0] = (char)toupper((unsigned char)bold[0]);
    paper_paragraph(p, bold, c->claim->text);
    if (c->claim->source)
        paper_paragraph(p, "Source:", c->claim->source);
    for (size_t i = 0; i < c->count && status == SCAN_OK; i++) {
        const judged_expectation *e = &c->expectations[i];
        snprintf(text, sizeof text, "%s", e->expectation->text);
        paper_paragraph(p, "Expected:", text);
        status = put_values(e, p);
        if (e->count > 0 && p->markdown)
            paper_space(p);
        put_notes(e, p);
    }
    if (!p->markdown)
        paper_space(p);
    return status;
}

/* Recipes are judged in each file; so many claims of each. */
typedef struct judged_recipe {
    const recipe *recipe;
    judged_claim **of_file;
} judged_recipe;

/* The claim, its verdict, and the files that say so. */
static scan_status put_summary(const report *r, const judged_recipe *all, size_t count,
                               const paper *p)
{
    static const int give[] = {-1};
    paper_table t = {.columns = 3};
    paper_cell(&t, "verdict");
    paper_cell(&t, r->file_count > 1 ? "results" : "");
    paper_cell(&t, "claim");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < all[i].recipe->count; k++) {
            bool any = false;
            char word[128];
            for (size_t file = 0; file < r->file_count; file++) {
                const judged_claim *c = &all[i].of_file[file][k];
                if (c->judgement == JUDGEMENT_UNMEASURED)
                    continue;
                paper_cell(&t, claim_verdict(c, word));
                paper_cell(&t, r->file_count > 1 ? r->files[file].label : "");
                paper_cell(&t, c->claim->text);
                any = true;
            }
            if (any)
                continue;
            paper_cell(&t, judgement_word(JUDGEMENT_UNMEASURED));
            paper_cell(&t, "");
            paper_cell(&t, all[i].recipe->claims[k].text);
        }
    const bool good = paper_print(p, &t, give);
    paper_space(p);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

static scan_status put_recipe(const report *r, const judged_recipe *one, const paper *p)
{
    scan_status status = SCAN_OK;
    char *command;
    paper_heading(p, 1, one->recipe->title);
    if (one->recipe->source)
        paper_paragraph(p, "Source:", one->recipe->source);
    if (one->recipe->measure && asprintf(&command, "scanbench %s", one->recipe->measure) >= 0) {
        paper_command(p, command);
        free(command);
    }
    paper_space(p);
    for (size_t k = 0; k < one->recipe->count; k++)
        for (size_t file = 0; file < r->file_count && status == SCAN_OK; file++)
            if (one->of_file[file][k].judgement != JUDGEMENT_UNMEASURED)
                status = put_claim(r, &one->of_file[file][k], p);
    return status;
}

static scan_status judge_all(const report *r, const recipe_list *recipes, judged_recipe *all)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < recipes->count && status == SCAN_OK; i++) {
        all[i].recipe = &recipes->recipes[i];
        all[i].of_file = calloc(r->file_count + 1, sizeof *all[i].of_file);
        status = all[i].of_file ? SCAN_OK : SCAN_NO_MEMORY;
        for (size_t file = 0; file < r->file_count && status == SCAN_OK; file++)
            status = judge(r, file, all[i].recipe, &all[i].of_file[file]);
    }
    return status;
}

scan_status judged_print(const report *r, const recipe_list *recipes, const paper *p)
{
    judged_recipe *all = calloc(recipes->count + 1, sizeof *all);
    scan_status status = all ? judge_all(r, recipes, all) : SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        status = put_summary(r, all, recipes->count, p);
    for (size_t i = 0; i < recipes->count && status == SCAN_OK; i++)
        status = put_recipe(r, &all[i], p);
    for (size_t i = 0; all && i < recipes->count; i++) {
        for (size_t file = 0; all[i].of_file && file < r->file_count; file++)
            judged_free(all[i].of_file[file], all[i].recipe->count);
        free(all[i].of_file);
    }
    free(all);
    return status;
}
