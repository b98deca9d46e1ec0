#include "output/described_runs.h"

#include "system/whole_file.h"

#include <stdio.h>
#include <stdlib.h>

/* Metadata take some 20 KiB and 300 bytes for each plugin of a run. */
enum { BYTES_MOST = 64 << 20 };

char *metadata_read(const char *csv)
{
    char *path, *text = NULL;
    errmsg error;
    if (asprintf(&path, "%s" METADATA_ENDING, csv) < 0)
        return NULL;
    if (input_file_read(path, BYTES_MOST, &text, &error) == SCAN_ERROR)
        fprintf(stderr, "scanbench: %s; these metadata are ignored\n", error.text);
    free(path);
    return text;
}

metadata_walk metadata_begin(const char *text, size_t bytes)
{
    const json_value notes = json_member(json_whole(text, bytes), METADATA_NOTES);
    return (metadata_walk){.known = notes.text != NULL, .rest = json_begin(notes)};
}

bool metadata_next(metadata_walk *w, json_value *run_p)
{
    while (json_next(&w->rest))
        if (json_member(w->rest.value, "run_id").text) {
            *run_p = w->rest.value;
            return true;
        }
    return false;
}
