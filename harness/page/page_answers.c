/*
 * page_answers.c - what the report concludes, with rows as numbers: who wins, the best settings,
 * crossovers
 */
#include "page/page_json.h"
#include "page/page_members.h"
#include "report/crossover.h"
#include "system/json.h"

#include <inttypes.h>

typedef struct answers {
    const report *r;
    const size_t *problem_ids;
    FILE *out;
    size_t count; /* of the list that is being written */
} answers;

/* Begins the next object of a list. */
static void next(answers *a)
{
    fputs(a->count++ > 0 ? ",\n{" : "{", a->out);
}

/* In words of report_standing: what is known of the first against the others. */
static const char *verdict_of(const report_problem *p)
{
    if (p->count == 1)
        return "alone";
    if (p->tied > 0)
        return "tied";
    return p->entries[1].standing == REPORT_BEHIND ? "certain" : "unknown";
}

static void put_winner(answers *a, const report_problem *p)
{
    const report *r = a->r;
    const size_t winner = page_row_number(r, p->file, p->entries[0].row);
    const report_entry *behind = NULL; /* the first that is not tied */
    next(a);
    fprintf(a->out, "\"file\":%zu,\"problem\":%zu,\"view\":\"%s\",\"place\":", p->file,
            a->problem_ids[winner], p->view == REPORT_IN_PLACE ? "in place" : "from host");
    char place[512]; /* whose rows answer by themselves */
    snprintf(place, sizeof place, "%.500s%s", p->place, p->in_place ? ", in place" : "");
    json_string(a->out, place);
    fprintf(a->out, ",\"n\":%" PRIu64 ",\"row\":%zu,\"verdict\":\"%s\",\"tied\":[", p->n, winner,
            verdict_of(p));
    for (size_t i = 1, tied = 0; i < p->count; i++) {
        const report_entry *entry = &p->entries[i];
        if (entry->standing == REPORT_TIED)
            fprintf(a->out, "%s%zu", tied++ > 0 ? "," : "",
                    page_row_number(r, p->file, entry->row));
        else if (!behind)
            behind = entry;
    }
    fputc(']', a->out);
    const report_ratio *ratio = behind ? &behind->over_winner : NULL;
    if (behind)
        fprintf(a->out, ",\"next\":%zu", page_row_number(r, p->file, behind->row));
    else
        fputs(",\"next\":null", a->out);
    page_number(a->out, "ratio", ratio ? ratio->ratio : 0, ratio);
    page_number(a->out, "lo", ratio ? ratio->lo : 0, ratio && ratio->has_interval);
    page_number(a->out, "hi", ratio ? ratio->hi : 0, ratio && ratio->has_interval);
    page_text(a->out, "doubt", ratio ? ratio_doubt_text(ratio->doubt) : "");
    const result_row *copy = report_ceiling(p);
    if (copy)
        fprintf(a->out, ",\"copy\":%zu}", page_row_number(r, p->file, copy));
    else
        fputs(",\"copy\":null}", a->out);
}

static void put_winners(answers *a)
{
    fputs("\"winners\":[", a->out);
    a->count = 0;
    for (size_t i = 0; i < a->r->sheet_count; i++)
        for (size_t k = 0; k < a->r->sheets[i].count; k++)
            if (a->r->sheets[i].problems[k].count > 0)
                put_winner(a, &a->r->sheets[i].problems[k]);
    fputs("],\n", a->out);
}

/* The best of several settings, and which cannot be told from it. */
static void put_best(answers *a, size_t file, const report_entry *entry)
{
    if (entry->setting_count < 2)
        return;
    next(a);
    fprintf(a->out, "\"row\":%zu,\"tied\":[", page_row_number(a->r, file, entry->row));
    for (size_t i = 1, tied = 0; i < entry->setting_count; i++)
        if (entry->settings[i].standing == REPORT_TIED)
            fprintf(a->out, "%s%zu", tied++ > 0 ? "," : "",
                    page_row_number(a->r, file, entry->settings[i].row));
    fputs("]}", a->out);
}

static void put_settings(answers *a)
{
    fputs("\"best\":[", a->out);
    a->count = 0;
    for (size_t i = 0; i < a->r->sheet_count; i++)
        for (size_t k = 0; k < a->r->sheets[i].count; k++) {
            const report_problem *p = &a->r->sheets[i].problems[k];
            if (p->view != REPORT_IN_PLACE)
                continue;
            for (size_t e = 0; e < p->count; e++)
                put_best(a, p->file, &p->entries[e]);
            for (size_t e = 0; e < p->ceiling_count; e++)
                put_best(a, p->file, &p->ceilings[e]);
        }
    fputs("],\n", a->out);
}

static void put_line(answers *a, const crossover_line *line)
{
    for (size_t i = 0; i < line->crossing_count; i++) {
        const crossover *c = &line->crossings[i];
        next(a);
        fprintf(a->out, "\"row\":%zu,\"phase\":\"%s\",\"from\":%" PRIu64 ",\"to\":%" PRIu64,
                page_row_number(a->r, line->file, line->points[0].row),
                line->view == REPORT_IN_PLACE ? "run" : "e2e", c->from, c->to);
        page_number(a->out, "near", c->near, true);
        fprintf(a->out, ",\"gains\":%s,\"certain\":%s}", c->gains ? "true" : "false",
                c->certain ? "true" : "false");
    }
}

scan_status page_answers_write(const report *r, const size_t *problem_ids, FILE *out)
{
    answers a = {.r = r, .problem_ids = problem_ids, .out = out};
    scan_status status = SCAN_OK;
    put_winners(&a);
    put_settings(&a);
    fputs("\"crossovers\":[", out);
    a.count = 0;
    for (size_t i = 0; i < r->sheet_count && status == SCAN_OK; i++) {
        crossover_table table = {.count = 0};
        status = crossover_make(r, &r->sheets[i], &table);
        for (size_t k = 0; k < table.count; k++)
            put_line(&a, &table.lines[k]);
        crossover_free(&table);
    }
    fputc(']', out);
    return status;
}
