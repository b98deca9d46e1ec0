/*
 * metadata_fuzz.c - whatever the metadata are, the runs that are found in them lie in the text, one
 * behind another, and have a run_id
 */
#include "output/metadata.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    ALWAYS(text);
    metadata_walk w = metadata_begin(text, bytes);
    const char *from = text;
    for (json_value run; metadata_next(&w, &run);) {
        ALWAYS(run.text >= from && run.text + run.bytes <= text + bytes);
        ALWAYS(json_member(run, "run_id").text != NULL);
        from = run.text + run.bytes;
    }
    free(text);
    return 0;
}
