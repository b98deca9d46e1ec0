/*
 * loader_copy.c - each struct is copied as far as both sides know it, so nothing past
 * a plugin's struct size is ever read and what it lacks is zero
 */
#include "loader/copy_tables.h"

#include <stdlib.h>
#include <string.h>

typedef struct plugin_copies {
    scan_memory *memories; /* one a plugin */
    scan_tunable *tunables;
    const scan_tunable **tables; /* what the plugins' tunables point to */
} plugin_copies;

/* Copies a struct that begins with its size. */
static void copy_struct(void *to, const void *from, uint32_t size)
{
    uint32_t theirs;
    memcpy(&theirs, from, sizeof theirs);
    memcpy(to, from, theirs < size ? theirs : size);
    memcpy(to, &size, sizeof size);
}

static size_t count_tunables(const scan_plugin *plugin)
{
    size_t count = 0;
    while (plugin->tunables && plugin->tunables[count])
        count++;
    return count;
}

static void free_copies(plugin_copies *copies)
{
    if (copies) {
        free(copies->tables);
        free(copies->tunables);
        free(copies->memories);
        free(copies);
    }
}

/* Arrays for `plugins` plugins with `tunables` tunables in all, or NULL. */
static plugin_copies *new_copies(size_t plugins, size_t tunables)
{
    plugin_copies *copies = calloc(1, sizeof *copies);
    if (!copies)
        return NULL;
    copies->memories = calloc(plugins, sizeof *copies->memories);
    copies->tunables = calloc(tunables + 1, sizeof *copies->tunables);
    copies->tables = calloc(tunables + plugins, sizeof *copies->tables); /* each ends with NULL */
    if (!copies->memories || !copies->tunables || !copies->tables) {
        free_copies(copies);
        return NULL;
    }
    return copies;
}

scan_status loader_copy(const scan_entry_table *entry, loader_module *module_p)
{
    size_t count = 0;
    size_t tunables = 0;
    do
        tunables += count_tunables(entry->plugins[count++]);
    while (entry->plugins[count]);
    scan_plugin *plugins = calloc(count, sizeof *plugins);
    plugin_copies *copies = new_copies(count, tunables);
    if (!plugins || !copies) {
        free_copies(copies);
        free(plugins);
        return SCAN_NO_MEMORY;
    }
    scan_tunable *tunable = copies->tunables;
    const scan_tunable **table = copies->tables;
    for (size_t i = 0; i < count; i++) {
        const scan_plugin *theirs = entry->plugins[i];
        copy_struct(&plugins[i], theirs, sizeof plugins[i]);
        if (theirs->memory) {
            copy_struct(&copies->memories[i], theirs->memory, sizeof copies->memories[i]);
            plugins[i].memory = &copies->memories[i];
        }
        if (theirs->tunables)
            plugins[i].tunables = table;
        for (size_t j = 0; theirs->tunables && theirs->tunables[j]; j++) {
            copy_struct(tunable, theirs->tunables[j], sizeof *tunable);
            *table++ = tunable++;
        }
        table++;
    }
    module_p->plugins = plugins;
    module_p->count = count;
    module_p->copies = copies;
    return SCAN_OK;
}

void loader_release(loader_module *module)
{
    free_copies(module->copies);
    free(module->plugins);
    *module = (loader_module){0};
}
