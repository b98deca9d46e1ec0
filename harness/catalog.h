/*
 * catalog.h - what plugins there are: each file described by a worker that loaded
 * it, plus those the build left out
 */
#ifndef SCANBENCH_CATALOG_H
#define SCANBENCH_CATALOG_H

#include "loader.h"
#include "search.h"

#include <stdbool.h>

typedef struct catalog_tunable {
    char *name;
    char *summary;
    uint32_t flags;
    int64_t default_value, min, max;
    int64_t *values; /* allowed ones, or NULL: min ... max */
    size_t value_count;
} catalog_tunable;

typedef struct catalog_plugin {
    char *file;
    uint32_t index; /* in the file's table */
    char *id, *name, *version, *summary, *reference, *backend;
    uint32_t role, flags, kinds, dtypes, ops;
    uint64_t max_n;
    bool device_memory;
    catalog_tunable *tunables;
    size_t tunable_count;
    /* Why there is nothing to run, or NULL; status is then "unavailable" (not built) or
     * "error", "crashed" or "timeout" (the file is broken; id is its name without .so). */
    char *problem;
    const char *status;
    /* Of the file: the step of loading that failed, if there is a problem and it is there;
     * what it printed while it was loaded; how many symbols it exports besides
     * scan_entry, and one of them. */
    loader_step failed_step;
    char *printed;
    uint64_t exports;
    char *export;
} catalog_plugin;

typedef struct catalog {
    catalog_plugin *plugins; /* sorted: ceilings, baselines, then the others, by id */
    size_t count;
} catalog;

/*
 * Describes the files, all at once, each within timeout_s. A file that cannot be
 * loaded becomes an entry with a problem; an id that is already there is left out
 * with a warning on stderr that names both files. SCAN_OK and *catalog_p, released
 * with catalog_free; SCAN_NO_MEMORY; SCAN_ERROR when interrupted.
 */
scan_status catalog_open(const search_list *files, double timeout_s, bool verbose,
                         catalog *catalog_p);
void catalog_free(catalog *c);

/* Adds the entries of a not_built.txt (lines of id, backend and reason, with tabs
 * between), unless their id is there. A missing file is no error. */
scan_status catalog_add_not_built(catalog *c, const char *path);

const catalog_plugin *catalog_find(const catalog *c, const char *id);
const catalog_tunable *catalog_tunable_find(const catalog_plugin *p, const char *name);
/* Its place among p's tunables, or -1. */
int catalog_tunable_index(const catalog_plugin *p, const char *name);
/* Is the value among those it declares? */
bool catalog_tunable_allows(const catalog_tunable *t, int64_t value);

#endif
