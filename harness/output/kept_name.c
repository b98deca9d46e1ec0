#include "output/kept_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 10000 };

int kept_name_create(const char *path, const char *stamp, mode_t mode, char name[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const char *ending = dot && dot > file ? dot : file + strlen(file);
    for (int i = 1; i <= TRIES; i++) {
        char number[16] = "", metadata[PATH_MAX];
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(metadata, PATH_MAX, "%.*s.%s%s%s-metadata.json", (int)(ending - path), path,
                     stamp, number, ending) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        snprintf(name, PATH_MAX, "%.*s.%s%s%s", (int)(ending - path), path, stamp, number, ending);
        if (faccessat(AT_FDCWD, metadata, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            continue;
        const int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    errno = EEXIST;
    return -1;
}

const char *kept_name_shown(const char *name)
{
    char here[PATH_MAX];
    const size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    const bool within = length > 1 && strncmp(name, here, length) == 0 && name[length] == '/';
    return within ? name + length + 1 : name;
}
