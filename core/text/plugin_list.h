/*
 * plugin_list.h - which plugins a list such as `all,!cuda_*,./mine.so` means
 *
 *     list = item *( "," item )       spaces around an item are ignored
 *     item = ["!"] ( "all" | id | glob | path )
 *
 * A glob holds one of * ? [ and is matched as in a shell. A path holds a / or ends
 * in .so; it means every plugin of that file, or of every file in that folder. "!" takes away,
 * wherever in the list it stands; a list of nothing but "!" items starts from all. `all` leaves out
 * hidden plugins (tests only), which an id, a glob or a path reaches.
 */
#ifndef SCANBENCH_TEXT_PLUGIN_LIST_H
#define SCANBENCH_TEXT_PLUGIN_LIST_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>

/* One plugin to choose from. */
typedef struct select_candidate {
    const char *id;
    const char *file; /* as the list names it where it came from a path; may be NULL */
    bool hidden;      /* not part of `all` */
} select_candidate;

/* The paths in a list, which have to be loaded before there is anything to
 * choose from; without "!" items. Texts as written, none twice. */
typedef struct select_files {
    char **paths;
    size_t count;
} select_files;

/* SCAN_OK and *files_p (perhaps of none), given back with select_files_free; or
 * SCAN_INVALID (an empty item) or SCAN_NO_MEMORY, and why in `message`. */
scan_status select_paths(const char *list, select_files *files_p, errmsg *error);
void select_files_free(select_files *files);

/*
 * Sets chosen[0 ... count-1]. SCAN_OK and at least one is true; or SCAN_INVALID
 * where an item matches nothing (`message` suggests the nearest id) or all that was
 * chosen was taken away again, or SCAN_NO_MEMORY; then `chosen` is not written.
 */
scan_status select_plugins(const char *list, const select_candidate *candidates, size_t count,
                           bool *chosen, errmsg *error);

#endif
