/*
 * plugin_list.h - which plugins a list such as `all,!cuda_*,./mine.so` means
 *
 *     list = item *( "," item )       spaces around an item are ignored
 *     item = ["!"] ( "all" | id | glob | path [ ":" ( id | glob ) ] )
 *
 * A glob contains one of * ? [ and is matched as in a shell. A path contains a / or ends in .so
 * or .py; it
 * means every plugin of that file, or of every file in that folder, or those of them that the id or
 * the glob behind the colon names. "!" excludes, wherever it
 * stands in the list; a list with only "!" items starts from all. `all` does not include hidden
 * plugins (tests only); an id, a glob or a path does.
 */
#ifndef SCANBENCH_TEXT_PLUGIN_LIST_H
#define SCANBENCH_TEXT_PLUGIN_LIST_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>

/* The length of a file's name without its ending, .so or .py; 0: it does not end so, or has nothing
 * in front of it. */
size_t plugin_file_stem(const char *name, size_t length);
bool plugin_file_is_python(const char *file);

/* One plugin to choose from. */
typedef struct plugin_list_candidate {
    const char *id;
    const char *file; /* as the list names it, if it came from a path; may be NULL */
    bool hidden;      /* not part of `all` */
    bool broken;      /* the file could not be loaded: nobody knows the ids of its plugins */
} plugin_list_candidate;

/* The paths in a list, except its "!" items: files to load before choosing. As written, each
 * once; and so its ids. */
typedef struct plugin_list_files {
    char **paths;
    size_t count;
    bool alone; /* the list has no other items */
    char **ids;
    size_t id_count;
    bool plain; /* it has nothing but paths and ids */
} plugin_list_files;

/* SCAN_OK and *files_p, which may be empty and is released with plugin_list_files_free; or
 * SCAN_INVALID (an empty item) or SCAN_NO_MEMORY, and the reason. */
scan_status plugin_list_paths(const char *list, plugin_list_files *files_p, errmsg *error);
void plugin_list_files_free(plugin_list_files *files);

/*
 * Sets chosen[0 ... count-1]. SCAN_OK and at least one is true; or SCAN_INVALID
 * if an item matches nothing (the message suggests the nearest id) or if "!" items exclude
 * all that was chosen, or SCAN_NO_MEMORY; then `chosen` is not written.
 */
scan_status plugin_list_choose(const char *list, const plugin_list_candidate *candidates,
                               size_t count, bool *chosen, errmsg *error);

/* Does a "!" item of the list mean it? */
bool plugin_list_excludes(const char *list, const plugin_list_candidate *candidate);

#endif
