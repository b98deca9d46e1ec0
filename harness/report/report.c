#include "report/report.h"

#include "report/report_store.h"

#include <stdlib.h>
#include <string.h>

#define WORD(name, word) [REPORT_##name] = word,
const char *report_use_word(report_use use)
{
    static const char *const words[] = {REPORT_USE_MAP(WORD)};
    return words[use];
}

const char *report_view_word(report_view view)
{
    static const char *const words[] = {REPORT_VIEW_MAP(WORD)};
    return words[view];
}
#undef WORD

void report_free_read(result_file *results, run_info *infos, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        result_file_free(&results[i]);
        run_info_free(&infos[i]);
    }
    free(results);
    free(infos);
}

void report_free(report *r)
{
    report_store *s = r->store;
    if (s) {
        report_free_read(s->results, s->infos, s->read_count);
        for (size_t i = 0; s->labels && i < r->file_count; i++)
            free(s->labels[i]);
        free(s->labels);
        free(s->files);
        free(s->configurations);
        free(s->phases);
        free(s->sheets);
        free(s->problems);
        free(s->entries);
        free(s->settings);
        row_groups_free(&s->missing_rows);
        row_groups_free(&s->flag_rows);
        row_groups_free(&s->repeated_rows);
        row_groups_free(&s->incomplete_rows);
        free(s->missing);
        free(s->flags);
        free(s);
    }
    *r = (report){0};
}

const result_row *report_phase(const report_configuration *c, const char *phase)
{
    for (size_t i = 0; i < c->phase_count; i++)
        if (strcmp(c->phases[i]->phase, phase) == 0)
            return c->phases[i];
    return NULL;
}

const report_entry *report_find(const report_problem *p, const char *plugin)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->entries[i].row->plugin, plugin) == 0)
            return &p->entries[i];
    return NULL;
}

const result_row *report_ceiling(const report_problem *p)
{
    return p->ceiling_count > 0 ? p->ceilings[0].row : NULL;
}

/* Problems of a sheet are sorted by file, view, in_place, place and n. */

static bool is_before_view(const report_problem *other, const report_problem *sought)
{
    return other->file < sought->file ||
           (other->file == sought->file && other->view < sought->view);
}

static bool is_at_place(const report_problem *other, const report_problem *sought)
{
    return other->file == sought->file && other->view == sought->view &&
           other->in_place == sought->in_place && strcmp(other->place, sought->place) == 0;
}

static bool is_smaller(const report_problem *other, const report_problem *sought)
{
    return other->n < sought->n;
}

/* The first of begin ... end that does not hold, behind all that do. */
static const report_problem *first_without(const report_problem *begin, const report_problem *end,
                                           bool (*holds)(const report_problem *,
                                                         const report_problem *),
                                           const report_problem *sought)
{
    while (begin < end) {
        const report_problem *middle = begin + (end - begin) / 2;
        if (holds(middle, sought))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

const report_entry *report_baseline(const report *r, const report_problem *p)
{
    const report_sheet *sheet = &r->sheets[p->sheet];
    const report_problem *end = sheet->problems + sheet->count;
    report_problem sought = {.file = p->file, .view = REPORT_IN_PLACE, .n = p->n};
    const report_problem *at = first_without(sheet->problems, end, is_before_view, &sought);
    while (at < end && at->file == sought.file && at->view == sought.view) {
        sought.place = at->place;
        sought.in_place = at->in_place;
        const report_problem *next = first_without(at, end, is_at_place, &sought);
        const report_problem *same = first_without(at, next, is_smaller, &sought);
        const report_entry *entry = same < next && same->n == p->n
                                        ? report_find(same, r->files[p->file].info.baseline)
                                        : NULL;
        if (entry)
            return entry;
        at = next;
    }
    return NULL;
}
