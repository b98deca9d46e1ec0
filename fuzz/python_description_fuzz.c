/*
 * python_description_fuzz.c - whatever an interpreter says of its file, it is refused, or becomes a
 * plugin that the loader takes or refuses
 */
#include "worker/python_description.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static python_description is; /* it is large */
    errmsg error = {0};
    char *text = fuzz_text(data, bytes);
    ALWAYS(text);
    if (python_description_read(&is, text, &error) == SCAN_OK) {
        const scan_plugin *const list[] = {&is.plugin, NULL};
        const scan_entry_table entry = {
            SCAN_ABI_MAGIC, SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof entry, 0, list};
        loader_module module;
        is.plugin.backend = "cpu";
        if (loader_adopt(&entry, &module, &error) == SCAN_OK) {
            ALWAYS(module.count == 1 && strlen(module.plugins[0].id) <= LOADER_ID_LENGTH);
            loader_release(&module);
        } else {
            ALWAYS(*error.text);
        }
    } else {
        ALWAYS(*error.text);
    }
    python_description_free(&is);
    free(text);
    return 0;
}
