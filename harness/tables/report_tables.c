#include "tables/report_tables.h"

#include "report/crossover.h"
#include "report/words.h"
#include "tables/problem_tables.h"
#include "tables/scaling_tables.h"

#include <string.h>

enum { LINE_BYTES = 4096 };

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
        paper_say(p, 4, "host %s, %s", row->host, *i->cpu ? i->cpu : "processor not known");
    if (row && *row->timestamp_utc)
        paper_say(p, 4, "measured %s", row->timestamp_utc);
    for (size_t k = 0; k < i->plugin_count; k++)
        if (*i->plugins[k].driver && !is_told(i, k))
            paper_say(p, 4, "%s: %s", i->plugins[k].device, i->plugins[k].driver);
    if (*i->system)
        paper_say(p, 4, "%s", i->system);
    if (i->known)
        paper_say(p, 4, "scanbench %s (%s)", i->scanbench, i->git_revision);
    if (*i->command)
        paper_command(p, i->command);
    for (size_t k = 0; k < i->warning_count; k++)
        paper_say(p, 4, "warning: %s", i->warnings[k]);
    if (!row)
        paper_say(p, 4, "no rows");
    if (!i->known)
        paper_say(p, 4, "no metadata beside it: %s-metadata.json", f->results->path);
    paper_space(p);
}

/* The problems of a sheet that have all but n in common; they follow each other. */
static size_t same_place(const report_sheet *s, size_t first)
{
    size_t count = 1;
    const report_problem *a = &s->problems[first];
    while (first + count < s->count && s->problems[first + count].file == a->file &&
           s->problems[first + count].view == a->view &&
           s->problems[first + count].in_place == a->in_place &&
           strcmp(s->problems[first + count].place, a->place) == 0)
        count++;
    return count;
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
            paper_plugin(&t, line->points[0].row);
            paper_cell(&t, line->view == REPORT_FROM_HOST ? "included" : "");
            paper_cell(&t, crossover_text(line, text));
        }
        status = paper_print(p, &t, give) ? SCAN_OK : SCAN_NO_MEMORY;
        paper_space(p);
    }
    crossover_free(&table);
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
    paper_heading(p, 1, "Flags");
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
            status = problem_tables_put(r, &sheet->problems[k], count, p);
            k += count;
        }
        if (status == SCAN_OK)
            status = put_crossovers(r, sheet, p);
    }
    if (status == SCAN_OK)
        status = scaling_tables_put(r, p);
    put_missing(r, p);
    put_flags(r, p);
    return status;
}
