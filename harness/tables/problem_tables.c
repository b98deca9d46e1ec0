#include "tables/problem_tables.h"

#include "report/words.h"
#include "tables/time_plot.h"
#include "text/number.h"

#include <string.h>

enum { LINE_BYTES = 4096, NAMES_SHOWN = 4 };

/* "= a, b": those that are tied with the winner; else the next one. */
static const char *next_text(const report_problem *p, char *text, size_t size)
{
    char name[WORDS_PLUGIN_BYTES];
    *text = '\0';
    if (p->count > 1 && p->tied == 0)
        snprintf(text, size, "%s", words_plugin(p->entries[1].row, name));
    size_t shown = 0;
    for (size_t i = 1; i < p->count && p->tied > 0; i++) {
        if (p->entries[i].standing != REPORT_TIED)
            continue;
        const size_t used = strlen(text);
        if (++shown <= NAMES_SHOWN)
            snprintf(text + used, size - used, "%s%.60s", used ? ", " : "= ",
                     words_plugin(p->entries[i].row, name));
        else if (shown == NAMES_SHOWN + 1)
            snprintf(text + used, size - used, ", ... (%zu)", p->tied);
    }
    return text;
}

static void put_winner(const report_problem *p, paper_table *t)
{
    char text[LINE_BYTES];
    const result_row *row = p->count > 0 ? p->entries[0].row : NULL;
    paper_cell(t, number_text(p->n, text));
    if (row)
        paper_plugin(t, row);
    else
        paper_cell(t, "-");
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
    char text[WORDS_SETTING_BYTES], margin[WORDS_NUMBER_BYTES];
    const result_row *row = e->row;
    const bool competes = *role == '\0' || strcmp(role, "ceiling") != 0;
    paper_plugin(t, row);
    paper_cell(t, strcmp(row->role, "algorithm") == 0 ? "" : row->role);
    paper_cell(t, words_setting(row, text));
    paper_cell(t, words_time(row->median_ns, text));
    paper_cell(t, row->absolute.known ? words_half_width(row, text) : "");
    paper_cell(t, words_number(row->bytes_per_s / 1e9, text));
    paper_cell(t, row->pct_copy > 0 ? words_number(row->pct_copy, text) : "");
    paper_cell(t, row->speedup > 0 ? words_number(row->speedup, text) : "");
    const bool equal = e->standing == REPORT_TIED && e->over_winner.ratio >= 1;
    snprintf(text, sizeof text, "%s%s", equal ? "= " : "", words_margin(&e->over_winner, margin));
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
        number_text(problems[i].n, n);
        if (folds)
            fprintf(p->out, "\n<details><summary>All plugins at n = %s</summary>\n\n", n);
        else if (p->markdown)
            fprintf(p->out, "%sAll plugins at n = %s:\n\n", count > 1 ? "\n" : "", n);
        else
            paper_say(p, 4, "n = %s", n);
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
        paper_say(p, 4,
                  "= cannot be told from the winner: the 95 %% interval of the ratio holds 1");
    if (unknown)
        paper_say(p, 4, "? by the medians alone: %s, so nobody can say whether it is certain",
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
            paper_cell(&t, number_text(problems[i].n, text));
            paper_plugin(&t, e->row);
            paper_cell(&t, words_setting(e->row, text));
            paper_cell(&t, words_ties(e, text));
        }
    static const int give[] = {-1};
    if (t.rows > t.columns)
        paper_space(p);
    return paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
}

scan_status problem_tables_put(const report *r, const report_problem *problems, size_t count,
                               const paper *p)
{
    const report_sheet *sheet = &r->sheets[problems->sheet];
    char text[LINE_BYTES], name[WORDS_SETTING_BYTES], place[WORDS_SETTING_BYTES];
    snprintf(text, sizeof text, "%s, %s%s%s", words_sheet(sheet, name),
             words_place(problems, place), r->file_count > 1 ? ": " : "",
             r->file_count > 1 ? r->files[problems->file].label : "");
    paper_heading(p, 1, text);
    if (!p->markdown)
        paper_space(p);
    scan_status status = SCAN_OK;
    if (count > 1 && problems->view == REPORT_IN_PLACE && !p->markdown)
        status = time_plot_put(problems, count, p);
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
