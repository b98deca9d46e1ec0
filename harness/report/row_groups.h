/*
 * row_groups.h - rows sorted into groups by their file and a text that each of them has in common
 */
#ifndef SCANBENCH_REPORT_ROW_GROUPS_H
#define SCANBENCH_REPORT_ROW_GROUPS_H

#include "results/result_file.h"

typedef struct row_group {
    size_t file;
    const char *key;
    const result_row **rows; /* in the order in which they were added */
    size_t count;
} row_group;

typedef struct row_groups {
    row_group *groups; /* in the order of their first rows; after row_groups_finish */
    size_t count;
    /* Private. */
    struct hash_map *ids;
    struct row_in_group *pairs;
    size_t pair_count, pair_capacity;
    char **keys; /* "file\nkey" */
    const result_row **rows;
} row_groups;

/* Each: SCAN_OK or SCAN_NO_MEMORY. Begin with a zeroed one; released with row_groups_free. */
scan_status row_groups_add(row_groups *g, size_t file, const char *key, const result_row *row);
scan_status row_groups_finish(row_groups *g);
void row_groups_free(row_groups *g);

#endif
