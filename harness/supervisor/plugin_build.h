/*
 * plugin_build.h - is a plugin's file still the build with which the run began? Rows stand under
 * its hash, whichever worker measured them
 */
#ifndef SCANBENCH_SUPERVISOR_PLUGIN_BUILD_H
#define SCANBENCH_SUPERVISOR_PLUGIN_BUILD_H

#include "system/file_hash.h"
#include "system/file_mark.h"

typedef struct plugin_build {
    file_mark mark;             /* not known: nothing can change, as of the calibrators */
    char hash[FILE_HASH_BYTES]; /* of that content; "": it could not be read */
} plugin_build;

/* What became of the file since. */
typedef enum build_change {
    BUILD_SAME,        /* also where another file with the same content lies there */
    BUILD_OVERWRITTEN, /* in place: workers that have loaded it run changed code */
    BUILD_REPLACED,    /* by another file: workers that have loaded the old one still have that */
    BUILD_REMOVED
} build_change;

/* The build of a file that had this mark before a worker described it. Where the content is another
 * one by now, plugin_build_check says so. */
plugin_build plugin_build_of(const char *file, const file_mark *mark);

/* Looks at the file. Costs a stat() unless it was touched. */
build_change plugin_build_check(plugin_build *b, const char *file);

#endif
