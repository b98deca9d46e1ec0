/*
 * missing_library.h - why dlopen failed: because of the file, or of a library that it needs?
 */
#ifndef SCANBENCH_LOADER_MISSING_LIBRARY_H
#define SCANBENCH_LOADER_MISSING_LIBRARY_H

#include <stdbool.h>

/*
 * Does `why`, what dlerror says about the file at `path`, mean that this machine lacks what the
 * file needs: a library, one that such a library needs in turn, or a version of one? A library that
 * is there and lacks a symbol is another mistake, as is everything about the file itself.
 */
bool loader_misses_library(const char *path, const char *why);

#endif
