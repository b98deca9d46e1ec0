/*
 * registry.h - the known plugins: those that workers described from their files, and those that
 * were not built
 */
#ifndef SCANBENCH_SUPERVISOR_REGISTRY_H
#define SCANBENCH_SUPERVISOR_REGISTRY_H

#include "loader/loader.h"
#include "loader/search.h"
#include "protocol/status.h"
#include "system/file_identity.h"

#include <stdbool.h>
#include <sys/stat.h>

/* ---- is a plugin's file still the build with which the run began? Rows carry its hash, whichever
 * worker measured them ---- */

typedef struct plugin_build {
    struct stat mark; /* says cheaply whether the file may have changed; zeros: there is none, as of
                         a calibrator */
    char hash[FILE_HASH_BYTES]; /* of the content at that mark; "": it could not be read */
} plugin_build;

/* What has become of the file since. */
typedef enum build_change {
    BUILD_SAME,        /* or another file with the same content */
    BUILD_OVERWRITTEN, /* in place: workers that have loaded it run changed code */
    BUILD_REPLACED,    /* by another file: workers that have loaded the old one keep it */
    BUILD_REMOVED
} build_change;

/* The build of a file that had this mark before a worker described it. If the file has changed
 * since, plugin_build_check says so. */
plugin_build plugin_build_of(const char *file, const struct stat *mark);

/* Compares the file with the build. Costs a stat() unless the file was touched. */
build_change plugin_build_check(plugin_build *b, const char *file);

typedef struct tunable_info {
    char *name;
    char *summary;
    uint32_t flags;
    int64_t default_value, min, max;
    int64_t *values; /* the allowed values, or NULL for min ... max */
    size_t value_count;
} tunable_info;

typedef struct plugin_info {
    char *file;
    struct stat mark; /* of the file before a worker described it */
    uint32_t index;   /* position in the file's table */
    bool bundled;     /* the file lies in a folder of the program's own plugins */
    char *id, *name, *version, *summary, *reference, *backend;
    uint32_t role, flags;
    scan_op_entry ops[SCAN_MAX_OP_ENTRIES];
    scan_result_entry results[SCAN_MAX_RESULT_ENTRIES];
    uint64_t max_n;
    uint64_t tile; /* 0: derived from the tunables block and vt */
    bool device_memory;
    double call_ns;  /* of a call that does nothing, if it is written in Python; else 0 */
    bool in_parts;   /* it works in as many parts as its tunable says (scan_parts.h), */
    bool in_ranks;   /* each part lies in a process of its own, which a launcher starts */
    uint32_t layout; /* a scan_layout */
    tunable_info *tunables;
    size_t tunable_count;
    /* Why the plugin cannot run, or NULL. With a problem, status is ROW_UNAVAILABLE (not built, or
     * what its file needs is not on this machine) or a failure (the file is broken); id is the
     * file's name without its ending where the file was not loaded. Otherwise status is ROW_OK. */
    char *problem;
    row_status status;
    /* About the file: the step of loading that failed, if there is a problem; what it printed while
     * it was loaded; how many symbols it exports besides scan_entry, and the first of them. */
    loader_step failed_step;
    char *printed;
    uint64_t exports;
    char *export;
} plugin_info;

typedef struct registry {
    plugin_info *plugins; /* sorted: ceilings, baselines, then the others, by id */
    size_t count, capacity;
} registry;

/*
 * Describes all files, several at the same time, each within timeout_s. A file that cannot be
 * loaded becomes an entry with a problem. If two files have the same id, the second is left out,
 * with a warning on stderr that names both. SCAN_OK and *registry_p, released with registry_free;
 * SCAN_NO_MEMORY; SCAN_ERROR when interrupted.
 */
scan_status registry_open(const search_list *files, double timeout_s, bool verbose,
                          registry *registry_p);
void registry_free(registry *c);

/* Adds the entries of a not_built.txt (lines of id, backend and reason, separated by tabs), unless
 * their id exists. A missing file is not an error. */
scan_status registry_add_not_built(registry *c, const char *path);

/* Does the plugin declare this? A ceiling copies any dtype and has only kind 0. */
bool plugin_info_declares(const plugin_info *p, uint32_t op, uint32_t kind, uint32_t dtype);

/* Does it take a result (dtype.h) of an input of that dtype? 0, the same type, always. */
bool plugin_info_widens(const plugin_info *p, uint32_t dtype, uint32_t result);

const plugin_info *registry_find(const registry *c, const char *id);
/* The index of p's tunable of that name, or -1. */
int tunable_info_index(const plugin_info *p, const char *name);
/* Is the value one that the tunable declares? */
bool tunable_info_allows(const tunable_info *t, int64_t value);

#endif
