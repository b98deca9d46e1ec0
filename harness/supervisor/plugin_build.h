/*
 * plugin_build.h - is a plugin's file still the build with which the run began? Rows carry its
 * hash, whichever worker measured them
 */
#ifndef SCANBENCH_SUPERVISOR_PLUGIN_BUILD_H
#define SCANBENCH_SUPERVISOR_PLUGIN_BUILD_H

#include "system/file_hash.h"

#include <stdbool.h>
#include <sys/stat.h>

/* What a stat() says of a file: it tells cheaply whether the file may have changed. */
typedef struct file_mark {
    bool known; /* there is such a file */
    struct stat about;
} file_mark;

file_mark file_mark_of(const char *path);

typedef struct plugin_build {
    file_mark mark;             /* not known: a calibrator, which has no file that could change */
    char hash[FILE_HASH_BYTES]; /* of the content at that mark; "": it could not be read */
} plugin_build;

/* What has become of the file since. */
typedef enum build_change {
    BUILD_SAME,        /* or another file with the same content */
    BUILD_OVERWRITTEN, /* in place: workers that have loaded it run changed code */
    BUILD_REPLACED,    /* by another file: workers that have loaded the old one keep it */
    BUILD_REMOVED
} build_change;

/* The build of a file that had this mark before a worker described it. If the file has changed
 * since, plugin_build_check says so. */
plugin_build plugin_build_of(const char *file, const file_mark *mark);

/* Compares the file with the build. Costs a stat() unless the file was touched. */
build_change plugin_build_check(plugin_build *b, const char *file);

#endif
