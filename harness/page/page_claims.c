/*
 * page_claims.c - the claims of recipes and what the files say of them, with rows as numbers
 */
#include "page/page_data.h"
#include "system/json.h"

#include <math.h>

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    json_string(out, text ? text : "");
}

static void put_number(FILE *out, const char *key, double value, bool known)
{
    if (known && isfinite(value))
        fprintf(out, ",\"%s\":%.6g", key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}

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
    put_text(out, "at", v->where);
    put_text(out, "medians", by_medians(v->judgement, v->by_medians));
    put_text(out, "doubt", v->judgement == JUDGEMENT_UNKNOWN ? judged_doubt(v) : "");
    put_number(out, "value", v->ratio.ratio, true);
    put_number(out, "lo", v->ratio.lo, v->ratio.has_interval);
    put_number(out, "hi", v->ratio.hi, v->ratio.has_interval);
    fputs(",\"rows\":[", out);
    for (size_t i = 0; i < rows; i++)
        fprintf(out, "%s%zu", i > 0 ? "," : "", page_row_number(r, file, v->rows[i]));
    fputs("],\"tied\":[", out);
    for (size_t i = 0; i < rows; i++)
        fprintf(out, "%s%zu", i > 0 ? "," : "", v->tied[i]);
    fputs("]}", out);
}

/* A formula with one time more above the line than below is a time. */
static bool is_time(const formula *f)
{
    int dimension = 0;
    for (size_t i = 0; i < f->count; i++)
        dimension += f->selectors[i].divides ? -1 : 1;
    return dimension == 1;
}

static void put_expectation(const report *r, size_t file, const judged_expectation *e, FILE *out)
{
    const formula *f = &e->expectation->formula;
    fputs("{\"formula\":", out);
    json_string(out, e->expectation->text);
    put_text(out, "problem", e->problem);
    fprintf(out, ",\"time\":%s,\"left_out\":%zu,\"values\":[", is_time(f) ? "true" : "false",
            e->left_out);
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
    put_text(out, "title", from->title);
    put_text(out, "text", c->claim->text);
    put_text(out, "source", source);
    put_text(out, "verdict", judgement_word(c->judgement));
    put_text(out, "medians", by_medians(c->judgement, c->by_medians));
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
