#include "output/summary_table.h"

#include "problem/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    char plugin[64], what[48], setting[112];
    row_status status;
    uint64_t n;
    size_t settings; /* how many were tried */
    measurement_score score;
} line;

struct table {
    line *lines;
    size_t count, capacity;
};

table *table_new(void)
{
    return calloc(1, sizeof(table));
}

void table_free(table *t)
{
    if (!t)
        return;
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
    snprintf(text, size, "%s%s%s", block, vt, c->params);
}

static line *find(const table *t, const line *wanted)
{
    for (size_t i = t->count; i-- > 0;) {
        line *l = &t->lines[i];
        if (l->n == wanted->n && strcmp(l->plugin, wanted->plugin) == 0 &&
            strcmp(l->what, wanted->what) == 0)
            return l;
    }
    return NULL;
}

/* Failures win over results, so that none is hidden; then the faster. */
static bool wins(const line *a, const line *b)
{
    bool a_failed = !a->score.measured && a->status != ROW_UNSUPPORTED;
    bool b_failed = !b->score.measured && b->status != ROW_UNSUPPORTED;
    if (a_failed != b_failed)
        return a_failed;
    if (a->score.measured != b->score.measured)
        return a->score.measured;
    return a->score.median_ns < b->score.median_ns;
}

void table_add(table *t, const measurement *c, const measurement_score *score)
{
    const job *j = &c->planned->job;
    const plugin_info *p = c->session->plugin;
    line l = {.n = j->n, .settings = 1, .status = c->result.status, .score = *score};
    bool ceiling = p->role == SCAN_ROLE_CEILING;
    snprintf(l.plugin, sizeof l.plugin, "%s%s", p->id, c->session->device_index ? "'" : "");
    snprintf(l.what, sizeof l.what, "%s %s %s", dtype_name(j->dtype),
             ceiling ? "copy" : op_name(j->op), ceiling ? "" : kind_name(j->kind));
    describe_setting(c->planned, l.setting, sizeof l.setting);
    line *there = find(t, &l);
    if (there) {
        l.settings += there->settings;
        if (wins(&l, there))
            *there = l;
        else
            there->settings = l.settings;
        return;
    }
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        line *lines = realloc(t->lines, capacity * sizeof *lines);
        if (!lines)
            return;
        t->lines = lines;
        t->capacity = capacity;
    }
    t->lines[t->count++] = l;
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

static void print_line(const line *l, FILE *out, bool color)
{
    char time[32], rate[32], pct[32], speedup[32];
    if (!l->score.measured) {
        fprintf(out, "  %-22s %12" PRIu64 "  %s%12s%s\n", l->plugin, l->n, color ? "\033[31m" : "",
                row_status_word(l->status), color ? "\033[0m" : "");
        return;
    }
    format_time(l->score.median_ns, time, sizeof time);
    format_positive(l->score.bytes_per_s / 1e9, "", rate, sizeof rate);
    format_positive(l->score.pct_copy, "%", pct, sizeof pct);
    format_positive(l->score.speedup, "x", speedup, sizeof speedup);
    fprintf(out, "  %-22s %12" PRIu64 "  %12s %8s %7s %8s  %s%s\n", l->plugin, l->n, time, rate,
            pct, speedup, l->setting, l->settings > 1 ? "  (fastest setting)" : "");
}

static int by_what_and_size(const void *left, const void *right)
{
    const line *a = *(const line *const *)left, *b = *(const line *const *)right;
    int order = strcmp(a->what, b->what);
    if (order)
        return order;
    order = (a->n > b->n) - (a->n < b->n);
    return order ? order : (a > b) - (a < b);
}

void table_print(const table *t, FILE *out, bool color)
{
    const line **order = calloc(t->count + 1, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < t->count; i++)
        order[i] = &t->lines[i];
    qsort(order, t->count, sizeof *order, by_what_and_size);
    const char *what = "";
    for (size_t i = 0; i < t->count; i++) {
        const line *l = order[i];
        if (strcmp(l->what, what) != 0)
            fprintf(out, "\n%s%s%s\n  %-22s %12s  %12s %8s %7s %8s\n", color ? "\033[1m" : "",
                    l->what, color ? "\033[0m" : "", "plugin", "n", "median", "GB/s", "% copy",
                    "speedup");
        else if (l->n != order[i - 1]->n)
            fputc('\n', out);
        what = l->what;
        print_line(l, out, color);
    }
    free(order);
}
