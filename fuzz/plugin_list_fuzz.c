/* plugin_list_fuzz.c - plugin lists of any text */
#include "text/plugin_list.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const plugin_list_candidate candidates[] = {
        {"cpu_serial", "./cpu_serial.so", false, false},
        {"cuda_blelloch", "/x/cuda_blelloch.so", false, false},
        {"mock", NULL, true, false}};
    enum { COUNT = sizeof candidates / sizeof candidates[0] };
    char *text = fuzz_text(data, bytes);
    errmsg error = {""};
    bool chosen[COUNT] = {false};
    plugin_list_files files = {0};
    if (text && plugin_list_paths(text, &files, &error) == SCAN_OK) {
        for (size_t i = 0; i < files.count; i++)
            ALWAYS(files.paths[i][0] != '\0' && strstr(text, files.paths[i]));
        plugin_list_files_free(&files);
    }
    ALWAYS(!files.paths);
    if (text && plugin_list_choose(text, candidates, COUNT, chosen, &error) == SCAN_OK)
        ALWAYS(chosen[0] || chosen[1] || chosen[2]);
    else
        ALWAYS(!chosen[0] && !chosen[1] && !chosen[2] && error.text[0] != '\0');
    free(text);
    return 0;
}
