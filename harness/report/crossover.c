#include "report/crossover.h"

#include "report/words.h"
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crossover_side side_of(const report_ratio *speedup)
{
    return !speedup->has_interval ? CROSSOVER_UNKNOWN
           : speedup->lo > 1      ? CROSSOVER_FASTER
           : speedup->hi < 1      ? CROSSOVER_SLOWER
                                  : CROSSOVER_TIED;
}

/* Is it the faster one, as far as known? A tie is neither. */
static int sign_of(const crossover_point *p)
{
    switch (p->side) {
    case CROSSOVER_FASTER:
        return 1;
    case CROSSOVER_SLOWER:
        return -1;
    case CROSSOVER_TIED:
        return 0;
    case CROSSOVER_UNKNOWN:
        break;
    }
    return (p->speedup.ratio > 1) - (p->speedup.ratio < 1);
}

/* Where the line between two points of a plot with logarithmic axes crosses 1. */
static double crossing_of(const crossover_point *a, const crossover_point *b)
{
    const double x = log((double)a->n), y = log(a->speedup.ratio);
    const double to_x = log((double)b->n), to_y = log(b->speedup.ratio);
    return exp(x + (to_x - x) * y / (y - to_y));
}

/* The crossing between two points of different sign, with ties between them. */
static crossover crossing_between(const crossover_point *first, const crossover_point *last)
{
    crossover c = {.from = first->n,
                   .to = last->n,
                   .near = sqrt((double)first->n * (double)last->n),
                   .gains = sign_of(last) > 0,
                   .certain = first->side != CROSSOVER_UNKNOWN && last->side != CROSSOVER_UNKNOWN};
    for (const crossover_point *p = first; p < last; p++)
        if ((p->speedup.ratio > 1) != (p[1].speedup.ratio > 1) && p->n > 0) {
            c.near = crossing_of(p, p + 1);
            break;
        }
    return c;
}

static scan_status find_crossings(crossover_line *line)
{
    line->crossings = calloc(line->count + 1, sizeof *line->crossings);
    if (!line->crossings)
        return SCAN_NO_MEMORY;
    const crossover_point *last = NULL; /* that was faster or slower */
    for (size_t i = 0; i < line->count; i++) {
        const crossover_point *p = &line->points[i];
        if (sign_of(p) == 0)
            continue;
        if (last && sign_of(last) != sign_of(p))
            line->crossings[line->crossing_count++] = crossing_between(last, p);
        last = p;
    }
    return SCAN_OK;
}

/* One entry of a problem, to be put on its line. */
typedef struct placed {
    const report_problem *problem;
    const report_entry *entry;
    const result_row *baseline;
} placed;

static int compare_lines(const placed *a, const placed *b)
{
    if (a->problem->file != b->problem->file)
        return a->problem->file < b->problem->file ? -1 : 1;
    int order = strcmp(a->entry->row->plugin, b->entry->row->plugin);
    order = order ? order : strcmp(a->entry->row->backend, b->entry->row->backend);
    order = order ? order : strcmp(a->entry->row->device, b->entry->row->device);
    if (order)
        return order;
    return (a->problem->view > b->problem->view) - (a->problem->view < b->problem->view);
}

static int by_line_and_size(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    const int order = compare_lines(a, b);
    return order ? order : (a->problem->n > b->problem->n) - (a->problem->n < b->problem->n);
}

/* A plugin on the host has no copies: its line would be that of its runs again. */
static bool is_on_line(const placed *p)
{
    if (!p->baseline || p->entry->row == p->baseline)
        return false;
    return p->problem->view == REPORT_IN_PLACE || strcmp(p->entry->row->phase, "e2e") == 0;
}

/* The baseline's row of each size of a file: those of its IN_PLACE problems, which come in the
 * order of the sheet. */
static size_t list_entries(const report *r, const report_sheet *sheet, placed *list)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        const report_problem *p = &sheet->problems[i];
        const report_entry *baseline = report_baseline(r, p);
        for (size_t k = 0; k < p->count; k++) {
            list[count] = (placed){
                .problem = p, .entry = &p->entries[k], .baseline = baseline ? baseline->row : NULL};
            count += is_on_line(&list[count]);
        }
    }
    if (count > 0)
        qsort(list, count, sizeof *list, by_line_and_size);
    return count;
}

static scan_status add_line(const report *r, const placed *first, size_t count, crossover_line *to)
{
    const result_row *row = first->entry->row;
    const bool sequential = r->files[first->problem->file].info.sequential;
    *to = (crossover_line){.file = first->problem->file,
                           .plugin = row->plugin,
                           .backend = row->backend,
                           .device = row->device,
                           .view = first->problem->view};
    to->points = calloc(count + 1, sizeof *to->points);
    if (!to->points)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        crossover_point *p = &to->points[to->count++];
        *p = (crossover_point){
            .n = first[i].problem->n, .row = first[i].entry->row, .against = first[i].baseline};
        p->speedup = ratio_inverse(ratio_of(p->row, p->against, sequential));
        p->side = side_of(&p->speedup);
    }
    return find_crossings(to);
}

scan_status crossover_make(const report *r, const report_sheet *sheet, crossover_table *table_p)
{
    size_t most = 0;
    for (size_t i = 0; i < sheet->count; i++)
        most += sheet->problems[i].count;
    placed *list = calloc(most + 1, sizeof *list);
    crossover_table table = {.lines = calloc(most + 1, sizeof *table.lines)};
    scan_status status = list && table.lines ? SCAN_OK : SCAN_NO_MEMORY;
    const size_t count = status == SCAN_OK ? list_entries(r, sheet, list) : 0;
    for (size_t i = 0, length; i < count && status == SCAN_OK; i += length) {
        for (length = 1; i + length < count && compare_lines(&list[i], &list[i + length]) == 0;)
            length++;
        status = add_line(r, &list[i], length, &table.lines[table.count++]);
    }
    free(list);
    if (status == SCAN_OK)
        *table_p = table;
    else
        crossover_free(&table);
    return status;
}

void crossover_free(crossover_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->lines[i].points);
        free(table->lines[i].crossings);
    }
    free(table->lines);
    *table = (crossover_table){0};
}

/* Without a crossing: which side it is on at all sizes. */
static void tell_side(const crossover_line *line, char *text)
{
    size_t tied = 0, unknown = 0;
    int sign = 0;
    for (size_t i = 0; i < line->count; i++) {
        tied += sign_of(&line->points[i]) == 0;
        unknown += line->points[i].side == CROSSOVER_UNKNOWN;
        sign = sign_of(&line->points[i]) ? sign_of(&line->points[i]) : sign;
    }
    const char *where = line->count == 1 ? (sign > 0 ? "yes" : "no")
                        : sign > 0       ? "at all sizes"
                                         : "at no size";
    snprintf(text, CROSSOVER_TEXT_BYTES, "%s%s%s", sign == 0 ? "tied" : where,
             sign != 0 && tied > 0 ? ", or tied" : "", unknown > 0 ? "?" : "");
}

const char *crossover_text(const crossover_line *line, char text[CROSSOVER_TEXT_BYTES])
{
    size_t used = 0;
    *text = '\0';
    if (line->count == 0)
        return text;
    if (line->crossing_count == 0) {
        tell_side(line, text);
        return text;
    }
    for (size_t i = 0; i < line->crossing_count && used < CROSSOVER_TEXT_BYTES; i++) {
        const crossover *c = &line->crossings[i];
        char from[WORDS_NUMBER_BYTES], to[WORDS_NUMBER_BYTES], near[WORDS_NUMBER_BYTES];
        used += (size_t)snprintf(
            text + used, CROSSOVER_TEXT_BYTES - used, "%s%s %s and %s (about %s)%s", i ? "; " : "",
            c->gains ? "from between" : "no longer from between", number_text(c->from, from),
            number_text(c->to, to), words_rough(c->near, near), c->certain ? "" : "?");
    }
    return text;
}
