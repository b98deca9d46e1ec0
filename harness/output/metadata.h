/*
 * metadata.h - OUT.csv-metadata.json, as CSVW of the W3C: the columns of the CSV, and in its notes,
 * for each run that has rows, the facts that they share: machine, plugins, command line, and at the
 * end the warnings.
 */
#ifndef SCANBENCH_OUTPUT_METADATA_H
#define SCANBENCH_OUTPUT_METADATA_H

#include "output/result_csv.h"
#include "output/resume.h"
#include "output/warnings.h"
#include "supervisor/session_set.h"
#include "system/topology.h"
#include "text/errmsg.h"
#include "text/json.h"

/* What the name of a CSV is followed by. */
#define METADATA_ENDING "-metadata.json"

/* The member that has the SHA-256 of a plugin's file, and of scanbench itself. */
#define METADATA_HASH "sha256"

/* What the file is about. */
typedef struct metadata_facts {
    const result_csv *results;
    const session_set *set;
    const cpu_topology *machine;
    char *const *argv;    /* the command line, ended by NULL */
    const resume *resume; /* what the CSV keeps; NULL: it begins anew */
    const char *before;   /* with `resume`: the text that the metadata file has, or NULL */
} metadata_facts;

typedef struct metadata {
    char *csv;         /* beside which it lies, with its permissions; NULL: none is written */
    char *head, *tail; /* its text behind the URL of the CSV, before and after the warnings */
    bool is_whole;     /* the head is the text from its beginning */
} metadata;

/* How a run ended. */
typedef struct metadata_end {
    const warnings *warnings;
    bool complete;  /* all that it was to measure is measured */
    uint64_t bytes; /* of the CSV; 0: it is not a regular file */
} metadata_end;

/* Writes the file beside that of --csv, unless the CSV goes to stdout, and SAMPLES-metadata.json.
 * SCAN_OK and *metadata_p, released with metadata_free; SCAN_ERROR or SCAN_NO_MEMORY, and `error`
 * says why. */
scan_status metadata_write(const output_options *o, const metadata_facts *facts,
                           metadata *metadata_p, errmsg *error);
/* Writes SAMPLES-metadata.json, the columns of --samples (NULL: not given) as CSVW, unless the
 * samples go to stdout. SCAN_OK; SCAN_ERROR or SCAN_NO_MEMORY, and `error` says why. */
scan_status metadata_write_samples(const char *samples, errmsg *error);
/* Is it a file that another can lie beside? NULL: none at all. */
bool metadata_has_place(const char *csv);
/* If so, can that be written? SCAN_OK; SCAN_INVALID, SCAN_ERROR, and `error` says why not. */
scan_status metadata_check(const char *csv, errmsg *error);
/* Writes the metadata of a CSV, if it has any, beside another one too. SCAN_OK; SCAN_ERROR,
 * SCAN_NO_MEMORY, and `error` says why. */
scan_status metadata_copy(const char *csv, const char *to, errmsg *error);
/* Goes on beside another CSV, and writes it there. The same returns. */
scan_status metadata_move(metadata *m, const char *csv, errmsg *error);
/* Replaces the file by one that says how the run ended, whole at any time. SCAN_OK; SCAN_ERROR or
 * SCAN_NO_MEMORY, and `error` says why. */
scan_status metadata_finish(const metadata *m, const metadata_end *end, errmsg *error);
void metadata_free(metadata *m);

/* ---- read again ---- */

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
