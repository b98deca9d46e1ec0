#include "system/file_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };

/* What is behind the last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Puts what a link leads to in its place; false if it is not a link. */
static bool follow(char name[PATH_MAX])
{
    char target[PATH_MAX];
    const ssize_t length = readlink(name, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    const size_t keep = *target == '/' ? 0 : (size_t)(base_name(name) - name);
    snprintf(name + keep, PATH_MAX - keep, "%s", target);
    return true;
}

bool file_identity_resolve(const char *path, char real[PATH_MAX])
{
    char name[PATH_MAX], target[PATH_MAX], folder[PATH_MAX];
    if (realpath(path, real))
        return true;
    snprintf(name, sizeof name, "%s", path);
    for (int links = 0; links < LINKS_MOST && follow(name); links++)
        ;
    const int length = (int)(base_name(name) - name);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 2, length ? name : "./");
    if (!realpath(folder, target))
        snprintf(target, sizeof target, "%s", folder);
    return snprintf(real, PATH_MAX, "%s/%s", strcmp(target, "/") == 0 ? "" : target,
                    base_name(name)) < PATH_MAX;
}

bool file_identity_is_descriptor(const char *path)
{
    char name[PATH_MAX], link[PATH_MAX];
    snprintf(name, sizeof name, "%s", path);
    for (int links = 0; links < LINKS_MOST; links++) {
        struct statfs system;
        memcpy(link, name, sizeof link);
        if (!follow(name))
            return false;
        const int fd = open(link, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        const bool of_proc =
            fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
        if (fd >= 0)
            close(fd);
        if (of_proc)
            return true;
    }
    return false;
}

scan_status file_identity_of(const char *path, file_identity *identity_p, errmsg *error)
{
    identity_p->there = stat(path, &identity_p->about) == 0;
    if (identity_p->there)
        return SCAN_OK;
    if (errno != ENOENT)
        return errmsg_set(error, SCAN_INVALID, "%s: %s", path, strerror(errno));
    if (!file_identity_resolve(path, identity_p->real))
        return errmsg_set(error, SCAN_INVALID, "%s: %s", path, strerror(ENAMETOOLONG));
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s/", (int)(base_name(identity_p->real) - identity_p->real),
             identity_p->real);
    if (stat(folder, &identity_p->folder) != 0)
        identity_p->folder.st_ino = 0;
    return SCAN_OK;
}

bool file_identity_is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Two paths where nothing is: a folder may have several names, by mounts. */
static bool same_place(const file_identity *a, const file_identity *b)
{
    if (strcmp(a->real, b->real) == 0)
        return true;
    return a->folder.st_ino && file_identity_is_one(&a->folder, &b->folder) &&
           strcmp(base_name(a->real), base_name(b->real)) == 0;
}

bool file_identity_same(const file_identity *a, const file_identity *b)
{
    if (a->there != b->there)
        return false;
    if (!a->there)
        return same_place(a, b);
    return !S_ISCHR(a->about.st_mode) && file_identity_is_one(&a->about, &b->about);
}

const char *file_identity_word(const struct stat *about)
{
    return S_ISREG(about->st_mode)    ? "a file"
           : S_ISDIR(about->st_mode)  ? "a folder"
           : S_ISFIFO(about->st_mode) ? "a FIFO"
           : S_ISSOCK(about->st_mode) ? "a socket"
                                      : "a device";
}

_Static_assert((int)FILE_HASH_BYTES == (int)SHA256_DIGEST_STRING_LENGTH, "digits of a SHA-256");

const char *file_hash(const char *path, char text[FILE_HASH_BYTES])
{
    struct stat about; /* a FIFO would wait for its writer, a device may never end */
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || !SHA256File(path, text))
        *text = '\0';
    return text;
}
