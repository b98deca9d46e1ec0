#include "tables/scaling_tables.h"

#include "report/scaling.h"
#include "report/words.h"
#include "text/number.h"

enum { HEADING_BYTES = 4 * WORDS_SETTING_BYTES };

static const char explanation[] =
    "k parts against one, each plugin in its fastest setting: G/s are 10^9 elements per second; "
    "own is the speed-up over one part of the same plugin, best over the fastest scan in one part "
    "on that device (of a copy: the fastest copy). own %, best % and bound % are in percent of k. "
    "Where memory is the limit, the layout bounds them: 100 % for tiles dealt out in turn "
    "(cyclic), 2/3 for contiguous slices, which are read twice.";

static void put_gain(paper_table *t, const scaling_gain *gain)
{
    char text[WORDS_NUMBER_BYTES];
    paper_cell(t, gain->one ? words_number(gain->speedup.ratio, text) : "");
    paper_cell(t, gain->one ? words_number(100 * gain->efficiency, text) : "");
}

static void put_point(paper_table *t, const report *r, const scaling_point *point, bool names_file)
{
    char text[WORDS_SETTING_BYTES];
    paper_plugin(t, point->row);
    paper_cell(t, number_text(point->row->n, text));
    snprintf(text, sizeof text, "%u", point->parts);
    paper_cell(t, text);
    paper_cell(t, words_time(point->row->median_ns, text));
    paper_cell(t, words_number(point->elements_per_s / 1e9, text));
    put_gain(t, &point->own);
    put_gain(t, &point->best);
    paper_cell(t, point->bound > 0 ? words_number(100 * point->bound / point->parts, text) : "");
    paper_cell(t, names_file ? r->files[point->file].label : "");
    paper_cell(t, words_setting(point->row, text));
}

/* "Strong scaling (the same n), exclusive i32 sum, NVIDIA H200" */
static void put_heading(const scaling_point *point, const paper *p)
{
    const result_row *row = point->row;
    const report_sheet sheet = {
        .kind = row->kinds, .op = row->op, .dtype = row->dtype, .cache = row->cache};
    char text[HEADING_BYTES], problem[WORDS_SETTING_BYTES];
    snprintf(text, sizeof text, "%s, %s, %.200s",
             point->way == SCALING_STRONG ? "Strong scaling (the same n)"
                                          : "Weak scaling (the same n in each part)",
             words_sheet(&sheet, problem), row->on_device ? row->device : REPORT_PROCESSOR);
    paper_heading(p, 2, text);
}

/* Why some speed-ups have no interval. */
static void put_doubts(const scaling_point *points, size_t count, const paper *p)
{
    bool seen[RATIO_DOUBT_PROBLEMS + 1] = {false};
    for (size_t i = 0; i < count; i++) {
        const scaling_gain *gains[] = {&points[i].own, &points[i].best};
        for (size_t k = 0; k < sizeof gains / sizeof *gains; k++)
            seen[gains[k]->speedup.doubt] |= gains[k]->one != NULL;
    }
    for (ratio_doubt doubt = RATIO_DOUBT_NO_ROUNDS; doubt <= RATIO_DOUBT_PROBLEMS; doubt++)
        if (seen[doubt])
            paper_say(p, 4, "speed-ups without a 95 %% interval: %s", ratio_doubt_text(doubt));
}

static scan_status put_table(const report *r, const scaling_point *points, size_t count,
                             const paper *p)
{
    static const char *const header[] = {"plugin", "n",    "k",      "time",    "G/s",  "own",
                                         "own %",  "best", "best %", "bound %", "file", "setting"};
    enum { COLUMNS = sizeof header / sizeof *header, SETTING = COLUMNS - 1, FILE_LABEL = 10 };
    static const int give[] = {SETTING, FILE_LABEL, 4, 2, -1};
    paper_table t = {.columns = COLUMNS, .name = {true}};
    for (size_t i = 0; i < COLUMNS; i++) {
        t.right[i] = i > 0 && i < FILE_LABEL;
        paper_cell(&t, header[i]);
    }
    put_heading(points, p);
    for (size_t i = 0; i < count; i++)
        put_point(&t, r, &points[i], r->file_count > 1);
    const bool good = paper_print(p, &t, give);
    if (p->markdown)
        paper_space(p);
    put_doubts(points, count, p);
    paper_space(p);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

scan_status scaling_tables_put(const report *r, const paper *p)
{
    scaling_list list;
    scan_status status = scaling_make(r, &list);
    if (status != SCAN_OK)
        return status;
    if (list.count > 0) {
        paper_heading(p, 1, "Scaling");
        paper_paragraph(p, "", explanation);
        if (!p->markdown)
            paper_space(p);
    }
    for (size_t i = 0, count; i < list.count && status == SCAN_OK; i += count) {
        count = 1;
        while (i + count < list.count &&
               scaling_same_table(&list.points[i], &list.points[i + count]))
            count++;
        status = put_table(r, &list.points[i], count, p);
    }
    scaling_free(&list);
    return status;
}
