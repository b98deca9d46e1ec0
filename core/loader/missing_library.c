/*
 * missing_library.c - reads what the dynamic linker says, which is nowhere else: it searches for
 * libraries by rules (DT_RUNPATH, the cache, LD_LIBRARY_PATH) that no other program should repeat
 *
 * A message begins with the name of the object that it is about. A worker's locale is C, so the
 * rest is not translated.
 */
#include "loader/missing_library.h"

#include <stddef.h>
#include <string.h>

bool loader_misses_library(const char *path, const char *why)
{
    static const char *const about_a_library[] = {
        "cannot open shared object file", /* glibc: it is not there, or must not be read */
        "file too short",                 /* or it is no library */
        "invalid ELF header",
        "Error loading shared library", /* musl, which names the object behind that */
    };
    const size_t length = strlen(path);
    if (strncmp(why, path, length) == 0 && why[length] == ':')
        return false;
    for (size_t i = 0; i < sizeof about_a_library / sizeof *about_a_library; i++)
        if (strstr(why, about_a_library[i]))
            return true;
    const char *version = strstr(why, "version `"); /* the name follows, which is the library's */
    return version && strstr(version, "' not found");
}
