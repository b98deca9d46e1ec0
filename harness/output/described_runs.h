/*
 * described_runs.h - the metadata beside a CSV, read again: the runs that they describe
 */
#ifndef SCANBENCH_OUTPUT_DESCRIBED_RUNS_H
#define SCANBENCH_OUTPUT_DESCRIBED_RUNS_H

#include "text/json.h"

#include <stdbool.h>
#include <stddef.h>

/* What the name of a CSV is followed by. */
#define METADATA_ENDING "-metadata.json"

/* The member that has the SHA-256 of a plugin's file, and of scanbench itself. */
#define METADATA_HASH "sha256"

/* The text of the metadata of a CSV, for free, or NULL. Metadata that cannot be read, such
 * as a device, are named on stderr. */
char *metadata_read(const char *csv);

/*
 * The runs that metadata describe: the notes of its CSVW, the last run first.
 *
 *     metadata_walk w = metadata_begin(text, strlen(text));
 *     for (json_value run; metadata_next(&w, &run);)
 *         json_member(run, "run_id");
 */
#define METADATA_NOTES "notes"
typedef struct metadata_walk {
    bool known; /* it is the metadata of a run */
    json_walk rest;
} metadata_walk;

metadata_walk metadata_begin(const char *text, size_t bytes);
/* The next run, which is an object with a "run_id". false behind the last one. */
bool metadata_next(metadata_walk *w, json_value *run_p);

#endif
