/*
 * opencl_cache.c - says when PoCL has no device because it cannot write its cache
 *
 * PoCL keeps compiled kernels in a folder that it makes when it starts. Without that folder it
 * lists no device, and the reason is nowhere in what it returns.
 */
#include "opencl_common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

/* Where PoCL keeps it, as its manual says. */
static void find_folder(char path[PATH_BYTES])
{
    const char *own = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own)
        snprintf(path, PATH_BYTES, "%s", own);
    else if (cache && *cache)
        snprintf(path, PATH_BYTES, "%s/pocl/kcache", cache);
    else if (home)
        snprintf(path, PATH_BYTES, "%s/.cache/pocl/kcache", home);
    else
        snprintf(path, PATH_BYTES, "/tmp/pocl/kcache");
}

/* Makes the folder and those above it, as PoCL does. Returns 0 or an errno. */
static int make_folder(const char *path)
{
    char part[PATH_BYTES];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return errno;
        *slash = '/';
    }
    if (mkdir(part, 0700) != 0 && errno != EEXIST)
        return errno;
    return access(part, W_OK | X_OK) == 0 ? 0 : errno;
}

const char *opencl_cache_problem(const char *platform, char *text, size_t size)
{
    char path[PATH_BYTES];
    *text = '\0';
    if (!opencl_is_pocl(platform))
        return text;
    find_folder(path);
    const int failed = make_folder(path);
    if (failed)
        snprintf(text, size,
                 "PoCL cannot write its cache %s: %s; set POCL_CACHE_DIR to a folder that it can "
                 "write",
                 path, strerror(failed));
    return text;
}
