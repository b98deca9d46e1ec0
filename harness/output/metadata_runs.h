/*
 * metadata_runs.h - the runs that OUT.csv-metadata.json describes: the notes of its CSVW, the last
 * run first; in files of earlier builds the whole object, and those under "earlier"
 *
 *     metadata_walk w = metadata_begin(text, strlen(text));
 *     for (json_value run; metadata_next(&w, &run);)
 *         json_member(run, "run_id");
 */
#ifndef SCANBENCH_OUTPUT_METADATA_RUNS_H
#define SCANBENCH_OUTPUT_METADATA_RUNS_H

#include "system/json.h"

typedef struct metadata_walk {
    json_value whole; /* none: the text is not JSON */
    json_value first; /* a run before those of `rest`, or none */
    json_walk rest;
} metadata_walk;

/* The members that list runs: of CSVW, and before it that of all but the last run. */
#define METADATA_NOTES "notes"
#define METADATA_EARLIER "earlier"

metadata_walk metadata_begin(const char *text, size_t bytes);
/* The next run, which is an object with a "run_id". false behind the last one. */
bool metadata_next(metadata_walk *w, json_value *run_p);

#endif
