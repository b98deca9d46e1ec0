#include "tables/judged_print.h"

#include "report/words.h"
#include "text/shell_quote.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

static const char *value_text(const formula *f, double value, char text[WORDS_NUMBER_BYTES])
{
    return formula_is_time(f) ? words_time(value, text) : words_number(value, text);
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

/* Does it hold at this value? */
static const char *answer(const judged_value *v)
{
    if (v->judgement == JUDGEMENT_HOLDS || v->judgement == JUDGEMENT_FAILS)
        return v->judgement == JUDGEMENT_HOLDS ? "yes" : "no";
    return v->ratio.has_interval ? "?" : v->by_medians == JUDGEMENT_HOLDS ? "? (yes)" : "? (no)";
}

static scan_status put_values(const judged_expectation *e, const paper *p)
{
    static const char *const header[] = {"at", "value", "95 % interval", "holds", "times"};
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
        paper_cell(&t, answer(v));
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

/* "Cannot be told; by medians it holds". NULL: it was not measured. */
static const char *claim_verdict(const judged_claim *c, char text[128])
{
    const judgement medians = c ? c->by_medians : JUDGEMENT_UNKNOWN;
    snprintf(text, 128, "%s%s", judgement_word(c ? c->judgement : JUDGEMENT_UNMEASURED),
             medians == JUDGEMENT_HOLDS   ? "; by the medians it holds"
             : medians == JUDGEMENT_FAILS ? "; by the medians it does not"
                                          : "");
    text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

/* The peers of a claim whose version is known: "cuda_cub 3.0.1, cuda_thrust 3.0.1". */
static void put_versions(const judged_claim *c, const paper *p)
{
    char all[TEXT_BYTES] = "", name[WORDS_SETTING_BYTES];
    for (size_t i = 0; i < c->count; i++) {
        const judged_expectation *e = &c->expectations[i];
        for (size_t k = 0; k < e->count; k++)
            for (size_t s = 0; s < e->expectation->formula.count; s++) {
                const result_row *row = e->values[k].rows[s];
                const size_t used = strlen(all);
                snprintf(name, sizeof name, "%.128s %.64s", row->plugin, words_version(row));
                if (*words_version(row) && !strstr(all, name))
                    snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", name);
            }
    }
    if (*all)
        paper_paragraph(p, "Versions:", all);
}

static scan_status put_claim(const report *r, const judged_claim *c, const paper *p)
{
    char bold[256], word[128];
    scan_status status = SCAN_OK;
    snprintf(bold, sizeof bold, "%s%s%.60s:", claim_verdict(c, word), r->file_count > 1 ? ", " : "",
             r->file_count > 1 ? r->files[c->file].label : "");
    paper_paragraph(p, bold, c->claim->text);
    if (c->claim->source)
        paper_paragraph(p, "Source:", c->claim->source);
    for (size_t i = 0; i < c->count && status == SCAN_OK; i++) {
        const judged_expectation *e = &c->expectations[i];
        paper_code(p, "Expected:", e->expectation->text);
        status = put_values(e, p);
        if (e->count > 0 && p->markdown)
            paper_space(p);
        put_notes(e, p);
    }
    put_versions(c, p);
    if (!p->markdown)
        paper_space(p);
    return status;
}

/* Was any claim of the recipe measured in the file? */
static bool is_measured_in(const judged_recipe *from, size_t file)
{
    bool any = false;
    for (size_t k = 0; k < from->recipe->count; k++)
        any |= judged_list_claim(from, file, k) != NULL;
    return any;
}

static bool is_measured(const report *r, const judged_recipe *from)
{
    bool any = false;
    for (size_t file = 0; file < r->file_count; file++)
        any |= is_measured_in(from, file);
    return any;
}

static void put_verdict(const report *r, const judged_recipe *from, size_t file, size_t claim,
                        const paper *p, paper_table *t)
{
    char text[192], word[128];
    const judged_claim *c = file < r->file_count ? judged_list_claim(from, file, claim) : NULL;
    const char *of_file = c && r->file_count > 1 ? r->files[file].label : "";
    claim_verdict(c, word);
    if (p->markdown) {
        paper_cell(t, word);
        paper_cell(t, of_file);
        paper_cell(t, from->recipe->claims[claim].text);
        return;
    }
    snprintf(text, sizeof text, "%s%s%.60s:", word, *of_file ? ", " : "", of_file);
    paper_paragraph(p, text, from->recipe->claims[claim].text);
}

/* The claims of a recipe, their verdicts, and the files that say so. */
static void put_verdicts(const report *r, const judged_recipe *from, const paper *p, paper_table *t)
{
    for (size_t k = 0; k < from->recipe->count; k++) {
        bool any = false;
        for (size_t file = 0; file < r->file_count; file++)
            if (judged_list_claim(from, file, k)) {
                put_verdict(r, from, file, k, p, t);
                any = true;
            }
        if (!any)
            put_verdict(r, from, r->file_count, k, p, t);
    }
}

/* Of the recipes that were measured; the titles of the others. */
static scan_status put_summary(const report *r, const judged_list *claims, const paper *p)
{
    static const int give[] = {-1};
    paper_table t = {.columns = 3};
    char others[TEXT_BYTES] = "";
    if (p->markdown) {
        paper_cell(&t, "verdict");
        paper_cell(&t, "results");
        paper_cell(&t, "claim");
    }
    for (size_t i = 0; i < claims->count; i++) {
        const judged_recipe *one = &claims->recipes[i];
        const size_t used = strlen(others);
        if (is_measured(r, one) || claims->count == 1)
            put_verdicts(r, one, p, &t);
        else
            snprintf(others + used, sizeof others - used, "%s%.200s", used ? "; " : "",
                     one->recipe->title);
    }
    const bool good = paper_print(p, &t, give);
    if (p->markdown)
        paper_space(p);
    if (*others)
        paper_paragraph(p, "Not measured here:", others);
    if (!p->markdown)
        paper_space(p);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

/* To be copied into a shell; NULL without memory. */
static char *command_of(const char *measure)
{
    char *command = NULL;
    size_t bytes;
    FILE *out = open_memstream(&command, &bytes);
    if (!out)
        return NULL;
    fputs("scanbench", out);
    while (*measure) {
        char word[1024];
        const size_t length = strcspn(measure, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, measure);
        fputc(' ', out);
        shell_quote_put(out, word);
        measure += length + (measure[length] == ' ');
    }
    fclose(out);
    return command;
}

/* The command that measured the file, if it is only one; "" if that is not known. */
static const char *command_that_measured(const report *r, const judged_recipe *from)
{
    const char *command = "";
    size_t files = 0;
    for (size_t file = 0; file < r->file_count; file++)
        if (is_measured_in(from, file)) {
            command = r->files[file].info.command;
            files++;
        }
    return files == 1 ? command : "";
}

/* How it was measured, or else how to do that. */
static void put_command(const report *r, const judged_recipe *one, const paper *p)
{
    const char *measured = command_that_measured(r, one);
    if (*measured) {
        paper_command(p, measured);
    } else if (one->recipe->measure) {
        char *command = command_of(one->recipe->measure);
        paper_command(p, command ? command : "");
        free(command);
    }
}

static scan_status put_recipe(const report *r, const judged_recipe *one, const paper *p)
{
    scan_status status = SCAN_OK;
    paper_heading(p, 1, one->recipe->title);
    if (one->recipe->source)
        paper_paragraph(p, "Source:", one->recipe->source);
    put_command(r, one, p);
    paper_space(p);
    for (size_t k = 0; k < one->recipe->count; k++)
        for (size_t file = 0; file < r->file_count && status == SCAN_OK; file++)
            if (judged_list_claim(one, file, k))
                status = put_claim(r, judged_list_claim(one, file, k), p);
    return status;
}

scan_status judged_print(const report *r, const judged_list *claims, const paper *p)
{
    scan_status status = put_summary(r, claims, p);
    for (size_t i = 0; i < claims->count && status == SCAN_OK; i++)
        if (is_measured(r, &claims->recipes[i]))
            status = put_recipe(r, &claims->recipes[i], p);
    return status;
}
