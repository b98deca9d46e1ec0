/*
 * kept_name.h - new names beside a file for rows that must not be lost: out.csv becomes
 * out.20261123T101500Z.csv, or out.20261123T101500Z-2.csv where that is taken
 */
#ifndef SCANBENCH_OUTPUT_KEPT_NAME_H
#define SCANBENCH_OUTPUT_KEPT_NAME_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

enum { KEPT_NAME_STAMP_BYTES = 24 };

/* When the first row of a text was measured, from its run_id, as 20261123T101500Z; the present time
 * if the text has none. */
void kept_name_stamp(const char *text, size_t bytes, char stamp[KEPT_NAME_STAMP_BYTES]);

/* Creates an empty file under a name that no other file and no metadata have. Returns its
 * descriptor and sets its name; or -1, with errno. */
int kept_name_create(const char *path, const char *stamp, mode_t mode, char name[PATH_MAX]);

/* The name as seen from the current folder, if it lies there. */
const char *kept_name_shown(const char *name);

#endif
