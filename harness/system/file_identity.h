/*
 * file_identity.h - which file a path means: two names of one file have the same identity, through
 * links, other paths and /dev/stdin, and also where the file is not there yet; and its hash
 */
#ifndef SCANBENCH_SYSTEM_FILE_IDENTITY_H
#define SCANBENCH_SYSTEM_FILE_IDENTITY_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

typedef struct file_identity {
    bool there;
    struct stat about;   /* if it is there */
    struct stat folder;  /* if not: its folder, if that is there */
    char real[PATH_MAX]; /* and its path without symbolic links */
} file_identity;

/* SCAN_OK and *identity_p, also of a file that is not there; SCAN_ERROR if the system does not let
 * us look, and `error` says why. */
scan_status file_identity_of(const char *path, file_identity *identity_p, errmsg *error);

/* Do both describe one file: the same inode of the same device? */
bool file_identity_is_one(const struct stat *a, const struct stat *b);

/* The same for two paths. A character device, such as /dev/null, may be given any
 * number of times. */
bool file_identity_same(const file_identity *a, const file_identity *b);

/* Does the path lead through an open descriptor, as /dev/fd/3 does? It means the open file even
 * when that has another name or none, so replacing or renaming the file does not change what the
 * path means. */
bool file_identity_is_descriptor(const char *path);

/* The path that writing to `path` would create or change, without symbolic links, also where the
 * last one leads nowhere. false if it is too long. */
bool file_identity_resolve(const char *path, char real[PATH_MAX]);

/* The file in words: "a folder", "a FIFO". */
const char *file_identity_word(const struct stat *about);

/* The SHA-256 of a file tells two builds apart. */
/* 64 digits, with the final 0. */
enum { FILE_HASH_BYTES = 65 };

/* Writes it in hexadecimal; "" where the file cannot be read. Returns `text`. */
const char *file_hash(const char *path, char text[FILE_HASH_BYTES]);

#endif
