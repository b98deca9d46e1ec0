/*
 * metadata.h - OUT.csv-metadata.json: all about a run that does not change from row
 * to row
 */
#ifndef SCANBENCH_OUTPUT_METADATA_H
#define SCANBENCH_OUTPUT_METADATA_H

#include "text/errmsg.h"

#include "output/result_csv.h"
#include "supervisor/session_set.h"
#include "system/topology.h"

/* Writes the file beside that of --csv (NULL: not given); nothing where the CSV goes to
 * stdout. argv: the command line, with a NULL at its end. SCAN_OK, or
 * SCAN_ERROR and why in `message`. */
scan_status metadata_write(const char *csv, const result_csv *s, const session_set *r,
                           const cpu_topology *t, char *const *argv, errmsg *error);

#endif
