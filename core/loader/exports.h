/*
 * exports.h - what a loaded file exports besides scan_entry
 */
#ifndef SCANBENCH_LOADER_EXPORTS_H
#define SCANBENCH_LOADER_EXPORTS_H

#include <link.h>
#include <stddef.h>

/*
 * Counts the symbols that `file`, as dlinfo gave it, exports besides `allowed`, and copies the name
 * of the first into first[0 ... size-1], "" if there is none. Reads the hash table that the dynamic
 * linker itself uses; a file without one exports nothing.
 */
size_t loader_count_exports(const struct link_map *file, const char *allowed, char *first,
                            size_t size);

#endif
