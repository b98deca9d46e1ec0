#include "output/kept_name.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Does the text begin like "20261123T101500Z", with any digits? */
static bool is_stamp(const char *text)
{
    static const char form[] = "00000000T000000Z";
    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return true;
}

void kept_name_stamp(const char *text, size_t bytes, char stamp[KEPT_NAME_STAMP_BYTES])
{
    enum { LENGTH = 16 };
    for (size_t i = 0; i + LENGTH <= bytes; i++)
        if (is_stamp(text + i)) {
            memcpy(stamp, text + i, LENGTH);
            stamp[LENGTH] = '\0';
            return;
        }
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(stamp, KEPT_NAME_STAMP_BYTES, "%Y%m%dT%H%M%SZ", &utc);
}

int kept_name_create(const char *path, const char *stamp, mode_t mode, char name[PATH_MAX])
{
    enum { TRIES = 10000 };
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
