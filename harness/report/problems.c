/*
 * problems.c - ranks the configurations of each problem: settings within a plugin, plugins within
 * the problem. All that competes is sorted once; then each level is a run of neighbours
 */
#include "report/report_store.h"

#include "text/array_room.h"
#include "text/hash_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t nobody = (size_t)-1;

/* A time that competes, or a ceiling, in one sheet. */
typedef struct candidate {
    const report_configuration *configuration;
    const result_row *row;
    const char *place;
    size_t sheet;
    report_view view;
    bool in_place;
    bool is_ceiling;
} candidate;

typedef struct ranking {
    report *r;
    hash_map *ids;     /* of sheets, by key */
    size_t *sheet_of;  /* of each configuration; nobody: a ceiling */
    bool *has;         /* [file * sheets + sheet]: the file has plugins in the sheet */
    size_t sheet_room; /* the most sheets there can be */
    candidate *list;
    size_t count, capacity;
    /* How much of the store's arrays is used. */
    size_t settings, entries, problems;
} ranking;

static bool is_ceiling(const result_row *row)
{
    return strcmp(row->role, "ceiling") == 0 || (!*row->op && !*row->kind);
}

/* The sheet of these words; a new one if there is none. nobody without memory. */
static size_t sheet_at(ranking *k, const char *kind, const char *op, const result_row *row)
{
    char *key;
    if (asprintf(&key, "%s\n%s\n%s\n%s", kind, op, row->dtype, row->cache) < 0)
        return nobody;
    const size_t *id = hash_map_add(k->ids, key, k->r->sheet_count);
    free(key);
    if (id && *id == k->r->sheet_count)
        k->r->store->sheets[k->r->sheet_count++] =
            (report_sheet){.kind = kind, .op = op, .dtype = row->dtype, .cache = row->cache};
    return id ? *id : nobody;
}

static const char *place_of(const result_row *row)
{
    return row->on_device ? row->device : REPORT_PROCESSOR;
}

static scan_status add(ranking *k, const candidate *c)
{
    candidate *list = array_room(k->list, &k->capacity, k->count, 1, sizeof *list);
    if (!list)
        return SCAN_NO_MEMORY;
    k->list = list;
    k->list[k->count++] = *c;
    return SCAN_OK;
}

/* The plugins: which sheet, and by which times they compete. */
static scan_status add_plugins(ranking *k)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < k->r->configuration_count && status == SCAN_OK; i++) {
        const report_configuration *c = &k->r->configurations[i];
        k->sheet_of[i] = nobody;
        if (is_ceiling(c->run))
            continue;
        const size_t sheet = sheet_at(k, c->run->kinds, c->run->op, c->run);
        if (sheet == nobody)
            return SCAN_NO_MEMORY;
        k->sheet_of[i] = sheet;
        candidate one = {.configuration = c,
                         .row = c->run,
                         .place = place_of(c->run),
                         .sheet = sheet,
                         .in_place = result_row_in_place(c->run),
                         .view = REPORT_IN_PLACE};
        status = add(k, &one);
        one.row = report_phase(c, "e2e");
        if (!one.row && strcmp(c->run->backend, "cpu") == 0)
            one.row = c->run; /* it works on host memory */
        one.place = "";
        one.view = REPORT_FROM_HOST;
        if (one.row && status == SCAN_OK)
            status = add(k, &one);
    }
    return status;
}

static scan_status mark_sheets(ranking *k)
{
    k->sheet_room = k->r->sheet_count;
    k->has = calloc(k->sheet_room * k->r->file_count + 1, sizeof *k->has);
    if (!k->has)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < k->r->configuration_count; i++)
        if (k->sheet_of[i] != nobody)
            k->has[k->r->configurations[i].file * k->sheet_room + k->sheet_of[i]] = true;
    return SCAN_OK;
}

/* May a copy of that row's bytes stand in the sheet? */
static bool is_of_type(const report_sheet *sheet, const result_row *row)
{
    return sheet->dtype && strcmp(sheet->dtype, row->dtype) == 0 &&
           strcmp(sheet->cache, row->cache) == 0;
}

/* A ceiling stands in all sheets of its type that its file has, or in one of its own. */
static scan_status add_ceiling(ranking *k, const report_configuration *c)
{
    candidate one = {.configuration = c,
                     .row = c->run,
                     .place = place_of(c->run),
                     .view = REPORT_IN_PLACE,
                     .in_place = result_row_in_place(c->run),
                     .is_ceiling = true};
    bool any = false;
    for (size_t i = 0; i < k->sheet_room; i++) {
        const report_sheet *sheet = &k->r->sheets[i];
        if (!k->has[c->file * k->sheet_room + i] || !is_of_type(sheet, c->run))
            continue;
        one.sheet = i;
        any = true;
        if (add(k, &one) != SCAN_OK)
            return SCAN_NO_MEMORY;
    }
    if (any)
        return SCAN_OK;
    one.sheet = sheet_at(k, "", "", c->run);
    return one.sheet == nobody ? SCAN_NO_MEMORY : add(k, &one);
}

static scan_status add_ceilings(ranking *k)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < k->r->configuration_count && status == SCAN_OK; i++)
        if (k->sheet_of[i] == nobody)
            status = add_ceiling(k, &k->r->configurations[i]);
    return status;
}

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* The processor first. */
static int compare_places(const char *a, const char *b)
{
    const bool first = strcmp(a, REPORT_PROCESSOR) == 0, other = strcmp(b, REPORT_PROCESSOR) == 0;
    return first != other ? (first ? -1 : 1) : strcmp(a, b);
}

static int compare_problems(const candidate *a, const candidate *b)
{
    int order = compare_sizes(a->sheet, b->sheet);
    order = order ? order : compare_sizes(a->configuration->file, b->configuration->file);
    order = order ? order : compare_sizes(a->view, b->view);
    order = order ? order : compare_sizes(a->in_place, b->in_place);
    order = order ? order : compare_places(a->place, b->place);
    return order ? order : (a->row->n > b->row->n) - (a->row->n < b->row->n);
}

static int compare_entries(const candidate *a, const candidate *b)
{
    int order = compare_problems(a, b);
    order = order ? order : compare_sizes(a->is_ceiling, b->is_ceiling);
    order = order ? order : strcmp(a->row->plugin, b->row->plugin);
    order = order ? order : strcmp(a->row->backend, b->row->backend);
    return order ? order : strcmp(a->row->device, b->row->device);
}

static int by_entry_and_time(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    const int order = compare_entries(a, b);
    if (order)
        return order;
    if (a->row->median_ns < b->row->median_ns || a->row->median_ns > b->row->median_ns)
        return a->row->median_ns < b->row->median_ns ? -1 : 1;
    return (a->configuration > b->configuration) - (a->configuration < b->configuration);
}

/* What `over` is to `best`, which it is not faster than by its median. */
static report_standing standing_of(const report_ratio *ratio)
{
    return !ratio->has_interval ? REPORT_UNKNOWN : ratio->lo <= 1 ? REPORT_TIED : REPORT_BEHIND;
}

/* Makes an entry of candidates that differ by their settings alone; returns how many. */
static size_t make_entry(ranking *k, const candidate *first, const candidate *end)
{
    report_store *s = k->r->store;
    const bool sequential = k->r->files[first->configuration->file].info.sequential;
    report_setting *settings = s->settings + k->settings;
    size_t count = 0;
    for (; first + count < end && compare_entries(first, first + count) == 0; count++) {
        const candidate *c = first + count;
        report_setting *to = &settings[count];
        *to = (report_setting){.configuration = c->configuration,
                               .row = c->row,
                               .over_best = ratio_of(c->row, first->row, sequential)};
        to->standing = count == 0 ? REPORT_BEST : standing_of(&to->over_best);
    }
    s->entries[k->entries++] =
        (report_entry){.row = first->row, .settings = settings, .setting_count = count};
    k->settings += count;
    return count;
}

static int by_time(const void *left, const void *right)
{
    const report_entry *a = left, *b = right;
    if (a->row->median_ns < b->row->median_ns || a->row->median_ns > b->row->median_ns)
        return a->row->median_ns < b->row->median_ns ? -1 : 1;
    return strcmp(a->row->plugin, b->row->plugin);
}

/* Orders the entries by time, and says what they are to the first. */
static void rank(report_entry *entries, size_t count, bool sequential)
{
    if (count > 0)
        qsort(entries, count, sizeof *entries, by_time);
    for (size_t i = 0; i < count; i++) {
        entries[i].over_winner = ratio_of(entries[i].row, entries[0].row, sequential);
        entries[i].standing = i == 0 ? REPORT_BEST : standing_of(&entries[i].over_winner);
    }
}

/* Data in host memory is a question of its own only where somebody copies it. */
static bool is_asked(const candidate *first, size_t count)
{
    bool copies = first->view == REPORT_IN_PLACE;
    for (size_t i = 0; i < count && !copies; i++)
        copies = strcmp(first[i].row->phase, "e2e") == 0;
    return copies;
}

/* Makes a problem of the candidates that begin there; returns how many. */
static size_t make_problem(ranking *k, const candidate *first, const candidate *end)
{
    report_store *s = k->r->store;
    const bool sequential = k->r->files[first->configuration->file].info.sequential;
    size_t count = 0;
    while (first + count < end && compare_problems(first, first + count) == 0)
        count++;
    if (!is_asked(first, count))
        return count;
    report_problem *p = &s->problems[k->problems++];
    *p = (report_problem){.file = first->configuration->file,
                          .sheet = first->sheet,
                          .view = first->view,
                          .place = first->place,
                          .in_place = first->in_place,
                          .n = first->row->n};
    report_entry *entries = s->entries + k->entries;
    for (size_t i = 0; i < count;) {
        const bool ceiling = first[i].is_ceiling;
        i += make_entry(k, first + i, first + count);
        p->count += !ceiling;
        p->ceiling_count += ceiling;
    }
    rank(entries, p->count, sequential);
    rank(entries + p->count, p->ceiling_count, sequential);
    p->entries = entries;
    p->ceilings = entries + p->count;
    for (size_t i = 1; i < p->count; i++)
        p->tied += entries[i].standing == REPORT_TIED;
    return count;
}

static scan_status make_problems(ranking *k)
{
    report_store *s = k->r->store;
    s->settings = calloc(k->count + 1, sizeof *s->settings);
    s->entries = calloc(k->count + 1, sizeof *s->entries);
    s->problems = calloc(k->count + 1, sizeof *s->problems);
    if (!s->settings || !s->entries || !s->problems)
        return SCAN_NO_MEMORY;
    if (k->count > 0)
        qsort(k->list, k->count, sizeof *k->list, by_entry_and_time);
    for (size_t i = 0; i < k->count;)
        i += make_problem(k, k->list + i, k->list + k->count);
    for (size_t i = 0; i < k->problems; i++) {
        report_sheet *sheet = &s->sheets[s->problems[i].sheet];
        if (sheet->count++ == 0)
            sheet->problems = &s->problems[i];
    }
    return SCAN_OK;
}

scan_status report_find_problems(report *r)
{
    ranking k = {.r = r, .ids = hash_map_new()};
    r->sheets = r->store->sheets = calloc(r->configuration_count + 1, sizeof *r->store->sheets);
    k.sheet_of = calloc(r->configuration_count + 1, sizeof *k.sheet_of);
    scan_status status = k.ids && r->sheets && k.sheet_of ? SCAN_OK : SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        status = add_plugins(&k);
    if (status == SCAN_OK)
        status = mark_sheets(&k);
    if (status == SCAN_OK)
        status = add_ceilings(&k);
    if (status == SCAN_OK)
        status = make_problems(&k);
    hash_map_free(k.ids);
    free(k.sheet_of);
    free(k.has);
    free(k.list);
    return status;
}
