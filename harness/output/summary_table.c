#include "output/summary_table.h"

#include "problem/names.h"
#include "text/array_room.h"
#include "text/fit.h"
#include "text/hash_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What stands before a name. */
#define SUMMARY_WINNER '*'
#define SUMMARY_TIED '='
#define SUMMARY_UNKNOWN '?'
#define SUMMARY_CEILING '^'

typedef struct table_line {
    char plugin[80], problem[64], setting[176], reason[96];
    bool ceiling, in_place;
    bool other_kind; /* inclusive, where both kinds compete */
    uint32_t dtype, result, cache;
    row_status status;
    uint64_t n, rows, inner;
    size_t settings;  /* how many configurations were measured */
    double median_ns; /* of the run; 0: it was not measured */
    double bytes_per_s, pct_copy, speedup;
    stats_rounds interval;
    bool noisy;
    uint64_t group_id; /* lines of one were measured in the same rounds */
    double *values;    /* of each round */
    size_t value_count;
} table_line;

/* The columns that a line may lack, the first to go first. */
typedef enum table_column {
    SUMMARY_RATE,
    SUMMARY_COPY,
    SUMMARY_HALF,
    SUMMARY_SPEEDUP,
    SUMMARY_OPTIONAL
} table_column;

/* The columns that the lines of a table share. */
typedef struct table_layout {
    FILE *out;
    bool color;
    size_t name_width, time_width; /* of the longest name, and of times before the point */
    size_t width;                  /* of a line */
    bool lacks[SUMMARY_OPTIONAL];  /* columns for which a narrow terminal has no room */
} table_layout;

/* Which marks a table has. */
typedef struct table_legend {
    bool winner, tied, unknown, ceiling, noisy, other_kind, in_place;
} table_legend;

/* Of the params that the table shows: the CSV has them all. */
enum { SHOWN_PARAMS = 103 };

/* Columns: names are shortened to NAME_MOST, in a narrow terminal to NAME_LEAST, and the setting
 * has what the others leave: the name and its mark, the time, its unit, and the optional ones. */
enum {
    NAME_MOST = 22,
    NAME_LEAST = 12,
    TIME_LEAST = 3,
    UNIT_COLUMNS = 7,
    GAPS = 4,
    SETTING_GAP = 2
};
static const size_t optional_widths[SUMMARY_OPTIONAL] = {
    [SUMMARY_RATE] = 6, [SUMMARY_COPY] = 7, [SUMMARY_HALF] = 7, [SUMMARY_SPEEDUP] = 8};

enum { CELL = 40 };

static const struct {
    double ns;
    const char *word;
} units[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s "}};
enum { UNITS = sizeof units / sizeof *units };

/* Is it inclusive among scans of which most are exclusive? */
static bool is_other_kind(const job *j)
{
    return j->measure.any_kind && j->kind == SCAN_KIND_INCLUSIVE;
}

static void describe_setting(const configuration *c, char *text, size_t size)
{
    char block[32] = "", vt[32] = "";
    if (c->has_block)
        snprintf(block, sizeof block, "block=%" PRId64 " ", c->block);
    if (c->has_vt)
        snprintf(vt, sizeof vt, "vt=%" PRId64 " ", c->vt);
    snprintf(text, size, "%s%s%s%.*s", is_other_kind(&c->job) ? "inclusive " : "", block, vt,
             SHOWN_PARAMS, c->params);
    for (char *at = text; *at; at++)
        if (*at == ';')
            *at = ' ';
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == ' ')
        text[length - 1] = '\0';
}

static scan_status take_rounds(const measurement_phase *run, table_line *l)
{
    if (!run || run->value_count == 0)
        return SCAN_OK;
    l->values = malloc(run->value_count * sizeof *l->values);
    if (!l->values)
        return SCAN_NO_MEMORY;
    memcpy(l->values, run->values, run->value_count * sizeof *l->values);
    l->value_count = run->value_count;
    l->interval = run->interval;
    l->noisy = run->interval.noisy;
    return SCAN_OK;
}

static scan_status make_line(const measured_row *r, table_line *line_p)
{
    const measurement *m = r->m;
    const job *j = &m->configuration->job;
    const bool ceiling = measurement_is_ceiling(m);
    table_line l = {.n = j->n,
                    .rows = job_rows(j),
                    .inner = job_inner(j),
                    .dtype = j->dtype,
                    .result = j->result,
                    .cache = j->cache,
                    .ceiling = ceiling,
                    .in_place = measurement_is_in_place(m),
                    .settings = 1,
                    .status = m->result.status,
                    .median_ns = r->p ? r->p->interval.median : 0,
                    .bytes_per_s = r->bytes_per_s,
                    .pct_copy = 100 * r->copy.median,
                    .speedup = r->speedup.median,
                    .group_id = r->origin->group_id};
    char device[16] = "", reason[FAULT_SENTENCE_BYTES], types[JOB_TYPES_BYTES];
    if (m->session->device_index > 0)
        snprintf(device, sizeof device, ":%" PRIu32, m->session->device_index);
    snprintf(l.plugin, sizeof l.plugin, "%.63s%s", m->session->plugin->id, device);
    snprintf(l.problem, sizeof l.problem, "%s %s%s%s%s%s%s", job_types_text(j, types),
             ceiling ? "copy" : op_name(j->op), ceiling ? "" : " ",
             ceiling ? "" : job_kinds_word(j), ceiling || !j->measure.any_kind ? "" : " kind",
             l.in_place ? ", in place" : "", j->cache == CACHE_COLD ? ", cold caches" : "");
    l.other_kind = !ceiling && is_other_kind(j);
    fit_end(fault_text(&m->result.fault, reason, sizeof reason), FIT_PAGE, l.reason,
            sizeof l.reason);
    describe_setting(m->configuration, l.setting, sizeof l.setting);
    if (take_rounds(r->p, &l) != SCAN_OK)
        return SCAN_NO_MEMORY;
    *line_p = l;
    return SCAN_OK;
}

static bool is_measured(const table_line *l)
{
    return l->median_ns > 0;
}

static unsigned unit_for(double fastest_ns, double slowest_ns)
{
    unsigned unit = UNITS - 1;
    while (unit > 0 && (slowest_ns < units[unit].ns || fastest_ns < 0.1 * units[unit].ns))
        unit--;
    return unit;
}

/* A time with three or four significant digits, in two parts so that points align. */
typedef struct time_cell {
    char whole[CELL], fraction[8];
    const char *unit;
} time_cell;

static time_cell time_of(const table_line *l, unsigned unit)
{
    /* What is too long for its column has a unit of its own. */
    while (unit + 1 < UNITS && l->median_ns / units[unit].ns >= 9999999.5)
        unit++;
    const double value = l->median_ns / units[unit].ns;
    const int digits = value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
    time_cell cell = {.unit = units[unit].word};
    if (digits == 0) {
        fit_grouped((uint64_t)(value + 0.5), cell.whole);
        return cell;
    }
    char number[CELL];
    snprintf(number, sizeof number, "%.*f", digits, value);
    const size_t whole = strlen(number) - (size_t)digits - 1;
    snprintf(cell.whole, sizeof cell.whole, "%.*s", (int)whole, number);
    snprintf(cell.fraction, sizeof cell.fraction, "%.*s", digits + 1, number + whole);
    return cell;
}

/* Three significant digits in five columns; "-" where nothing is known. */
static const char *short_number(double value, char text[CELL])
{
    if (!(value > 0))
        snprintf(text, CELL, "-");
    else if (value < 0.005)
        snprintf(text, CELL, "<0.01");
    else
        snprintf(text, CELL, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
    if (fit_width(text) > 5)
        snprintf(text, CELL, "%.0e", value);
    return text;
}

/* Two significant digits. */
static const char *percent(double value, char text[CELL])
{
    if (!(value > 0))
        snprintf(text, CELL, "-");
    else if (value > 9999)
        snprintf(text, CELL, ">9999");
    else
        snprintf(text, CELL, "%.*f", value < 9.95 ? 1 : 0, value);
    return text;
}

static void widen(const table_line *l, unsigned unit, table_layout *layout)
{
    size_t name = fit_width(l->plugin), time = TIME_LEAST;
    if (is_measured(l)) {
        const time_cell cell = time_of(l, unit);
        time = fit_width(cell.whole);
    }
    if (name < fit_width(l->problem) - 2) /* which stands above the names and the marks */
        name = fit_width(l->problem) - 2;
    if (name > NAME_MOST)
        name = NAME_MOST;
    if (layout->name_width < name)
        layout->name_width = name;
    if (layout->time_width < time)
        layout->time_width = time;
    if (layout->time_width < TIME_LEAST)
        layout->time_width = TIME_LEAST;
}

/* The columns of a line without the setting. */
static size_t taken_by(const table_layout *layout)
{
    size_t taken = GAPS + layout->name_width + layout->time_width + UNIT_COLUMNS;
    for (int i = 0; i < SUMMARY_OPTIONAL; i++)
        taken += layout->lacks[i] ? 0 : optional_widths[i];
    return taken;
}

static void fit_layout(table_layout *layout)
{
    for (int i = 0; i < SUMMARY_OPTIONAL; i++) {
        const size_t taken = taken_by(layout);
        const size_t over = taken > layout->width ? taken - layout->width : 0;
        /* A shorter name says more than the copy and the error together. */
        if (i >= SUMMARY_COPY && over > 0 && layout->name_width > NAME_LEAST)
            layout->name_width -=
                over < layout->name_width - NAME_LEAST ? over : layout->name_width - NAME_LEAST;
        layout->lacks[i] = taken_by(layout) > layout->width;
    }
}

static void put_optional(const table_layout *layout, table_column which, const char *text)
{
    if (!layout->lacks[which])
        fprintf(layout->out, "%*s",
                (int)optional_widths[which] + (int)strlen(text) - (int)fit_width(text), text);
}

static void print_header(const table_line *l, const table_layout *layout)
{
    const size_t label = layout->name_width + 2;
    const bool alone = fit_width(l->problem) > label;
    fprintf(layout->out, "\n%s%s%s%-*s  %*s", layout->color ? "\033[1m" : "",
            alone ? l->problem : "", alone ? "\n" : "", (int)label, alone ? "" : l->problem,
            (int)layout->time_width + UNIT_COLUMNS, "time");
    put_optional(layout, SUMMARY_HALF, "± % ");
    put_optional(layout, SUMMARY_RATE, "GB/s");
    put_optional(layout, SUMMARY_COPY, "% copy");
    put_optional(layout, SUMMARY_SPEEDUP, "speedup");
    fprintf(layout->out, "%s\n", layout->color ? "\033[0m" : "");
}

/* The setting, and of how many it is the fastest, in `columns`. */
static void fit_setting(const table_line *l, size_t columns, char *text, size_t size)
{
    char of[32] = "";
    if (l->settings > 1)
        snprintf(of, sizeof of, "%s(of %zu)", *l->setting ? " " : "", l->settings);
    const size_t taken = fit_width(of);
    fit_words(l->setting, columns > taken ? columns - taken : 0, text, size);
    if (fit_width(text) == 1) /* "…" alone */
        *text = '\0';
    if (taken <= columns)
        strncat(text, of, size - strlen(text) - 1);
}

static void print_reason(const table_line *l, const char *name, const table_layout *layout)
{
    const bool red = layout->color && row_status_is_failure(l->status);
    const char *word = row_status_word(l->status);
    const size_t taken = 2 + layout->name_width + 2 + strlen(word) + 2;
    char reason[sizeof l->reason + 4];
    fit_end(l->reason, layout->width > taken ? layout->width - taken : 0, reason, sizeof reason);
    fprintf(layout->out, "  %s  %s%s%s%s%s\n", name, red ? "\033[31m" : "", word,
            red ? "\033[0m" : "", *reason ? ": " : "", reason);
}

static void print_line(const table_line *l, char mark, unsigned unit, const table_layout *layout)
{
    char name[sizeof l->plugin + 8], tunables[sizeof l->setting + 40];
    char number[CELL], half[CELL + 1];
    fit_middle(l->plugin, layout->name_width, name, sizeof name - NAME_MOST);
    for (size_t width = fit_width(name); width < layout->name_width; width++)
        strcat(name, " ");
    if (!is_measured(l)) {
        print_reason(l, name, layout);
        return;
    }
    const bool bold = layout->color && mark == SUMMARY_WINNER;
    const time_cell time = time_of(l, unit);
    const size_t taken = taken_by(layout) + SETTING_GAP;
    fit_setting(l, taken < layout->width ? layout->width - taken : 0, tunables, sizeof tunables);
    const stats_rounds *i = &l->interval;
    percent(i->has_ci ? 50 * (i->hi - i->lo) / i->median : 0, number);
    snprintf(half, sizeof half, "%s%c", number, l->noisy ? '~' : ' ');
    fprintf(layout->out, "%s%c %s  %*s%-4s %s", bold ? "\033[1m" : "", mark, name,
            (int)layout->time_width, time.whole, time.fraction, time.unit);
    put_optional(layout, SUMMARY_HALF, half);
    put_optional(layout, SUMMARY_RATE, short_number(l->bytes_per_s / 1e9, number));
    put_optional(layout, SUMMARY_COPY, percent(l->pct_copy, number));
    put_optional(layout, SUMMARY_SPEEDUP, short_number(l->speedup, number));
    fprintf(layout->out, "%s%s%s\n", *tunables ? "  " : "", tunables, bold ? "\033[0m" : "");
}

static void print_legend(const table_legend *legend, size_t columns, FILE *out)
{
    char noisy[128];
    if (legend->winner || legend->ceiling || legend->noisy || legend->other_kind ||
        legend->in_place)
        fputc('\n', out);
    if (legend->winner)
        fit_print("* fastest", 0, 2, columns, out);
    if (legend->tied)
        fit_print("= tied: the 95 % interval of its time over the fastest's, by rounds, holds 1", 0,
                  2, columns, out);
    if (legend->unknown)
        fit_print("? not known: too few rounds in common with the fastest, or too scattered", 0, 2,
                  columns, out);
    if (legend->ceiling)
        fit_print(legend->in_place ? "^ ceiling: a copy of the same bytes, or their inversion in "
                                     "place; not a competitor"
                                   : "^ ceiling: a copy of the same bytes; not a competitor",
                  0, 2, columns, out);
    if (legend->in_place)
        fit_print("in place: the input is lost, so these are ranked by themselves", 0, 2, columns,
                  out);
    if (legend->other_kind)
        fit_print("inclusive: of that kind, the only one it has; the others are exclusive", 0, 2,
                  columns, out);
    snprintf(noisy, sizeof noisy,
             "~ noisy: ±, half of the 95 %% interval, is more than %g %%, and many rounds lie that "
             "far off",
             100 * STATS_DOUBTFUL);
    if (legend->noisy)
        fit_print(noisy, 0, 2, columns, out);
}

struct summary_table {
    hash_map *places; /* index in `lines`, by plugin, problem and n */
    table_line *lines;
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
    for (size_t i = 0; i < t->count; i++)
        free(t->lines[i].values);
    free(t->lines);
    free(t);
}

/* Prefers failures, so that none is hidden, and then the faster result. */
static bool comes_before(const table_line *a, const table_line *b)
{
    const bool a_failed = !is_measured(a) && a->status != ROW_UNSUPPORTED;
    const bool b_failed = !is_measured(b) && b->status != ROW_UNSUPPORTED;
    if (a_failed != b_failed)
        return a_failed;
    if (is_measured(a) != is_measured(b))
        return is_measured(a);
    return a->median_ns < b->median_ns;
}

scan_status summary_table_add(summary_table *t, const measured_row *r)
{
    table_line l;
    if (r->m->result.status == ROW_UNAVAILABLE) /* unavailable_print has it */
        return SCAN_OK;
    table_line *lines = array_room(t->lines, &t->capacity, t->count, 1, sizeof *lines);
    if (lines)
        t->lines = lines;
    if (!lines || make_line(r, &l) != SCAN_OK)
        return SCAN_NO_MEMORY;
    char key[sizeof l.plugin + sizeof l.problem + 72];
    snprintf(key, sizeof key, "%s\t%s\t%" PRIu64 " %" PRIu64 " %" PRIu64, l.plugin, l.problem, l.n,
             l.rows, l.inner);
    const size_t *place = hash_map_add(t->places, key, t->count);
    if (!place) {
        free(l.values);
        return SCAN_NO_MEMORY;
    }
    table_line *there = &t->lines[*place];
    if (*place == t->count) {
        *there = l;
        t->count++;
        return SCAN_OK;
    }
    const size_t count = there->settings + 1;
    const bool better = comes_before(&l, there);
    free((better ? there : &l)->values);
    if (better)
        *there = l;
    there->settings = count;
    return SCAN_OK;
}

/* A line and the problem that it is shown under: ceilings are shown under each of their type. What
 * is in place is a problem of its own: it saves the copy of what it overwrites. */
typedef struct shown {
    const table_line *line;
    size_t problem; /* in the order in which they were measured */
    char mark;
} shown;

static int by_shape(const table_line *l, const table_line *r)
{
    if (l->n != r->n)
        return l->n < r->n ? -1 : 1;
    if (l->rows != r->rows)
        return l->rows < r->rows ? -1 : 1;
    return (l->inner > r->inner) - (l->inner < r->inner);
}

static int by_problem_size_and_time(const void *left, const void *right)
{
    const shown *a = left, *b = right;
    if (a->problem != b->problem)
        return a->problem < b->problem ? -1 : 1;
    const table_line *l = a->line, *r = b->line;
    const int order = by_shape(l, r);
    if (order != 0)
        return order;
    const bool measured = is_measured(l);
    if (measured != is_measured(r))
        return measured ? -1 : 1;
    if (measured && l->median_ns != r->median_ns)
        return l->median_ns < r->median_ns ? -1 : 1;
    return (l > r) - (l < r);
}

/* The first line of each problem that is not a copy, and *count_p of them; NULL without memory. */
static const table_line **problems_of(const summary_table *t, size_t *count_p)
{
    const table_line **problems = calloc(t->count + 1, sizeof *problems);
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

/* Results that a type may have, of its own type among them. */
#define RESULTS ((size_t)SCAN_DTYPE_COUNT + 1)

/* Where a line is shown: all problems that it belongs to, at `to`. Returns how many. */
static size_t place(const table_line *l, const table_line *const *problems, size_t count, shown *to)
{
    const size_t state = (l->cache ? 1U : 0U) + (l->in_place ? 2U : 0U);
    size_t placed = 0;
    for (size_t k = 0; k < count; k++)
        if (l->ceiling ? l->dtype == problems[k]->dtype && l->result == problems[k]->result &&
                             l->cache == problems[k]->cache && l->in_place == problems[k]->in_place
                       : strcmp(l->problem, problems[k]->problem) == 0)
            to[placed++] = (shown){.line = l, .problem = k};
    if (placed == 0)
        to[placed++] =
            (shown){.line = l,
                    .problem = count + l->dtype + SCAN_DTYPE_COUNT * (l->result + RESULTS * state)};
    return placed;
}

/* All lines in the order of the table, and *count_p of them; NULL without memory. */
static shown *arrange(const summary_table *t, size_t *count_p)
{
    size_t problems_count = 0, ceilings = 0, count = 0;
    const table_line **problems = problems_of(t, &problems_count);
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

/* The lines of one problem and size, which follow each other, by time. */
typedef struct block {
    shown *first;
    size_t count;
    const table_line *winner; /* or NULL */
    unsigned unit;            /* of its times */
} block;

static block block_at(shown *first, const shown *end)
{
    block b = {.first = first};
    double fastest = 0, slowest = 0;
    while (first + b.count < end && first[b.count].problem == first->problem &&
           by_shape(first[b.count].line, first->line) == 0) {
        const table_line *l = first[b.count++].line;
        if (!is_measured(l))
            continue;
        slowest = l->median_ns;
        fastest = fastest > 0 ? fastest : slowest;
        if (!l->ceiling && !b.winner)
            b.winner = l;
    }
    b.unit = unit_for(fastest, slowest);
    return b;
}

/* The time of a line over the winner's, round by round; none where those are not the same. */
static stats_rounds over_winner(const table_line *l, const table_line *winner)
{
    const size_t rounds =
        l->value_count < winner->value_count ? l->value_count : winner->value_count;
    stats_rounds ratio = {.n = 0};
    if (l->group_id != winner->group_id ||
        stats_rounds_ratio(l->values, winner->values, rounds, &ratio) != SCAN_OK)
        ratio = (stats_rounds){.n = 0};
    return ratio;
}

/* Marks the lines of a block. Behind one that is certainly slower nobody is tied: the slower one
 * that may be, by its few rounds, is not known. */
static void mark_block(const block *b)
{
    static const char marks[] = {[STATS_UNKNOWN] = SUMMARY_UNKNOWN,
                                 [STATS_TIED] = SUMMARY_TIED,
                                 [STATS_FASTER] = SUMMARY_UNKNOWN, /* though its median is longer */
                                 [STATS_SLOWER] = ' '};
    shown *winner = NULL;
    size_t others = 0;
    bool any_slower = false;
    for (size_t i = 0; i < b->count; i++) {
        shown *at = &b->first[i];
        const table_line *l = at->line;
        at->mark = l->ceiling ? SUMMARY_CEILING : ' ';
        if (l->ceiling || !is_measured(l))
            continue;
        if (!winner) {
            winner = at;
            continue;
        }
        const stats_rounds ratio = over_winner(l, winner->line);
        const stats_order order = stats_rounds_order(&ratio);
        any_slower |= order == STATS_SLOWER;
        at->mark = marks[any_slower && order == STATS_TIED ? STATS_UNKNOWN : order];
        others++;
    }
    if (others > 0)
        winner->mark = SUMMARY_WINNER;
}

/* The widths that all lines need, which are marked here. */
static table_layout layout_of(shown *order, const shown *end, FILE *out, size_t columns, bool color)
{
    table_layout layout = {.out = out, .color = color, .width = columns};
    while (order < end) {
        const block b = block_at(order, end);
        mark_block(&b);
        for (size_t i = 0; i < b.count; i++)
            widen(b.first[i].line, b.unit, &layout);
        order += b.count;
    }
    fit_layout(&layout);
    return layout;
}

static void print_block(const block *b, const table_layout *layout, table_legend *legend)
{
    const table_line *first = b->first->line;
    char number[FIT_GROUPED_BYTES];
    fprintf(layout->out, "\n%sn = %s", layout->color ? "\033[1m" : "",
            fit_grouped(first->n, number));
    if (first->rows > 1)
        fprintf(layout->out, ", rows = %s", fit_grouped(first->rows, number));
    if (first->inner > 1)
        fprintf(layout->out, ", inner = %s", fit_grouped(first->inner, number));
    fprintf(layout->out, "%s\n", layout->color ? "\033[0m" : "");
    for (size_t i = 0; i < b->count; i++) {
        const table_line *l = b->first[i].line;
        const char mark = b->first[i].mark;
        print_line(l, mark, b->unit, layout);
        legend->winner |= mark == SUMMARY_WINNER;
        legend->tied |= mark == SUMMARY_TIED;
        legend->unknown |= mark == SUMMARY_UNKNOWN;
        legend->ceiling |= mark == SUMMARY_CEILING;
        legend->other_kind |= is_measured(l) && l->other_kind;
        legend->noisy |= is_measured(l) && l->noisy;
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
    const table_layout layout = layout_of(order, end, out, columns, color);
    table_legend legend = {.winner = false};
    size_t problem = SIZE_MAX;
    for (shown *at = order; at < end;) {
        const block b = block_at(at, end);
        if (at->problem != problem)
            print_header(b.winner ? b.winner : at[b.count - 1].line, &layout);
        problem = at->problem;
        print_block(&b, &layout, &legend);
        at += b.count;
    }
    print_legend(&legend, columns, out);
    free(order);
}
