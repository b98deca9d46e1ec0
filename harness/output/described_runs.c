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
    metadata_walk w = {.whole = json_whole(text, bytes)};
    const json_value notes = json_member(w.whole, METADATA_NOTES);
    if (!notes.text)
        w.first = w.whole;
    w.rest = json_begin(notes.text ? notes : json_member(w.whole, METADATA_EARLIER));
    return w;
}

bool metadata_next(metadata_walk *w, json_value *run_p)
{
    json_value run = w->first;
    w->first = (json_value){0};
    while (!json_member(run, "run_id").text) {
        if (!json_next(&w->rest))
            return false;
        run = w->rest.value;
    }
    *run_p = run;
    return true;
}
