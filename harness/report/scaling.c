#include "report/scaling.h"

#include <stdlib.h>
#include <string.h>

#define WORD(name, word) [SCALING_##name] = word,
const char *scaling_way_word(scaling_way way)
{
    static const char *const words[] = {SCALING_WAY_MAP(WORD)};
    return words[way];
}
#undef WORD

/* A row of `run` of a plugin that knows of parts. */
typedef struct parts_run {
    const result_row *row;
    size_t file;
    uint64_t n;
    unsigned parts;
} parts_run;

/* 0: it does not know of parts, or what stands there is no number of parts. */
static unsigned parts_of(const result_row *row)
{
    enum { DIGITS = 6 };
    const size_t length = strspn(row->parts, "0123456789");
    if (row->parts[length] || length > DIGITS)
        return 0;
    return (unsigned)strtoul(row->parts, NULL, 10);
}

/* ---- order ----------------------------------------------------------------- */

/* What rows must have in common to be held against each other. */
static int by_plugin(const parts_run *a, const parts_run *b)
{
    const char *const pairs[][2] = {
        {a->row->plugin, b->row->plugin},   {a->row->plugin_version, b->row->plugin_version},
        {a->row->backend, b->row->backend}, {a->row->device, b->row->device},
        {a->row->driver, b->row->driver},   {a->row->dtype, b->row->dtype},
        {a->row->op, b->row->op},           {a->row->kind, b->row->kind},
        {a->row->cache, b->row->cache}};
    int order = (a->file > b->file) - (a->file < b->file);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && order == 0; i++)
        order = strcmp(pairs[i][0], pairs[i][1]);
    return order;
}

static int by_place(const void *left, const void *right)
{
    const parts_run *a = left, *b = right;
    int order = by_plugin(a, b);
    if (order == 0)
        order = (a->n > b->n) - (a->n < b->n);
    return order == 0 ? (a->parts > b->parts) - (a->parts < b->parts) : order;
}

static int by_place_and_time(const void *left, const void *right)
{
    const parts_run *a = left, *b = right;
    const int order = by_place(a, b);
    if (order != 0)
        return order;
    if (a->row->median_ns > b->row->median_ns || a->row->median_ns < b->row->median_ns)
        return a->row->median_ns > b->row->median_ns ? 1 : -1;
    return (a->row->line > b->row->line) - (a->row->line < b->row->line);
}

/* The fastest settings, sorted by place. Returns how many there are. */
static size_t take_runs(const report *r, parts_run *runs)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < r->configuration_count; i++) {
        const report_configuration *c = &r->configurations[i];
        const unsigned parts = parts_of(c->run);
        if (parts > 0 && c->run->n > 0)
            runs[count++] = (parts_run){c->run, c->file, c->run->n, parts};
    }
    qsort(runs, count, sizeof *runs, by_place_and_time);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || by_place(&runs[kept - 1], &runs[i]) != 0)
            runs[kept++] = runs[i];
    return kept;
}

/* ---- points ---------------------------------------------------------------- */

static double bound_of(const parts_run *run)
{
    if (strcmp(run->row->role, "ceiling") == 0 || strcmp(run->row->layout, "cyclic") == 0)
        return run->parts;
    return strcmp(run->row->layout, "contiguous") == 0 ? 2.0 * run->parts / 3 : 0;
}

/* How many times the elements per second of `one` `run` reaches. */
static report_ratio speedup_of(const report *r, const parts_run *run, const parts_run *one)
{
    report_ratio speedup = ratio_of(one->row, run->row, r->files[run->file].info.sequential);
    const double more = (double)run->n / (double)one->n;
    speedup.ratio *= more;
    speedup.lo *= more;
    speedup.hi *= more;
    return speedup;
}

static void add_point(const report *r, const parts_run *runs, size_t count, const parts_run *run,
                      scaling_way way, scaling_list *list)
{
    parts_run sought = *run;
    sought.parts = 1;
    if (way == SCALING_WEAK && run->n % run->parts != 0)
        return;
    if (way == SCALING_WEAK)
        sought.n = run->n / run->parts;
    const parts_run *one = bsearch(&sought, runs, count, sizeof *runs, by_place);
    if (one)
        list->points[list->count++] = (scaling_point){.row = run->row,
                                                      .one = one->row,
                                                      .file = run->file,
                                                      .way = way,
                                                      .parts = run->parts,
                                                      .speedup = speedup_of(r, run, one),
                                                      .bound = bound_of(run)};
}

scan_status scaling_make(const report *r, scaling_list *list_p)
{
    parts_run *runs = calloc(r->configuration_count + 1, sizeof *runs);
    scaling_list list = {calloc(2 * r->configuration_count + 1, sizeof *list.points), 0};
    if (!runs || !list.points) {
        free(runs);
        free(list.points);
        return SCAN_NO_MEMORY;
    }
    const size_t count = take_runs(r, runs);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].parts < 2)
            continue;
        add_point(r, runs, count, &runs[i], SCALING_STRONG, &list);
        add_point(r, runs, count, &runs[i], SCALING_WEAK, &list);
    }
    free(runs);
    *list_p = list;
    return SCAN_OK;
}

void scaling_free(scaling_list *list)
{
    free(list->points);
    *list = (scaling_list){0};
}
