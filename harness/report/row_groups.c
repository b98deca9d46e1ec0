#include "report/row_groups.h"

#include "text/array_room.h"
#include "text/hash_map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row_in_group {
    size_t group, file;
    const result_row *row;
} row_in_group;

/* Keeps the key of a new group. */
static bool keep_key(row_groups *g, char *key)
{
    if ((g->count & (g->count - 1)) == 0) { /* full: 0, 1, 2, 4, ... */
        char **larger = realloc(g->keys, (2 * g->count + 1) * sizeof *larger);
        if (!larger)
            return false;
        g->keys = larger;
    }
    g->keys[g->count] = key;
    return true;
}

/* The number of the group, which may be a new one; or NULL. */
static const size_t *find_group(row_groups *g, size_t file, const char *key)
{
    char *whole;
    if (!g->ids || asprintf(&whole, "%zu\n%s", file, key) < 0)
        return NULL;
    const size_t *id = hash_map_add(g->ids, whole, g->count);
    if (id && *id == g->count && keep_key(g, whole)) {
        g->count++;
        return id;
    }
    free(whole);
    return id && *id < g->count ? id : NULL;
}

scan_status row_groups_add(row_groups *g, size_t file, const char *key, const result_row *row)
{
    if (!g->ids)
        g->ids = hash_map_new();
    row_in_group *pairs = array_room(g->pairs, &g->pair_capacity, g->pair_count, 1, sizeof *pairs);
    if (!pairs)
        return SCAN_NO_MEMORY;
    g->pairs = pairs;
    const size_t *id = find_group(g, file, key);
    if (!id)
        return SCAN_NO_MEMORY;
    g->pairs[g->pair_count++] = (row_in_group){.group = *id, .file = file, .row = row};
    return SCAN_OK;
}

scan_status row_groups_finish(row_groups *g)
{
    g->groups = calloc(g->count + 1, sizeof *g->groups);
    g->rows = calloc(g->pair_count + 1, sizeof *g->rows);
    if (!g->groups || !g->rows)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < g->pair_count; i++)
        g->groups[g->pairs[i].group].count++;
    const result_row **next = g->rows;
    for (size_t i = 0; i < g->count; i++) {
        g->groups[i].rows = next;
        g->groups[i].key = strchr(g->keys[i], '\n') + 1;
        next += g->groups[i].count;
        g->groups[i].count = 0;
    }
    for (size_t i = 0; i < g->pair_count; i++) {
        row_group *to = &g->groups[g->pairs[i].group];
        to->file = g->pairs[i].file;
        to->rows[to->count++] = g->pairs[i].row;
    }
    return SCAN_OK;
}

void row_groups_free(row_groups *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->keys[i]);
    free(g->keys);
    hash_map_free(g->ids);
    free(g->pairs);
    free(g->groups);
    free(g->rows);
    *g = (row_groups){0};
}
