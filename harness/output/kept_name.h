/*
 * kept_name.h - new names beside a file for rows that must not be lost: out.csv becomes
 * out.20261123T101500Z.csv, or out.20261123T101500Z-2.csv where that is taken
 */
#ifndef SCANBENCH_OUTPUT_KEPT_NAME_H
#define SCANBENCH_OUTPUT_KEPT_NAME_H

#include <limits.h>
#include <sys/types.h>

/* Creates an empty file of a name that neither a file nor metadata have. Its descriptor and name;
 * or -1, with errno. */
int kept_name_create(const char *path, const char *stamp, mode_t mode, char name[PATH_MAX]);

/* The name as seen from the current folder, if it lies there. */
const char *kept_name_shown(const char *name);

#endif
