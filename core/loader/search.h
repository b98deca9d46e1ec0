/*
 * search.h - where scanbench looks for plugin files
 *
 * In this order, and sorted by name within a directory:
 *     1. the paths given, each a file or a directory
 *     2. SCANBENCH_PLUGIN_PATH, files and directories separated by ":"
 *     3. plugins/ beside the executable
 *     4. ../lib/scanbench/plugins from the executable
 * If two plugins have the same id, the first one found wins: a plugin that is given
 * replaces an installed one.
 */
#ifndef SCANBENCH_LOADER_SEARCH_H
#define SCANBENCH_LOADER_SEARCH_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>

#define SEARCH_VARIABLE "SCANBENCH_PLUGIN_PATH"

/* Places 3 and 4 above, relative to the executable's directory. */
enum { SEARCH_PLACES = 2 };
extern const char *const search_places[SEARCH_PLACES];

typedef struct search_list {
    char **paths; /* files, each once, even if it was named in several ways */
    size_t count;
} search_list;

/*
 * Collects the files. `path_variable` is the value of SEARCH_VARIABLE or NULL, `exe_dir` the
 * executable's directory or NULL. SCAN_OK and *list_p, which may be empty and is released with
 * search_free; the message is then "" or warns of a missing entry of SEARCH_VARIABLE. SCAN_INVALID
 * if one of given[] is missing or is a directory without plugins, SCAN_ERROR if a directory cannot
 * be read, SCAN_NO_MEMORY; the message says which and why. A missing default directory is not an
 * error.
 */
scan_status search_plugins(const char *const *given, size_t given_count, const char *path_variable,
                           const char *exe_dir, search_list *list_p, errmsg *error);

void search_free(search_list *list);

/*
 * The file of the running program, and the directory it lies in, as an absolute path.
 * SCAN_OK, or SCAN_ERROR and errno if /proc does not say, or if the path of the file does
 * not fit into `size` bytes.
 */
scan_status search_executable(char *path, size_t size);
scan_status search_program(char *folder, size_t size);

/* Of all files those that may hold the plugins of a list of ids: the first `given` of them, and
 * those behind that contain an id or are called as one. SCAN_OK and *found_p, released with
 * search_free; or SCAN_NO_MEMORY. */
scan_status search_holding(const search_list *all, size_t given, char *const *ids, size_t id_count,
                           search_list *found_p);

#endif
