#include "supervisor/session_registry.h"

#include "supervisor/named_files.h"
#include "text/plugin_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a list of plugins needs of those that can be found. */
typedef struct finding {
    const session_config *config;
    char directory[4096]; /* of the program */
    plugin_list_files listed;
    bool alone; /* no others than the files that it names */
} finding;

/* The plugins of these files, and those that were not built. */
static scan_status describe(const finding *f, const search_list *files, registry *registry_p)
{
    registry found = {0};
    scan_status status = registry_open(files, f->config->timeout_s, f->config->verbose, &found);
    for (size_t i = 0; status == SCAN_OK && !f->alone && i < SEARCH_PLACES; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s/not_built.txt", f->directory, search_places[i]);
        status = registry_add_not_built(&found, path);
    }
    if (status == SCAN_OK)
        *registry_p = found;
    else
        registry_free(&found);
    return status;
}

/* Does the list name its plugins one by one, so that no other need be known? */
static bool names_each(const finding *f)
{
    enum { MOST = 32 };
    const char *device = f->config->device;
    const bool names_backend = device && strchr(device, ':');
    return f->listed.plain && f->listed.id_count > 0 && f->listed.id_count <= MOST && !f->alone &&
           !f->config->all_known && !names_backend;
}

/* Describes the files that may hold the plugins that are named. false if they do not hold all. */
static bool describe_named(const finding *f, const search_list *files, registry *registry_p)
{
    search_list given = {0}, named = {0};
    registry found = {0};
    errmsg ignored;
    bool good =
        search_plugins((const char *const *)f->listed.paths, f->listed.count, NULL, NULL, &given,
                       &ignored) == SCAN_OK &&
        named_files(files, given.count, f->listed.ids, f->listed.id_count, &named) == SCAN_OK &&
        describe(f, &named, &found) == SCAN_OK;
    for (size_t i = 0; good && i < f->listed.id_count; i++)
        good = registry_find(&found, f->listed.ids[i]) != NULL;
    search_free(&named);
    search_free(&given);
    if (good)
        *registry_p = found;
    else
        registry_free(&found);
    return good;
}

static scan_status find_plugins(finding *f, registry *registry_p, errmsg *error)
{
    const plugin_list_files *listed = &f->listed;
    search_list files = {0};
    f->alone =
        listed->count > 0 && (f->config->named_only || (listed->alone && !f->config->all_known));
    scan_status status = search_plugins((const char *const *)listed->paths, listed->count,
                                        f->alone ? NULL : getenv(SEARCH_VARIABLE),
                                        f->alone ? NULL : f->directory, &files, error);
    if (status == SCAN_OK && *error->text)
        fprintf(stderr, "scanbench: warning: %s\n", error->text);
    if (status == SCAN_OK) {
        *error->text = '\0';
        if (!names_each(f) || !describe_named(f, &files, registry_p))
            status = describe(f, &files, registry_p);
    }
    search_free(&files);
    return status;
}

scan_status session_registry_open(const session_config *config, registry *registry_p, errmsg *error)
{
    finding f = {.config = config};
    scan_status status = search_program(f.directory, sizeof f.directory);
    if (status != SCAN_OK)
        return errmsg_set(error, SCAN_INVALID, "/proc/self/exe cannot be read; is /proc mounted?");
    status = plugin_list_paths(config->plugins, &f.listed, error);
    if (status == SCAN_OK)
        status = find_plugins(&f, registry_p, error);
    plugin_list_files_free(&f.listed);
    return status;
}
