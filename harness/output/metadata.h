/*
 * metadata.h - OUT.csv-metadata.json: the facts that all rows of a run share: machine, plugins,
 * command line, and at the end the warnings
 */
#ifndef SCANBENCH_OUTPUT_METADATA_H
#define SCANBENCH_OUTPUT_METADATA_H

#include "text/errmsg.h"

#include "output/result_csv.h"
#include "output/warnings.h"
#include "supervisor/session_set.h"
#include "system/topology.h"

/* What the file is about. */
typedef struct metadata_facts {
    const result_csv *results;
    const session_set *set;
    const cpu_topology *machine;
    char *const *argv; /* the command line, ended by NULL */
} metadata_facts;

typedef struct metadata {
    char *path; /* NULL: none is written */
    char *text; /* of the facts, without its last brace */
} metadata;

/* Writes the file beside that of --csv (NULL: not given), unless the CSV goes to stdout. SCAN_OK
 * and *metadata_p, released with metadata_free; SCAN_ERROR or SCAN_NO_MEMORY, and `error` says
 * why. */
scan_status metadata_write(const char *csv, const metadata_facts *facts, metadata *metadata_p,
                           errmsg *error);
/* Replaces the file by one with the warnings, whole at any time. SCAN_OK; SCAN_ERROR or
 * SCAN_NO_MEMORY, and `error` says why. */
scan_status metadata_finish(const metadata *m, const warnings *w, errmsg *error);
void metadata_free(metadata *m);

#endif
