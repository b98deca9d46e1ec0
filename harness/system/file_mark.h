/*
 * file_mark.h - what tells cheaply whether a file may have changed: its inode, size and times
 */
#ifndef SCANBENCH_SYSTEM_FILE_MARK_H
#define SCANBENCH_SYSTEM_FILE_MARK_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct file_mark {
    bool known; /* there is such a file */
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec modified, changed;
} file_mark;

file_mark file_mark_of(const char *path);
/* Of one file that was not touched in between? */
bool file_mark_same(const file_mark *a, const file_mark *b);
/* Of one inode, whatever became of it? */
bool file_mark_same_inode(const file_mark *a, const file_mark *b);

#endif
