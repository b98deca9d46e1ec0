/*
 * metadata.h - OUT.csv-metadata.json: the facts that all rows of a run share: machine, plugins,
 * command line
 */
#ifndef SCANBENCH_OUTPUT_METADATA_H
#define SCANBENCH_OUTPUT_METADATA_H

#include "text/errmsg.h"

#include "output/result_csv.h"
#include "supervisor/session_set.h"
#include "system/topology.h"

/* Writes the file beside that of --csv (NULL: not given), unless the CSV goes to stdout. argv: the
 * command line, ended by NULL. SCAN_OK; SCAN_ERROR or SCAN_NO_MEMORY, and `error` says why. */
scan_status metadata_write(const char *csv, const result_csv *results, const session_set *set,
                           const cpu_topology *machine, char *const *argv, errmsg *error);

#endif
