/*
 * file_kind.h - what a file holds, by how it begins: scanbench replaces only files of the kind that
 * it writes
 */
#ifndef SCANBENCH_OUTPUT_FILE_KIND_H
#define SCANBENCH_OUTPUT_FILE_KIND_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>

/* X(kind, what such a file is, for messages) */
#define FILE_KIND_MAP(X)                                  \
    X(OTHER, "a file that scanbench did not write")       \
    X(PROGRAM, "a plugin or a program")                   \
    X(EMPTY, "empty")                                     \
    X(ROWS, "rows of a run")                              \
    X(SAMPLES, "samples of a run")                        \
    X(JSON_ROWS, "rows of a run, as JSON lines")          \
    X(METADATA, "the metadata of a run")                  \
    X(PAGE, "a page of results")                          \
    X(VALIDATE_JSON, "the outcome of scanbench validate") \
    X(COMPARE_JSON, "the outcome of scanbench compare")   \
    X(HISTORY_JSON, "a history of results")               \
    X(RECIPE, "a recipe")                                 \
    X(SUBMISSION, "a submission, or another file packed by gzip")

#define FILE_KIND_ENUM(kind, words) FILE_KIND_##kind,
typedef enum file_kind { FILE_KIND_MAP(FILE_KIND_ENUM) } file_kind;
#undef FILE_KIND_ENUM

const char *file_kind_words(file_kind kind);

/* How much of a file is looked at: its header and the first row. */
enum { FILE_KIND_BYTES = 8192 };

/* The kind of a file that begins with these bytes, at most FILE_KIND_BYTES of them. */
file_kind file_kind_of(const char *text, size_t bytes);

/* The kind of a regular file; OTHER if it cannot be read. */
file_kind file_kind_read(const char *path);

/* Does the text have a row? In a CSV the first line is the header. */
bool file_kind_has_rows(file_kind kind, const char *text, size_t bytes);

#endif
