#include "tables/time_plot.h"

#include "report/words.h"
#include "tables/terminal_plot.h"

#include <stdlib.h>
#include <string.h>

enum { LEGEND_BYTES = 4096 };

/* The entries of a sheet's problems of one file and view, in lines by plugin and device. */
typedef struct lines {
    const result_row *first[PLOT_LINES]; /* of each line: any of its rows */
    size_t count;
    plot_point *points;
    size_t point_count;
} lines;

static size_t line_of(lines *l, const result_row *row)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->first[i]->plugin, row->plugin) == 0 &&
            strcmp(l->first[i]->device, row->device) == 0)
            return i;
    if (l->count == PLOT_LINES)
        return PLOT_LINES;
    l->first[l->count] = row;
    return l->count++;
}

static void add_point(lines *l, const result_row *row, size_t line)
{
    if (row->n > 0)
        l->points[l->point_count++] =
            (plot_point){.x = (double)row->n, .y = row->median_ns, .line = line};
}

static int by_line(const void *left, const void *right)
{
    const plot_point *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static const char *time_label(double ns, char *text)
{
    return words_time(ns, text);
}

static void put_legend(const lines *l, bool limit, const paper *p)
{
    char text[LEGEND_BYTES] = "", name[WORDS_PLUGIN_BYTES];
    for (size_t i = 0; i < l->count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %c=%.60s", (char)('a' + i),
                 words_plugin(l->first[i], name));
    }
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", limit ? " -=copy" : "");
    paper_wrap(p, 4, text);
}

scan_status time_plot_put(const report_problem *problems, size_t count, const paper *p)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += problems[i].count + 1;
    lines l = {.points = calloc(most + 1, sizeof *l.points)};
    bool limit = false;
    if (!l.points)
        return SCAN_NO_MEMORY;
    /* The fastest at the largest size is "a". */
    for (size_t i = count; i-- > 0;)
        for (size_t k = 0; k < problems[i].count; k++) {
            const size_t line = line_of(&l, problems[i].entries[k].row);
            if (line < PLOT_LINES)
                add_point(&l, problems[i].entries[k].row, line);
        }
    for (size_t i = 0; i < count; i++)
        if (report_ceiling(&problems[i])) {
            add_point(&l, report_ceiling(&problems[i]), PLOT_LIMIT);
            limit = true;
        }
    if (l.point_count > 0)
        qsort(l.points, l.point_count, sizeof *l.points, by_line);
    plot_draw(l.points, l.point_count, p->width, time_label, p->out);
    if (l.point_count > 0)
        put_legend(&l, limit, p);
    paper_space(p);
    free(l.points);
    return SCAN_OK;
}
