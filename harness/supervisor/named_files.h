/*
 * named_files.h - of all plugin files that were found, those that may hold the plugins of a list of
 * ids: no other plugin's code need run
 *
 * An id is a text in its file, so that a file which does not contain it, as bytes, does not declare
 * it. One that makes up its ids as it is loaded is not found so: who does not find an id then loads
 * all files.
 */
#ifndef SCANBENCH_SUPERVISOR_NAMED_FILES_H
#define SCANBENCH_SUPERVISOR_NAMED_FILES_H

#include "loader/search.h"

#include <stdbool.h>

/* The first `given` files of `all`, and those behind that contain an id or are called as one.
 * SCAN_OK and *named_p, released with search_free; or SCAN_NO_MEMORY. */
scan_status named_files(const search_list *all, size_t given, char *const *ids, size_t id_count,
                        search_list *named_p);

#endif
