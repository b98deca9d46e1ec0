/*
 * search.h - where plugin files are looked for
 *
 * In this order, and sorted by name within a directory:
 *     1. the paths given, each a file or a directory
 *     2. SCANBENCH_PLUGIN_PATH, files and directories separated by ":"
 *     3. plugins/ beside the executable
 *     4. ../lib/scanbench/plugins from the executable
 * Of two ids the first found wins, so a plugin given by hand replaces one that is
 * installed.
 */
#ifndef SCANBENCH_LOADER_SEARCH_H
#define SCANBENCH_LOADER_SEARCH_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>

#define SEARCH_VARIABLE "SCANBENCH_PLUGIN_PATH"

/* The third and the fourth, from the executable's directory. */
enum { SEARCH_PLACES = 2 };
extern const char *const search_places[SEARCH_PLACES];

typedef struct search_list {
    char **paths; /* files; none twice, however it was named */
    size_t count;
} search_list;

/*
 * Collects the files. `path_variable` is the value of SEARCH_VARIABLE or NULL,
 * `exe_dir` the executable's directory or NULL. SCAN_OK and *list_p (perhaps of
 * none), given back with search_free; `message` is then "" or a warning: an entry
 * of SEARCH_VARIABLE that is not there. SCAN_INVALID where one of given[] is not
 * there or is a directory without plugins, SCAN_ERROR where a directory cannot be read,
 * SCAN_NO_MEMORY; `message` says which and why. That the two default directories are missing is no
 * error.
 */
scan_status search_plugins(const char *const *given, size_t given_count, const char *path_variable,
                           const char *exe_dir, search_list *list_p, errmsg *error);

/* The *.so files of one directory, sorted by name. Returns as search_plugins. */
scan_status search_directory(const char *directory, search_list *list_p, errmsg *error);

void search_free(search_list *list);

/*
 * The file of the running program, and the directory it lies in, as an absolute path.
 * SCAN_OK, or SCAN_ERROR and errno where /proc does not tell or the path of the file is
 * not shorter than `size`.
 */
scan_status search_executable(char *path, size_t size);
scan_status search_program(char *folder, size_t size);

#endif
