#include "tables/report_tables.h"

#include "report/crossover.h"
#include "report/words.h"
#include "tables/terminal_plot.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096, NAMES_SHOWN = 4 };

static void say(const paper *p, size_t indent, const char *format, ...) SCAN_PRINTF(3, 4);

static void say(const paper *p, size_t indent, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    paper_wrap(p, indent, text);
}

/* Was the driver of this device told of an earlier plugin? */
static bool is_told(const run_info *i, size_t plugin)
{
    for (size_t k = 0; k < plugin; k++)
        if (strcmp(i->plugins[k].device, i->plugins[plugin].device) == 0 &&
            strcmp(i->plugins[k].driver, i->plugins[plugin].driver) == 0)
            return true;
    return false;
}

static void put_file(const report_file *f, const paper *p)
{
    const run_info *i = &f->info;
    const result_row *row = f->results->count > 0 ? &f->results->rows[0] : NULL;
    paper_heading(p, 1, f->label);
    if (row && *row->host)
        say(p, 4, "host %s, %s", row->host, *i->cpu ? i->cpu : "processor not known");
    if (row && *row->timestamp_utc)
        say(p, 4, "measured %s", row->timestamp_utc);
    for (size_t k = 0; k < i->plugin_count; k++)
        if (*i->plugins[k].driver && !is_told(i, k))
            say(p, 4, "%s: %s", i->plugins[k].device, i->plugins[k].driver);
    if (*i->system)
        say(p, 4, "%s", i->system);
    if (i->known)
        say(p, 4, "scanbench %s (%s)", i->scanbench, i->git_revision);
    if (*i->command)
        paper_command(p, i->command);
    for (size_t k = 0; k < i->warning_count; k++)
        say(p, 4, "warning: %s", i->warnings[k]);
    if (!row)
        say(p, 4, "no rows");
    if (!i->known)
        say(p, 4, "no metadata beside it: %s-metadata.json", f->results->path);
    paper_space(p);
}

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
    char text[LINE_BYTES] = "";
    for (size_t i = 0; i < l->count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %c=%.40s", (char)('a' + i),
                 l->first[i]->plugin);
    }
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", limit ? " -=copy" : "");
    paper_wrap(p, 4, text);
}

/* The problems of a sheet that have file, view and place in common; they follow each other. */
static size_t same_place(const report_sheet *s, size_t first)
{
    size_t count = 1;
    const report_problem *a = &s->problems[first];
    while (first + count < s->count && s->problems[first + count].file == a->file &&
           s->problems[first + count].view == a->view &&
           strcmp(s->problems[first + count].place, a->place) == 0)
        count++;
    return count;
}

static scan_status put_plot(const report_problem *problems, size_t count, const paper *p)
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

/* "= a, b": those that are tied with the winner; else the next one. */
static const char *next_text(const report_problem *p, char *text, size_t size)
{
    *text = '\0';
    if (p->count > 1 && p->tied == 0)
        snprintf(text, size, "%s", p->entries[1].row->plugin);
    size_t shown = 0;
    for (size_t i = 1; i < p->count && p->tied > 0; i++) {
        if (p->entries[i].standing != REPORT_TIED)
            continue;
        const size_t used = strlen(text);
        if (++shown <= NAMES_SHOWN)
            snprintf(text + used, size - used, "%s%.40s", used ? ", " : "= ",
                     p->entries[i].row->plugin);
        else if (shown == NAMES_SHOWN + 1)
            snprintf(text + used, size - used, ", ... (%zu)", p->tied);
    }
    return text;
}

static void put_winner(const report_problem *p, paper_table *t)
{
    char text[LINE_BYTES];
    const result_row *row = p->count > 0 ? p->entries[0].row : NULL;
    paper_cell(t, words_size(p->n, text));
    paper_cell(t, row ? row->plugin : "-");
    paper_cell(t, row ? words_time(row->median_ns, text) : "");
    paper_cell(t, row && row->absolute.known ? words_half_width(row, text) : "");
    paper_cell(t, row ? words_number(row->bytes_per_s / 1e9, text) : "");
    paper_cell(t, row && row->pct_copy > 0 ? words_number(row->pct_copy, text) : "");
    paper_cell(t, p->count > 1 ? words_margin(&p->entries[1].over_winner, text) : "");
    paper_cell(t, next_text(p, text, sizeof text));
}

static scan_status put_winners(const report_problem *problems, size_t count, const paper *p)
{
    static const char *const header[] = {"n",    "winner", "time",   "±",
                                         "GB/s", "% copy", "margin", "next"};
    enum { COLUMNS = sizeof header / sizeof *header };
    static const int give[] = {4, 3, 5, 6, -1};
    paper_table t = {.columns = COLUMNS,
                     .right = {true, false, true, true, true, true, true, false},
                     .name = {false, true}};
    for (size_t i = 0; i < COLUMNS; i++)
        paper_cell(&t, header[i]);
    for (size_t i = 0; i < count; i++)
        put_winner(&problems[i], &t);
    return paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
}

static void put_ranked(const report_entry *e, const char *role, paper_table *t)
{
    char text[WORDS_SETTING_BYTES], behind[WORDS_NUMBER_BYTES];
    const result_row *row = e->row;
    const bool competes = *role == '\0' || strcmp(role, "ceiling") != 0;
    paper_cell(t, row->plugin);
    paper_cell(t, strcmp(row->role, "algorithm") == 0 ? "" : row->role);
    paper_cell(t, words_setting(row, text));
    paper_cell(t, words_time(row->median_ns, text));
    paper_cell(t, row->absolute.known ? words_half_width(row, text) : "");
    paper_cell(t, words_number(row->bytes_per_s / 1e9, text));
    paper_cell(t, row->pct_copy > 0 ? words_number(row->pct_copy, text) : "");
    paper_cell(t, row->speedup > 0 ? words_number(row->speedup, text) : "");
    snprintf(text, sizeof text, "%s%s", e->standing == REPORT_TIED ? "= " : "",
             words_margin(&e->over_winner, behind));
    paper_cell(t, !competes ? "" : e->standing == REPORT_BEST ? "fastest" : text);
}

/* All plugins at one size, behind the copies that they are held against. */
static scan_status put_ranking(const report_problem *problem, const paper *p)
{
    static const char *const header[] = {"plugin", "role",   "setting", "time",  "±",
                                         "GB/s",   "% copy", "speedup", "behind"};
    enum { COLUMNS = sizeof header / sizeof *header };
    static const int give[] = {7, 5, 4, 2, 1, -1};
    paper_table t = {.columns = COLUMNS,
                     .right = {false, false, false, true, true, true, true, true, true},
                     .name = {true}};
    for (size_t i = 0; i < COLUMNS; i++)
        paper_cell(&t, header[i]);
    for (size_t i = 0; i < problem->ceiling_count; i++)
        put_ranked(&problem->ceilings[i], "ceiling", &t);
    for (size_t i = 0; i < problem->count; i++)
        put_ranked(&problem->entries[i], "", &t);
    return paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
}

/* In Markdown the largest size is shown, and the others on demand. */
static scan_status put_rankings(const report_problem *problems, size_t count, const paper *p)
{
    scan_status status = SCAN_OK;
    for (size_t i = count; i-- > 0 && status == SCAN_OK;) {
        char n[WORDS_NUMBER_BYTES];
        const bool folds = i + 1 < count;
        words_size(problems[i].n, n);
        if (folds)
            fprintf(p->out, "\n<details><summary>All plugins at n = %s</summary>\n\n", n);
        else if (p->markdown)
            fprintf(p->out, "%sAll plugins at n = %s:\n\n", count > 1 ? "\n" : "", n);
        else
            say(p, 4, "n = %s", n);
        status = put_ranking(&problems[i], p);
        if (folds)
            fputs("\n</details>\n", p->out);
    }
    return status;
}

/* What the marks of the winners mean, as far as they are used. */
static void put_marks(const report_problem *problems, size_t count, const paper *p)
{
    bool tied = false;
    const report_ratio *unknown = NULL;
    for (size_t i = 0; i < count; i++) {
        tied |= problems[i].tied > 0;
        if (problems[i].count > 1 && !problems[i].entries[1].over_winner.has_interval)
            unknown = &problems[i].entries[1].over_winner;
    }
    if (tied)
        say(p, 4, "= cannot be told from the winner: the 95 %% interval of the ratio holds 1");
    if (unknown)
        say(p, 4, "? by the medians alone: %s, so nobody can say whether it is certain",
            ratio_doubt_text(unknown->doubt));
}

/* The best settings, where a plugin was measured with several. */
static scan_status put_settings(const report_problem *problems, size_t count, const paper *p)
{
    paper_table t = {.columns = 4, .right = {true}, .name = {false, true}};
    const char *const header[] = {"n", "plugin", "best setting", "tied with it"};
    for (size_t i = 0; i < t.columns; i++)
        paper_cell(&t, header[i]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < problems[i].count; k++) {
            const report_entry *e = &problems[i].entries[k];
            char text[WORDS_SETTING_BYTES];
            if (e->setting_count < 2)
                continue;
            paper_cell(&t, words_size(problems[i].n, text));
            paper_cell(&t, e->row->plugin);
            paper_cell(&t, words_setting(e->row, text));
            paper_cell(&t, words_ties(e, text));
        }
    static const int give[] = {-1};
    if (t.rows > t.columns)
        paper_space(p);
    return paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
}

static scan_status put_crossovers(const report *r, const report_sheet *sheet, const paper *p)
{
    static const int give[] = {-1};
    crossover_table table;
    scan_status status = crossover_make(r, sheet, &table);
    if (status != SCAN_OK)
        return status;
    for (size_t i = 0; i < table.count && status == SCAN_OK;) {
        if (table.lines[i].count < 2) { /* the tables of that size say it */
            i++;
            continue;
        }
        const size_t file = table.lines[i].file;
        paper_table t = {.columns = 3, .name = {true}};
        char heading[LINE_BYTES];
        snprintf(heading, sizeof heading, "From which size is it faster than %s%s%s?",
                 r->files[file].info.baseline, r->file_count > 1 ? ", in " : "",
                 r->file_count > 1 ? r->files[file].label : "");
        paper_heading(p, 2, heading);
        paper_cell(&t, "plugin");
        paper_cell(&t, "copies");
        paper_cell(&t, "faster");
        for (; i < table.count && table.lines[i].file == file; i++) {
            const crossover_line *line = &table.lines[i];
            char text[CROSSOVER_TEXT_BYTES];
            if (line->count < 2)
                continue;
            paper_cell(&t, line->plugin);
            paper_cell(&t, line->view == REPORT_FROM_HOST ? "included" : "");
            paper_cell(&t, crossover_text(line, text));
        }
        status = paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
        paper_space(p);
    }
    crossover_free(&table);
    return status;
}

static scan_status put_problems(const report *r, const report_sheet *sheet, size_t first,
                                size_t count, const paper *p)
{
    const report_problem *problems = &sheet->problems[first];
    char text[LINE_BYTES], name[WORDS_SETTING_BYTES], place[WORDS_SETTING_BYTES];
    snprintf(text, sizeof text, "%s, %s%s%s", words_sheet(sheet, name),
             words_place(problems, place), r->file_count > 1 ? ": " : "",
             r->file_count > 1 ? r->files[problems->file].label : "");
    paper_heading(p, 1, text);
    if (!p->markdown)
        paper_space(p);
    scan_status status = SCAN_OK;
    if (count > 1 && problems->view == REPORT_IN_PLACE && !p->markdown)
        status = put_plot(problems, count, p);
    if (status == SCAN_OK && count > 1)
        status = put_winners(problems, count, p);
    if (status == SCAN_OK && (count == 1 || p->markdown))
        status = put_rankings(problems, count, p);
    put_marks(problems, count, p);
    if (status == SCAN_OK && problems->view == REPORT_IN_PLACE)
        status = put_settings(problems, count, p);
    paper_space(p);
    return status;
}

static void put_missing(const report *r, const paper *p)
{
    if (r->missing_count + r->uses[REPORT_REPEATED] + r->uses[REPORT_INCOMPLETE] == 0)
        return;
    paper_heading(p, 1, "Not measured");
    for (size_t i = 0; i < r->missing_count; i++) {
        char text[LINE_BYTES], names[512];
        const report_missing *m = &r->missing[i];
        snprintf(text, sizeof text, "%s%s%s: %s%s%s (%zu row%s)",
                 r->file_count > 1 ? r->files[m->file].label : "", r->file_count > 1 ? ": " : "",
                 words_plugins(m->rows, m->count, names, sizeof names), row_status_word(m->status),
                 *m->reason ? ": " : "", m->reason, m->count, m->count == 1 ? "" : "s");
        paper_wrap(p, 4, text);
    }
    for (report_use use = REPORT_INCOMPLETE; use <= REPORT_REPEATED; use++) {
        char text[128];
        snprintf(text, sizeof text, "%s: %zu row%s", report_use_word(use), r->uses[use],
                 r->uses[use] == 1 ? "" : "s");
        if (r->uses[use] > 0)
            paper_wrap(p, 4, text);
    }
    paper_space(p);
}

static void put_flags(const report *r, const paper *p)
{
    if (r->flag_count == 0)
        return;
    paper_heading(p, 1, "Remarks");
    for (size_t i = 0; i < r->flag_count; i++) {
        char text[LINE_BYTES], names[512];
        const report_flag *f = &r->flags[i];
        snprintf(text, sizeof text, "%s%s%s%s%s: %zu of %zu rows, of %s",
                 r->file_count > 1 ? r->files[f->file].label : "", r->file_count > 1 ? ": " : "",
                 f->word, *f->means ? ", " : "", f->means, f->count,
                 r->files[f->file].results->count,
                 words_plugins(f->rows, f->count, names, sizeof names));
        paper_wrap(p, 4, text);
    }
    paper_space(p);
}

scan_status report_tables_print(const report *r, const paper *p)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < r->file_count; i++)
        put_file(&r->files[i], p);
    for (size_t i = 0; i < r->sheet_count && status == SCAN_OK; i++) {
        const report_sheet *sheet = &r->sheets[i];
        for (size_t k = 0; k < sheet->count && status == SCAN_OK;) {
            const size_t count = same_place(sheet, k);
            status = put_problems(r, sheet, k, count, p);
            k += count;
        }
        if (status == SCAN_OK)
            status = put_crossovers(r, sheet, p);
    }
    put_missing(r, p);
    put_flags(r, p);
    return status;
}
