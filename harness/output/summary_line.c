#include "output/summary_line.h"

#include "output/fit.h"
#include "problem/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    return j->any_kind && j->kind == SCAN_KIND_INCLUSIVE;
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

static scan_status take_run(const measurement *m, summary_line *l)
{
    const measurement_phase *run = measurement_run(m);
    if (!run || run->value_count == 0)
        return SCAN_OK;
    l->values = malloc(run->value_count * sizeof *l->values);
    if (!l->values)
        return SCAN_NO_MEMORY;
    memcpy(l->values, run->values, run->value_count * sizeof *l->values);
    l->value_count = run->value_count;
    l->interval = run->interval;
    l->noisy = !run->interval.precise;
    return SCAN_OK;
}

scan_status summary_line_make(const measurement *m, const phase_rates *rates, summary_line *line_p)
{
    const job *j = &m->configuration->job;
    const bool ceiling = measurement_is_ceiling(m);
    summary_line l = {.n = j->n,
                      .dtype = j->dtype,
                      .cache = j->cache,
                      .ceiling = ceiling,
                      .in_place = measurement_is_in_place(m),
                      .settings = 1,
                      .status = m->result.status,
                      .rates = *rates};
    char device[16] = "", reason[FAULT_SENTENCE_BYTES];
    if (m->session->device_index > 0)
        snprintf(device, sizeof device, ":%" PRIu32, m->session->device_index);
    snprintf(l.plugin, sizeof l.plugin, "%.63s%s", m->session->plugin->id, device);
    snprintf(l.problem, sizeof l.problem, "%s %s%s%s%s%s%s", dtype_name(j->dtype),
             ceiling ? "copy" : op_name(j->op), ceiling ? "" : " ",
             ceiling ? "" : job_kinds_word(j), ceiling || !j->any_kind ? "" : " kind",
             l.in_place ? ", in place" : "", j->cache == CACHE_COLD ? ", cold caches" : "");
    l.other_kind = !ceiling && is_other_kind(j);
    fit_end(fault_text(&m->result.fault, reason, sizeof reason), FIT_PAGE, l.reason,
            sizeof l.reason);
    describe_setting(m->configuration, l.setting, sizeof l.setting);
    if (take_run(m, &l) != SCAN_OK)
        return SCAN_NO_MEMORY;
    *line_p = l;
    return SCAN_OK;
}

void summary_line_free(summary_line *l)
{
    free(l->values);
    l->values = NULL;
}

bool summary_line_is_measured(const summary_line *l)
{
    return l->rates.median_ns > 0;
}

bool summary_line_ties(const summary_line *l, const summary_line *winner, bool in_rounds)
{
    const size_t rounds =
        l->value_count < winner->value_count ? l->value_count : winner->value_count;
    stats_rounds ratio = {0};
    if (in_rounds && stats_rounds_ratio(l->values, winner->values, rounds, &ratio) == SCAN_OK &&
        ratio.n > 0 && ratio.has_ci)
        return ratio.lo <= 1;
    return l->interval.has_ci && winner->interval.has_ci && l->interval.lo <= winner->interval.hi;
}

unsigned summary_line_unit(double fastest_ns, double slowest_ns)
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

static time_cell time_of(const summary_line *l, unsigned unit)
{
    /* What is too long for its column has a unit of its own. */
    while (unit + 1 < UNITS && l->rates.median_ns / units[unit].ns >= 9999999.5)
        unit++;
    const double value = l->rates.median_ns / units[unit].ns;
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

void summary_line_widen(const summary_line *l, unsigned unit, summary_layout *layout)
{
    size_t name = fit_width(l->plugin), time = TIME_LEAST;
    if (summary_line_is_measured(l)) {
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
static size_t taken_by(const summary_layout *layout)
{
    size_t taken = GAPS + layout->name_width + layout->time_width + UNIT_COLUMNS;
    for (int i = 0; i < SUMMARY_OPTIONAL; i++)
        taken += layout->lacks[i] ? 0 : optional_widths[i];
    return taken;
}

void summary_layout_fit(summary_layout *layout)
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

static void put_optional(const summary_layout *layout, summary_column which, const char *text)
{
    if (!layout->lacks[which])
        fprintf(layout->out, "%*s",
                (int)optional_widths[which] + (int)strlen(text) - (int)fit_width(text), text);
}

void summary_line_print_header(const summary_line *l, const summary_layout *layout)
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
static void fit_setting(const summary_line *l, size_t columns, char *text, size_t size)
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

static void print_reason(const summary_line *l, const char *name, const summary_layout *layout)
{
    const bool red = layout->color && row_status_is_failure(l->status);
    const char *word = row_status_word(l->status);
    const size_t taken = 2 + layout->name_width + 2 + strlen(word) + 2;
    char reason[sizeof l->reason + 4];
    fit_end(l->reason, layout->width > taken ? layout->width - taken : 0, reason, sizeof reason);
    fprintf(layout->out, "  %s  %s%s%s%s%s\n", name, red ? "\033[31m" : "", word,
            red ? "\033[0m" : "", *reason ? ": " : "", reason);
}

void summary_line_print(const summary_line *l, char mark, unsigned unit,
                        const summary_layout *layout)
{
    char name[sizeof l->plugin + 8], tunables[sizeof l->setting + 40];
    char number[CELL], half[CELL + 1];
    fit_middle(l->plugin, layout->name_width, name, sizeof name - NAME_MOST);
    for (size_t width = fit_width(name); width < layout->name_width; width++)
        strcat(name, " ");
    if (!summary_line_is_measured(l)) {
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
    put_optional(layout, SUMMARY_RATE, short_number(l->rates.bytes_per_s / 1e9, number));
    put_optional(layout, SUMMARY_COPY, percent(l->rates.pct_copy, number));
    put_optional(layout, SUMMARY_SPEEDUP, short_number(l->rates.speedup, number));
    fprintf(layout->out, "%s%s%s\n", *tunables ? "  " : "", tunables, bold ? "\033[0m" : "");
}

void summary_legend_print(const summary_legend *legend, size_t columns, FILE *out)
{
    char noisy[128];
    if (legend->winner || legend->ceiling || legend->noisy || legend->other_kind ||
        legend->in_place)
        fputc('\n', out);
    if (legend->winner)
        fit_print("* fastest", 0, 2, columns, out);
    if (legend->tied)
        fit_print(legend->in_rounds
                      ? "= tied: the 95 % interval of its time over the fastest's, by "
                        "rounds, holds 1"
                      : "= tied: its 95 % interval overlaps the fastest's",
                  0, 2, columns, out);
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
    snprintf(noisy, sizeof noisy, "~ noisy: ±, half of the 95 %% interval, is more than %.2f %%",
             100 * STATS_PRECISION);
    if (legend->noisy)
        fit_print(noisy, 0, 2, columns, out);
}
