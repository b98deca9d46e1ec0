#include "supervisor/plugin_search.h"

#include "loader/search.h"
#include "text/plugin_list.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- of all files those that may hold the plugins of a list of ids ---- */

/* An id is a text in its file, so that a file which does not contain it, as bytes, does not declare
 * it. One that makes up its ids as it is loaded is not found so: who does not find an id then loads
 * all files. */

/* Is it the file's name, without .so? A file that cannot be loaded is called so. */
static bool is_called(const char *path, const char *id)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(id);
    return strncmp(name, id, length) == 0 && strcmp(name + length, ".so") == 0;
}

/* The bytes of a file, or NULL; *size_p of them. */
static const void *map(const char *path, size_t *size_p)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *bytes = MAP_FAILED;
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        *size_p = (size_t)about.st_size;
        bytes = mmap(NULL, *size_p, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* May it hold one of these? The 0 behind an id is part of it. */
static bool may_hold(const char *path, char *const *ids, size_t count)
{
    size_t size = 0;
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (is_called(path, ids[i]))
            return true;
    const void *bytes = map(path, &size);
    if (!bytes)
        return false;
    for (size_t i = 0; i < count && !found; i++)
        found = memmem(bytes, size, ids[i], strlen(ids[i]) + 1) != NULL;
    munmap((void *)(uintptr_t)bytes, size);
    return found;
}

/* The first `given` files of `all`, and those behind that contain an id or are called as one.
 * SCAN_OK and *named_p, released with search_free; or SCAN_NO_MEMORY. */
static scan_status named_files(const search_list *all, size_t given, char *const *ids,
                               size_t id_count, search_list *named_p)
{
    search_list named = {.paths = calloc(all->count + 1, sizeof *named.paths)};
    if (!named.paths)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < all->count; i++) {
        if (i >= given && !may_hold(all->paths[i], ids, id_count))
            continue;
        named.paths[named.count] = strdup(all->paths[i]);
        if (!named.paths[named.count++]) {
            search_free(&named);
            return SCAN_NO_MEMORY;
        }
    }
    *named_p = named;
    return SCAN_OK;
}

/* ---- the search ---- */

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

scan_status plugin_search_open(const session_config *config, registry *registry_p, errmsg *error)
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
