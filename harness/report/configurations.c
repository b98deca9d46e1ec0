/*
 * configurations.c - puts the rows of each configuration together, and those that cannot stand in
 * a problem into lists: not ok, repeated, or without the row of their run
 */
#include "report/report_store.h"

#include "results/row_key.h"
#include "text/hash_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t nobody = (size_t)-1;

/* The rows of one file being put together. */
typedef struct gathering {
    report *r;
    size_t file, rows_before; /* how many rows the files before have */
    hash_map *ids;            /* of configurations, by key */
    hash_map *phases;         /* of each: those that have a row */
    size_t *of;               /* the configuration of each row of all files, or nobody */
    size_t *places;           /* where the phases of each configuration begin */
    row_key key;
} gathering;

/* Its file and device, and what it competes in, too, are those of its configuration. */
static const char *key_of(gathering *g, const result_row *row)
{
    char *device;
    if (asprintf(&device, "%zu\n%s\n%s\n%s", g->file, row->backend, row->device, row->kinds) < 0)
        return NULL;
    const char *key = row_key_make(&g->key, row, device);
    free(device);
    return key;
}

/* Gives each row that is ok its configuration, and counts their phases. */
static scan_status number_rows(gathering *g)
{
    const result_file *from = g->r->files[g->file].results;
    for (size_t i = 0; i < from->count; i++) {
        const result_row *row = &from->rows[i];
        size_t *of = &g->of[g->rows_before + i];
        *of = nobody;
        if (row->status != ROW_OK)
            continue;
        const char *key = key_of(g, row);
        const size_t *id = key ? hash_map_add(g->ids, key, g->r->configuration_count) : NULL;
        if (!id)
            return SCAN_NO_MEMORY;
        report_configuration *c = &g->r->store->configurations[*id];
        if (*id == g->r->configuration_count) {
            g->r->configuration_count++;
            *c = (report_configuration){.file = g->file};
        }
        c->phase_count++;
        *of = *id;
    }
    return SCAN_OK;
}

static scan_status add_missing(gathering *g, const result_row *row)
{
    char *key;
    if (asprintf(&key, "%s\n%s", row_status_word(row->status), row->reason) < 0)
        return SCAN_NO_MEMORY;
    const scan_status status = row_groups_add(&g->r->store->missing_rows, g->file, key, row);
    free(key);
    g->r->uses[REPORT_FAILED]++;
    return status;
}

/* Does the configuration have a row of that phase already? -1: out of memory. */
static int has_phase(gathering *g, size_t id, const char *phase)
{
    char *key;
    if (asprintf(&key, "%zu\n%s", id, phase) < 0)
        return -1;
    size_t *times = hash_map_add(g->phases, key, 0);
    free(key);
    return times ? (*times)++ > 0 : -1;
}

/* Puts the rows in the places of their configurations. */
static scan_status place_rows(gathering *g)
{
    report_store *s = g->r->store;
    const result_file *from = g->r->files[g->file].results;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < from->count && status == SCAN_OK; i++) {
        const result_row *row = &from->rows[i];
        const size_t id = g->of[g->rows_before + i];
        if (id == nobody) {
            status = add_missing(g, row);
            continue;
        }
        report_configuration *c = &s->configurations[id];
        const result_row **phases = s->phases + g->places[id];
        const int there = has_phase(g, id, row->phase);
        if (there < 0)
            return SCAN_NO_MEMORY;
        if (there) {
            g->r->uses[REPORT_REPEATED]++;
            status = row_groups_add(&s->repeated_rows, g->file, "", row);
            continue;
        }
        phases[c->phase_count++] = row;
        if (strcmp(row->phase, "run") == 0)
            c->run = row;
    }
    return status;
}

/* Gives each configuration its part of the array of phases, still empty. */
static void share_phases(gathering *g)
{
    report_store *s = g->r->store;
    size_t next = 0;
    for (size_t i = 0; i < g->r->configuration_count; i++) {
        g->places[i] = next;
        s->configurations[i].phases = s->phases + next;
        next += s->configurations[i].phase_count;
        s->configurations[i].phase_count = 0;
    }
}

/* Takes out the configurations without a run; their rows go to the lists. */
static scan_status keep_whole(report *r)
{
    report_store *s = r->store;
    size_t kept = 0;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < r->configuration_count; i++) {
        const report_configuration c = s->configurations[i];
        if (c.run) {
            r->uses[REPORT_SHOWN] += c.phase_count;
            s->configurations[kept++] = c;
            continue;
        }
        r->uses[REPORT_INCOMPLETE] += c.phase_count;
        for (size_t k = 0; k < c.phase_count && status == SCAN_OK; k++)
            status = row_groups_add(&s->incomplete_rows, c.file, "", c.phases[k]);
    }
    r->configuration_count = kept;
    return status;
}

static int by_file_and_status(const void *left, const void *right)
{
    const report_missing *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->status != b->status)
        return a->status > b->status ? -1 : 1;
    return (a->rows[0] > b->rows[0]) - (a->rows[0] < b->rows[0]);
}

static scan_status list_missing(report *r)
{
    report_store *s = r->store;
    if (row_groups_finish(&s->missing_rows) != SCAN_OK ||
        row_groups_finish(&s->repeated_rows) != SCAN_OK ||
        row_groups_finish(&s->incomplete_rows) != SCAN_OK)
        return SCAN_NO_MEMORY;
    r->missing = s->missing = calloc(s->missing_rows.count + 1, sizeof *s->missing);
    if (!s->missing)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < s->missing_rows.count; i++) {
        const row_group *group = &s->missing_rows.groups[i];
        s->missing[i] = (report_missing){.file = group->file,
                                         .status = group->rows[0]->status,
                                         .reason = group->rows[0]->reason,
                                         .rows = group->rows,
                                         .count = group->count};
    }
    r->missing_count = s->missing_rows.count;
    if (r->missing_count > 0)
        qsort(s->missing, r->missing_count, sizeof *s->missing, by_file_and_status);
    r->repeated = s->repeated_rows.rows;
    r->incomplete = s->incomplete_rows.rows;
    return SCAN_OK;
}

static scan_status gather(gathering *g)
{
    scan_status status = SCAN_OK;
    for (g->file = 0; g->file < g->r->file_count && status == SCAN_OK; g->file++) {
        status = number_rows(g);
        g->rows_before += g->r->files[g->file].results->count;
    }
    share_phases(g);
    g->rows_before = 0;
    for (g->file = 0; g->file < g->r->file_count && status == SCAN_OK; g->file++) {
        status = place_rows(g);
        g->rows_before += g->r->files[g->file].results->count;
    }
    if (status == SCAN_OK)
        status = keep_whole(g->r);
    return status == SCAN_OK ? list_missing(g->r) : status;
}

scan_status report_find_configurations(report *r)
{
    gathering g = {.r = r, .ids = hash_map_new(), .phases = hash_map_new()};
    report_store *s = r->store;
    r->configurations = s->configurations = calloc(r->rows + 1, sizeof *s->configurations);
    s->phases = calloc(r->rows + 1, sizeof *s->phases);
    g.of = calloc(r->rows + 1, sizeof *g.of);
    g.places = calloc(r->rows + 1, sizeof *g.places);
    const bool good = g.ids && g.phases && s->configurations && s->phases && g.of && g.places;
    const scan_status status = good ? gather(&g) : SCAN_NO_MEMORY;
    hash_map_free(g.ids);
    hash_map_free(g.phases);
    free(g.of);
    free(g.places);
    free(g.key.text);
    return status;
}
