/*
 * page_claims.c - the claims of recipes and what the files say of them, with rows as numbers
 */
#include "page/page_json.h"
#include "page/page_members.h"
#include "system/json.h"

/* HOLDS and FAILS say what the medians alone would; else "". */
static const char *by_medians(judgement unknown, judgement medians)
{
    if (unknown != JUDGEMENT_UNKNOWN)
        return "";
    return medians == JUDGEMENT_HOLDS ? "holds" : medians == JUDGEMENT_FAILS ? "does not hold" : "";
}

static void put_value(const report *r, size_t file, const judged_value *v, size_t rows, FILE *out)
{
    fputs("{\"verdict\":", out);
    json_string(out, judgement_word(v->judgement));
    page_text(out, "at", v->where);
    page_text(out, "medians", by_medians(v->judgement, v->by_medians));
    page_text(out, "doubt", v->judgement == JUDGEMENT_UNKNOWN ? judged_doubt(v) : "");
    page_number(out, "value", v->ratio.ratio, true);
    page_number(out, "lo", v->ratio.lo, v->ratio.has_interval);
    page_number(out, "hi", v->ratio.hi, v->ratio.has_interval);
    fputs(",\"rows\":[", out);
    for (size_t i = 0; i < rows; i++)
        fprintf(out, "%s%zu", i > 0 ? "," : "", page_row_number(r, file, v->rows[i]));
    fputs("],\"tied\":[", out);
    for (size_t i = 0; i < rows; i++)
        fprintf(out, "%s%zu", i > 0 ? "," : "", v->tied[i]);
    fputs("]}", out);
}

static void put_expectation(const report *r, size_t file, const judged_expectation *e, FILE *out)
{
    const formula *f = &e->expectation->formula;
    fputs("{\"formula\":", out);
    json_string(out, e->expectation->text);
    page_text(out, "problem", e->problem);
    fprintf(out, ",\"time\":%s,\"left_out\":%zu,\"values\":[",
            formula_is_time(f) ? "true" : "false", e->left_out);
    for (size_t i = 0; i < e->count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        put_value(r, file, &e->values[i], f->count, out);
    }
    fputs("]}", out);
}

static void put_claim(const report *r, const recipe *from, const judged_claim *c, FILE *out)
{
    const char *source = c->claim->source ? c->claim->source : from->source;
    fprintf(out, "{\"file\":%zu", c->file);
    page_text(out, "title", from->title);
    page_text(out, "text", c->claim->text);
    page_text(out, "source", source ? source : "");
    page_text(out, "verdict", judgement_word(c->judgement));
    page_text(out, "medians", by_medians(c->judgement, c->by_medians));
    fputs(",\"expectations\":[", out);
    for (size_t i = 0; i < c->count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        put_expectation(r, c->file, &c->expectations[i], out);
    }
    fputs("]}", out);
}

void page_claims_write(const report *r, const judged_list *claims, FILE *out)
{
    size_t count = 0;
    fputs("\"claims\":[", out);
    for (size_t i = 0; i < claims->count; i++)
        for (size_t file = 0; file < r->file_count; file++) {
            const judged_recipe *from = &claims->recipes[i];
            for (size_t k = 0; k < from->recipe->count; k++) {
                const judged_claim *c = judged_list_claim(from, file, k);
                if (!c)
                    continue;
                fputs(count++ > 0 ? ",\n" : "", out);
                put_claim(r, from->recipe, c, out);
            }
        }
    fputc(']', out);
}
