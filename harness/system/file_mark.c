#include "system/file_mark.h"

file_mark file_mark_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return (file_mark){.known = false};
    return (file_mark){.known = true,
                       .device = about.st_dev,
                       .inode = about.st_ino,
                       .bytes = about.st_size,
                       .modified = about.st_mtim,
                       .changed = about.st_ctim};
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool file_mark_same_inode(const file_mark *a, const file_mark *b)
{
    return a->known == b->known && a->device == b->device && a->inode == b->inode;
}

bool file_mark_same(const file_mark *a, const file_mark *b)
{
    return file_mark_same_inode(a, b) && a->bytes == b->bytes &&
           same_time(&a->modified, &b->modified) && same_time(&a->changed, &b->changed);
}
