#include "output/summary_table.h"

#include "output/fit.h"
#include "output/summary_line.h"
#include "text/array_room.h"
#include "text/hash_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct summary_table {
    hash_map *places; /* index in `lines`, by plugin, problem and n */
    summary_line *lines;
    size_t count, capacity;
    bool in_rounds;
};

summary_table *summary_table_new(bool in_rounds)
{
    summary_table *t = calloc(1, sizeof *t);
    if (t) {
        t->in_rounds = in_rounds;
        t->places = hash_map_new();
    }
    if (t && t->places)
        return t;
    summary_table_free(t);
    return NULL;
}

void summary_table_free(summary_table *t)
{
    if (!t)
        return;
    hash_map_free(t->places);
    for (size_t i = 0; i < t->count; i++)
        summary_line_free(&t->lines[i]);
    free(t->lines);
    free(t);
}

/* Prefers failures, so that none is hidden, and then the faster result. */
static bool comes_before(const summary_line *a, const summary_line *b)
{
    const bool a_failed = !summary_line_is_measured(a) && a->status != ROW_UNSUPPORTED;
    const bool b_failed = !summary_line_is_measured(b) && b->status != ROW_UNSUPPORTED;
    if (a_failed != b_failed)
        return a_failed;
    if (summary_line_is_measured(a) != summary_line_is_measured(b))
        return summary_line_is_measured(a);
    return a->rates.median_ns < b->rates.median_ns;
}

/* Makes room for one more line. */
static bool reserve(summary_table *t)
{
    summary_line *lines = array_room(t->lines, &t->capacity, t->count, 1, sizeof *lines);
    if (lines)
        t->lines = lines;
    return lines != NULL;
}

scan_status summary_table_add(summary_table *t, const measurement *m, const phase_rates *rates)
{
    summary_line l;
    if (m->result.status == ROW_UNAVAILABLE) /* unavailable_print has it */
        return SCAN_OK;
    if (!reserve(t) || summary_line_make(m, rates, &l) != SCAN_OK)
        return SCAN_NO_MEMORY;
    char key[sizeof l.plugin + sizeof l.problem + 24];
    snprintf(key, sizeof key, "%s\t%s\t%" PRIu64, l.plugin, l.problem, l.n);
    const size_t *place = hash_map_add(t->places, key, t->count);
    if (!place) {
        summary_line_free(&l);
        return SCAN_NO_MEMORY;
    }
    summary_line *there = &t->lines[*place];
    if (*place == t->count) {
        *there = l;
        t->count++;
        return SCAN_OK;
    }
    const size_t count = there->settings + 1;
    const bool better = comes_before(&l, there);
    summary_line_free(better ? there : &l);
    if (better)
        *there = l;
    there->settings = count;
    return SCAN_OK;
}

/* A line and the problem that it is shown under: ceilings are shown under each of their type. What
 * is in place is a problem of its own: it saves the copy of what it overwrites. */
typedef struct shown {
    const summary_line *line;
    size_t problem; /* in the order in which they were measured */
} shown;

static int by_problem_size_and_time(const void *left, const void *right)
{
    const shown *a = left, *b = right;
    if (a->problem != b->problem)
        return a->problem < b->problem ? -1 : 1;
    const summary_line *l = a->line, *r = b->line;
    if (l->n != r->n)
        return l->n < r->n ? -1 : 1;
    const bool measured = summary_line_is_measured(l);
    if (measured != summary_line_is_measured(r))
        return measured ? -1 : 1;
    if (measured && l->rates.median_ns != r->rates.median_ns)
        return l->rates.median_ns < r->rates.median_ns ? -1 : 1;
    return (l > r) - (l < r);
}

/* The first line of each problem that is not a copy, and *count_p of them; NULL without memory. */
static const summary_line **problems_of(const summary_table *t, size_t *count_p)
{
    const summary_line **problems = calloc(t->count + 1, sizeof *problems);
    size_t count = 0;
    for (size_t i = 0; problems && i < t->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(problems[k]->problem, t->lines[i].problem) != 0)
            k++;
        if (k == count && !t->lines[i].ceiling)
            problems[count++] = &t->lines[i];
    }
    *count_p = count;
    return problems;
}

/* Where a line is shown: all problems that it belongs to, at `to`. Returns how many. */
static size_t place(const summary_line *l, const summary_line *const *problems, size_t count,
                    shown *to)
{
    size_t placed = 0;
    for (size_t k = 0; k < count; k++)
        if (l->ceiling ? l->dtype == problems[k]->dtype && l->cache == problems[k]->cache &&
                             l->in_place == problems[k]->in_place
                       : strcmp(l->problem, problems[k]->problem) == 0)
            to[placed++] = (shown){.line = l, .problem = k};
    if (placed == 0)
        to[placed++] = (shown){.line = l,
                               .problem = count + l->dtype + (l->cache ? SCAN_DTYPE_COUNT : 0) +
                                          (l->in_place ? (size_t)2 * SCAN_DTYPE_COUNT : 0)};
    return placed;
}

/* All lines in the order of the table, and *count_p of them; NULL without memory. */
static shown *arrange(const summary_table *t, size_t *count_p)
{
    size_t problems_count = 0, ceilings = 0, count = 0;
    const summary_line **problems = problems_of(t, &problems_count);
    for (size_t i = 0; i < t->count; i++)
        ceilings += t->lines[i].ceiling;
    shown *order = calloc(t->count + ceilings * problems_count + 1, sizeof *order);
    for (size_t i = 0; problems && order && i < t->count; i++)
        count += place(&t->lines[i], problems, problems_count, order + count);
    if (order)
        qsort(order, count, sizeof *order, by_problem_size_and_time);
    if (!problems) {
        free(order);
        order = NULL;
    }
    free(problems);
    *count_p = count;
    return order;
}

/* The lines of one problem and size, which follow each other. */
typedef struct block {
    const shown *first;
    size_t count;
    const summary_line *winner; /* or NULL */
    size_t competitors;
    unsigned unit; /* of its times */
} block;

static block block_at(const shown *first, const shown *end)
{
    block b = {.first = first};
    double fastest = 0, slowest = 0;
    while (first + b.count < end && first[b.count].problem == first->problem &&
           first[b.count].line->n == first->line->n) {
        const summary_line *l = first[b.count++].line;
        if (!summary_line_is_measured(l))
            continue;
        slowest = l->rates.median_ns;
        fastest = fastest > 0 ? fastest : slowest;
        if (l->ceiling)
            continue;
        b.winner = b.winner ? b.winner : l;
        b.competitors++;
    }
    b.unit = summary_line_unit(fastest, slowest);
    return b;
}

static char mark_of(const summary_table *t, const block *b, const summary_line *l)
{
    if (l->ceiling)
        return SUMMARY_CEILING;
    if (b->competitors < 2 || !summary_line_is_measured(l))
        return ' ';
    if (l == b->winner)
        return SUMMARY_WINNER;
    return summary_line_ties(l, b->winner, t->in_rounds) ? SUMMARY_TIED : ' ';
}

/* The widths that all lines need. */
static summary_layout layout_of(const shown *order, const shown *end, FILE *out, size_t columns,
                                bool color)
{
    summary_layout layout = {.out = out, .color = color, .width = columns};
    while (order < end) {
        const block b = block_at(order, end);
        for (size_t i = 0; i < b.count; i++)
            summary_line_widen(b.first[i].line, b.unit, &layout);
        order += b.count;
    }
    summary_layout_fit(&layout);
    return layout;
}

static void print_block(const summary_table *t, const block *b, const summary_layout *layout,
                        summary_legend *legend)
{
    char n[FIT_GROUPED_BYTES];
    fprintf(layout->out, "\n%sn = %s%s\n", layout->color ? "\033[1m" : "",
            fit_grouped(b->first->line->n, n), layout->color ? "\033[0m" : "");
    for (size_t i = 0; i < b->count; i++) {
        const summary_line *l = b->first[i].line;
        const char mark = mark_of(t, b, l);
        summary_line_print(l, mark, b->unit, layout);
        legend->winner |= mark == SUMMARY_WINNER;
        legend->tied |= mark == SUMMARY_TIED;
        legend->ceiling |= mark == SUMMARY_CEILING;
        legend->other_kind |= summary_line_is_measured(l) && l->other_kind;
        legend->noisy |= summary_line_is_measured(l) && l->noisy;
        legend->in_place |= l->in_place;
    }
}

void summary_table_print(const summary_table *t, FILE *out, size_t columns, bool color)
{
    size_t count = 0;
    shown *order = arrange(t, &count);
    if (!order)
        return;
    const shown *end = order + count;
    const summary_layout layout = layout_of(order, end, out, columns, color);
    summary_legend legend = {.in_rounds = t->in_rounds};
    size_t problem = SIZE_MAX;
    for (const shown *at = order; at < end;) {
        const block b = block_at(at, end);
        if (at->problem != problem)
            summary_line_print_header(b.winner ? b.winner : at[b.count - 1].line, &layout);
        problem = at->problem;
        print_block(t, &b, &layout, &legend);
        at += b.count;
    }
    summary_legend_print(&legend, columns, out);
    free(order);
}
