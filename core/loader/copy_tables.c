/*
 * copy_tables.c - copies of what a plugin file declares
 *
 * A struct is copied up to the smaller of both sides' sizes: nothing past the plugin's
 * struct_size is read, and fields that the plugin lacks are 0.
 */
#include "loader/copy_tables.h"

#include <stdlib.h>
#include <string.h>

typedef struct plugin_copies {
    scan_memory *memories;  /* one a plugin */
    scan_tunable *tunables; /* of all plugins, in one array */
} plugin_copies;

/* Copies a struct that begins with its size. */
static void copy_struct(void *to, const void *from, uint32_t size)
{
    uint32_t theirs;
    memcpy(&theirs, from, sizeof theirs);
    memcpy(to, from, theirs < size ? theirs : size);
    memcpy(to, &size, sizeof size);
}

static void free_copies(plugin_copies *copies)
{
    if (copies) {
        free(copies->tunables);
        free(copies->memories);
        free(copies);
    }
}

/* Arrays for `plugins` plugins with `tunables` tunables in total, or NULL. */
static plugin_copies *new_copies(size_t plugins, size_t tunables)
{
    plugin_copies *copies = calloc(1, sizeof *copies);
    if (!copies)
        return NULL;
    copies->memories = calloc(plugins, sizeof *copies->memories);
    copies->tunables = calloc(tunables + 1, sizeof *copies->tunables);
    if (!copies->memories || !copies->tunables) {
        free_copies(copies);
        return NULL;
    }
    return copies;
}

scan_status copy_tables(const scan_entry_table *entry, loader_module *module_p)
{
    size_t count = 0;
    size_t tunables = 0;
    do
        tunables += (size_t)entry->plugins[count++]->tunable_count;
    while (entry->plugins[count]);
    scan_plugin *plugins = calloc(count, sizeof *plugins);
    scan_parts *parts = calloc(count, sizeof *parts);
    scan_ranks *ranks = calloc(count, sizeof *ranks);
    plugin_copies *copies = new_copies(count, tunables);
    if (!plugins || !parts || !ranks || !copies) {
        free_copies(copies);
        free(ranks);
        free(parts);
        free(plugins);
        return SCAN_NO_MEMORY;
    }
    scan_tunable *tunable = copies->tunables;
    for (size_t i = 0; i < count; i++) {
        const scan_plugin *theirs = entry->plugins[i];
        copy_struct(&plugins[i], theirs, sizeof plugins[i]);
        if (theirs->memory) {
            copy_struct(&copies->memories[i], theirs->memory, sizeof copies->memories[i]);
            plugins[i].memory = &copies->memories[i];
        }
        const char *from = (const char *)theirs->tunables;
        plugins[i].tunables = theirs->tunable_count > 0 ? tunable : NULL;
        for (size_t j = 0; j < theirs->tunable_count; j++, from += theirs->tunables->struct_size)
            copy_struct(tunable++, from, sizeof *tunable);
    }
    module_p->plugins = plugins;
    module_p->exported = entry->plugins;
    module_p->count = count;
    module_p->parts = parts;
    module_p->ranks = ranks;
    module_p->copies = copies;
    return SCAN_OK;
}

void loader_release(loader_module *module)
{
    free_copies(module->copies);
    free(module->ranks);
    free(module->parts);
    free(module->plugins);
    *module = (loader_module){0};
}
