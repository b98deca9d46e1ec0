#include "output/summary_table.h"

#include "problem/names.h"
#include "system/hash_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the params that the table shows: the CSV has them all. */
enum { SHOWN_PARAMS = 103 };

typedef struct summary_line {
    char plugin[64], problem[48], setting[176];
    row_status status;
    uint64_t n;
    size_t settings; /* how many configurations were measured */
    phase_rates rates;
} summary_line;

struct summary_table {
    hash_map *places; /* index in `lines`, by plugin, problem and n */
    summary_line *lines;
    size_t count, capacity;
};

summary_table *summary_table_new(void)
{
    summary_table *t = calloc(1, sizeof *t);
    if (t)
        t->places = hash_map_new();
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
    free(t->lines);
    free(t);
}

static void describe_setting(const configuration *c, char *text, size_t size)
{
    char block[32] = "", vt[32] = "";
    if (c->has_block)
        snprintf(block, sizeof block, "block=%" PRId64 " ", c->block);
    if (c->has_vt)
        snprintf(vt, sizeof vt, "vt=%" PRId64 " ", c->vt);
    snprintf(text, size, "%s%s%.*s", block, vt, SHOWN_PARAMS, c->params);
}

static bool is_measured(const summary_line *l)
{
    return l->rates.median_ns > 0;
}

/* Prefers failures, so that none is hidden, and then the faster result. */
static bool comes_before(const summary_line *a, const summary_line *b)
{
    bool a_failed = !is_measured(a) && a->status != ROW_UNSUPPORTED;
    bool b_failed = !is_measured(b) && b->status != ROW_UNSUPPORTED;
    if (a_failed != b_failed)
        return a_failed;
    if (is_measured(a) != is_measured(b))
        return is_measured(a);
    return a->rates.median_ns < b->rates.median_ns;
}

static summary_line make_line(const measurement *m, const phase_rates *rates)
{
    const job *j = &m->configuration->job;
    const bool ceiling = measurement_is_ceiling(m);
    summary_line l = {.n = j->n, .settings = 1, .status = m->result.status, .rates = *rates};
    snprintf(l.plugin, sizeof l.plugin, "%s%s", m->session->plugin->id,
             m->session->device_index ? "'" : "");
    snprintf(l.problem, sizeof l.problem, "%s %s%s%s%s", dtype_name(j->dtype),
             ceiling ? "copy" : op_name(j->op), ceiling ? "" : " ",
             ceiling ? "" : kind_name(j->kind), j->cache == CACHE_COLD ? ", cold caches" : "");
    describe_setting(m->configuration, l.setting, sizeof l.setting);
    return l;
}

/* Makes room for one more line. */
static bool reserve(summary_table *t)
{
    if (t->count < t->capacity)
        return true;
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    summary_line *lines = realloc(t->lines, capacity * sizeof *lines);
    if (!lines)
        return false;
    t->lines = lines;
    t->capacity = capacity;
    return true;
}

scan_status summary_table_add(summary_table *t, const measurement *m, const phase_rates *rates)
{
    summary_line l = make_line(m, rates);
    char key[sizeof l.plugin + sizeof l.problem + 24];
    snprintf(key, sizeof key, "%s\t%s\t%" PRIu64, l.plugin, l.problem, l.n);
    const size_t *place = reserve(t) ? hash_map_add(t->places, key, t->count) : NULL;
    if (!place)
        return SCAN_NO_MEMORY;
    summary_line *there = &t->lines[*place];
    if (*place == t->count) {
        *there = l;
        t->count++;
        return SCAN_OK;
    }
    l.settings += there->settings;
    if (comes_before(&l, there))
        *there = l;
    there->settings = l.settings;
    return SCAN_OK;
}

static void format_time(double ns, char *text, size_t size)
{
    if (ns < 1e3)
        snprintf(text, size, "%.0f ns", ns);
    else if (ns < 1e6)
        snprintf(text, size, "%.3g us", ns / 1e3);
    else if (ns < 1e9)
        snprintf(text, size, "%.4g ms", ns / 1e6);
    else
        snprintf(text, size, "%.4g s", ns / 1e9);
}

static void format_positive(double value, const char *format, char *text, size_t size)
{
    if (value > 0)
        snprintf(text, size, *format == 'x' ? "%.2f" : *format == '%' ? "%.0f" : "%.1f", value);
    else
        snprintf(text, size, "-");
}

static void print_line(const summary_line *l, FILE *out, bool color)
{
    char time[32], rate[32], pct[32], speedup[32];
    if (!is_measured(l)) {
        fprintf(out, "  %-22s %12" PRIu64 "  %s%12s%s\n", l->plugin, l->n, color ? "\033[31m" : "",
                row_status_word(l->status), color ? "\033[0m" : "");
        return;
    }
    format_time(l->rates.median_ns, time, sizeof time);
    format_positive(l->rates.bytes_per_s / 1e9, "", rate, sizeof rate);
    format_positive(l->rates.pct_copy, "%", pct, sizeof pct);
    format_positive(l->rates.speedup, "x", speedup, sizeof speedup);
    fprintf(out, "  %-22s %12" PRIu64 "  %12s %8s %7s %8s  %s%s\n", l->plugin, l->n, time, rate,
            pct, speedup, l->setting, l->settings > 1 ? "  (fastest setting)" : "");
}

static int by_problem_and_size(const void *left, const void *right)
{
    const summary_line *a = *(const summary_line *const *)left,
                       *b = *(const summary_line *const *)right;
    int order = strcmp(a->problem, b->problem);
    if (order)
        return order;
    order = (a->n > b->n) - (a->n < b->n);
    return order ? order : (a > b) - (a < b);
}

void summary_table_print(const summary_table *t, FILE *out, bool color)
{
    const summary_line **order = calloc(t->count + 1, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < t->count; i++)
        order[i] = &t->lines[i];
    qsort(order, t->count, sizeof *order, by_problem_and_size);
    const char *problem = "";
    for (size_t i = 0; i < t->count; i++) {
        const summary_line *l = order[i];
        if (strcmp(l->problem, problem) != 0)
            fprintf(out, "\n%s%s%s\n  %-22s %12s  %12s %8s %7s %8s\n", color ? "\033[1m" : "",
                    l->problem, color ? "\033[0m" : "", "plugin", "n", "median", "GB/s", "% copy",
                    "speedup");
        else if (l->n != order[i - 1]->n)
            fputc('\n', out);
        problem = l->problem;
        print_line(l, out, color);
    }
    free(order);
}
