#include "output/metadata_runs.h"

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
