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

/* A row of `run`. */
typedef struct parts_run {
    const result_row *row;
    size_t file;
    uint64_t n;
    unsigned parts;
} parts_run;

typedef int run_order(const parts_run *a, const parts_run *b);

/* Sorted by an order, then by file: of each file the fastest. */
typedef struct run_list {
    parts_run *runs;
    size_t count;
    run_order *order;
} run_list;

/* A plugin that does not know of parts has one; 0: the cell holds no number of parts. */
static unsigned parts_of(const result_row *row)
{
    enum { DIGITS = 6 };
    const size_t length = strspn(row->parts, "0123456789");
    if (length == 0 && !*row->parts)
        return 1;
    return row->parts[length] || length > DIGITS ? 0 : (unsigned)strtoul(row->parts, NULL, 10);
}

static bool is_copy(const result_row *row)
{
    return strcmp(row->role, "ceiling") == 0 || (!*row->op && !*row->kind);
}

/* ---- order ----------------------------------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_texts(const char *const (*pairs)[2], size_t count)
{
    int order = 0;
    for (size_t i = 0; i < count && order == 0; i++)
        order = strcmp(pairs[i][0], pairs[i][1]);
    return order;
}

/* What all that is held against each other has in common: problem and place. */
static int by_problem(const result_row *a, const result_row *b)
{
    const char *const pairs[][2] = {{a->dtype, b->dtype},   {a->cache, b->cache},
                                    {a->kinds, b->kinds},   {a->op, b->op},
                                    {a->device, b->device}, {a->host, b->host}};
    return by_texts(pairs, sizeof pairs / sizeof *pairs);
}

/* The order of `own`. */
static int by_plugin(const parts_run *a, const parts_run *b)
{
    const char *const pairs[][2] = {{a->row->plugin, b->row->plugin},
                                    {a->row->plugin_version, b->row->plugin_version},
                                    {a->row->backend, b->row->backend},
                                    {a->row->driver, b->row->driver}};
    int order = by_problem(a->row, b->row);
    order = order ? order : by_texts(pairs, sizeof pairs / sizeof *pairs);
    order = order ? order : by_number(a->n, b->n);
    return order ? order : by_number(a->parts, b->parts);
}

/* The order of `best`. Copies, which have neither kind nor operator, are held against copies. */
static int by_competition(const parts_run *a, const parts_run *b)
{
    const int order = by_problem(a->row, b->row);
    return order ? order : by_number(a->n, b->n);
}

/* Of one place in an order: by file, then the fastest first. */
static int by_file_and_time(const parts_run *a, const parts_run *b)
{
    int order = by_number(a->file, b->file);
    if (order == 0)
        order = (a->row->median_ns > b->row->median_ns) - (a->row->median_ns < b->row->median_ns);
    return order ? order : by_number(a->row->line, b->row->line);
}

static int compare_own(const void *a, const void *b)
{
    const int order = by_plugin(a, b);
    return order ? order : by_file_and_time(a, b);
}

static int compare_best(const void *a, const void *b)
{
    const int order = by_competition(a, b);
    return order ? order : by_file_and_time(a, b);
}

/* Keeps the fastest of each place and file. */
static void keep_fastest(run_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const parts_run *last = kept > 0 ? &list->runs[kept - 1] : NULL;
        if (!last || last->file != list->runs[i].file || list->order(last, &list->runs[i]) != 0)
            list->runs[kept++] = list->runs[i];
    }
    list->count = kept;
}

/* The first that is not before `sought`. */
static size_t first_at(const run_list *list, const parts_run *sought)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->order(&list->runs[middle], sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* That of the same file; else the fastest of others of the same host, if that has a name. NULL:
 * there is none. */
static const parts_run *find_one(const run_list *list, const parts_run *sought)
{
    const parts_run *found = NULL;
    for (size_t i = first_at(list, sought);
         i < list->count && list->order(&list->runs[i], sought) == 0; i++) {
        const parts_run *one = &list->runs[i];
        if (one->file == sought->file)
            return one;
        if (*one->row->host && (!found || one->row->median_ns < found->row->median_ns))
            found = one;
    }
    return found;
}

/* ---- points ---------------------------------------------------------------- */

static double bound_of(const parts_run *run)
{
    if (is_copy(run->row) || strcmp(run->row->layout, "cyclic") == 0)
        return run->parts;
    return strcmp(run->row->layout, "contiguous") == 0 ? 2.0 * run->parts / 3 : 0;
}

static scaling_gain gain_over(const report *r, const parts_run *run, const parts_run *one)
{
    if (!one)
        return (scaling_gain){.one = NULL};
    report_ratio speedup = ratio_of(one->row, run->row, r->files[run->file].info.sequential);
    const double more = (double)run->n / (double)one->n, bound = bound_of(run);
    if (one->file != run->file) {
        speedup.ratio = one->row->median_ns / run->row->median_ns;
        speedup.has_interval = false;
        speedup.doubt = RATIO_DOUBT_RUNS;
    }
    speedup.ratio *= more;
    speedup.lo *= more;
    speedup.hi *= more;
    return (scaling_gain){.one = one->row,
                          .file = one->file,
                          .speedup = speedup,
                          .efficiency = speedup.ratio / run->parts,
                          .of_bound = bound > 0 ? speedup.ratio / bound : 0};
}

/* The lists in which one part is sought, and the points that are found. */
typedef struct search {
    const report *r;
    run_list own, best;
    scaling_list found;
} search;

static void add_point(search *s, const parts_run *run, scaling_way way)
{
    parts_run sought = *run;
    sought.parts = 1;
    if (way == SCALING_WEAK && run->n % run->parts != 0)
        return;
    if (way == SCALING_WEAK)
        sought.n = run->n / run->parts;
    const parts_run *own = find_one(&s->own, &sought), *best = find_one(&s->best, &sought);
    if (best)
        s->found.points[s->found.count++] =
            (scaling_point){.row = run->row,
                            .file = run->file,
                            .way = way,
                            .parts = run->parts,
                            .n_of_one = sought.n,
                            .elements_per_s = (double)run->n / run->row->median_ns * 1e9,
                            .bound = bound_of(run),
                            .own = gain_over(s->r, run, own),
                            .best = gain_over(s->r, run, best)};
}

bool scaling_same_table(const scaling_point *a, const scaling_point *b)
{
    return a->way == b->way && by_problem(a->row, b->row) == 0;
}

static int compare_points(const void *left, const void *right)
{
    const scaling_point *a = left, *b = right;
    int order = by_number(a->way, b->way);
    order = order ? order : by_problem(a->row, b->row);
    order = order ? order : strcmp(a->row->plugin, b->row->plugin);
    order = order ? order : by_number(a->n_of_one, b->n_of_one);
    order = order ? order : by_number(a->parts, b->parts);
    order = order ? order : by_number(a->file, b->file);
    return order ? order : by_number(a->row->line, b->row->line);
}

/* Fills both lists. false: nothing was measured in several parts. */
static bool take_runs(search *s)
{
    bool any = false;
    for (size_t i = 0; i < s->r->configuration_count; i++) {
        const report_configuration *c = &s->r->configurations[i];
        const parts_run run = {c->run, c->file, c->run->n, parts_of(c->run)};
        if (run.parts == 0 || run.n == 0 || !(run.row->median_ns > 0))
            continue;
        any |= run.parts > 1;
        s->own.runs[s->own.count++] = run;
        if (run.parts == 1)
            s->best.runs[s->best.count++] = run;
    }
    return any;
}

static void find_points(search *s)
{
    qsort(s->own.runs, s->own.count, sizeof *s->own.runs, compare_own);
    qsort(s->best.runs, s->best.count, sizeof *s->best.runs, compare_best);
    keep_fastest(&s->own);
    keep_fastest(&s->best);
    for (size_t i = 0; i < s->own.count; i++) {
        if (s->own.runs[i].parts < 2)
            continue;
        add_point(s, &s->own.runs[i], SCALING_STRONG);
        add_point(s, &s->own.runs[i], SCALING_WEAK);
    }
    qsort(s->found.points, s->found.count, sizeof *s->found.points, compare_points);
}

scan_status scaling_make(const report *r, scaling_list *list_p)
{
    const size_t most = r->configuration_count + 1;
    search s = {.r = r,
                .own = {calloc(most, sizeof *s.own.runs), 0, by_plugin},
                .best = {calloc(most, sizeof *s.best.runs), 0, by_competition},
                .found = {calloc(2 * most, sizeof *s.found.points), 0}};
    const bool good = s.own.runs && s.best.runs && s.found.points;
    if (good && take_runs(&s))
        find_points(&s);
    free(s.own.runs);
    free(s.best.runs);
    if (good)
        *list_p = s.found;
    else
        free(s.found.points);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

void scaling_free(scaling_list *list)
{
    free(list->points);
    *list = (scaling_list){0};
}
