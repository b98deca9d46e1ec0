#include "loader/search.h"

#include "text/errmsg.h"
#include "text/hash_map.h"
#include "text/plugin_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const search_places[SEARCH_PLACES] = {"plugins", "../lib/scanbench/plugins"};

/* The list so far, and where error messages go. */
typedef struct searching {
    search_list list;
    hash_map *seen; /* the files of the list by device and inode; NULL: none yet */
    errmsg *error;
} searching;

static scan_status no_memory(const searching *search)
{
    return errmsg_set(search->error, SCAN_NO_MEMORY, "out of memory for the list of plugin files");
}

/* Notes the file. *listed_p: is it in the list already, under any name? */
static scan_status note_file(searching *search, const struct stat *about, bool *listed_p)
{
    char key[64];
    snprintf(key, sizeof key, "%ju %ju", (uintmax_t)about->st_dev, (uintmax_t)about->st_ino);
    if (!search->seen)
        search->seen = hash_map_new();
    size_t *times = search->seen ? hash_map_add(search->seen, key, 0) : NULL;
    if (!times)
        return no_memory(search);
    *listed_p = (*times)++ > 0;
    return SCAN_OK;
}

static scan_status add_file(searching *search, const char *path)
{
    search_list *list = &search->list;
    struct stat about;
    bool listed = false;
    if (stat(path, &about) == 0 && note_file(search, &about, &listed) != SCAN_OK)
        return SCAN_NO_MEMORY;
    if (listed)
        return SCAN_OK;
    char **paths = list->paths;
    if ((list->count & (list->count - 1)) == 0)
        paths = realloc(list->paths, (list->count ? 2 * list->count : 1) * sizeof *paths);
    if (!paths)
        return no_memory(search);
    list->paths = paths;
    paths[list->count] = strdup(path);
    if (!paths[list->count])
        return no_memory(search);
    list->count++;
    return SCAN_OK;
}

/* A file of Python that begins with _ is a module for others. */
static int is_plugin_name(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return *name != '.' && plugin_file_stem(name, strlen(name)) > 0 &&
           !(*name == '_' && plugin_file_is_python(name));
}

/* Compares bytes, so that the order is the same in every locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Adds the plugin files of a directory. *found_p, unless NULL, becomes the number of plugin files
 * in it, including those that are in the list already. */
static scan_status add_directory(searching *search, const char *directory, int *found_p)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_plugin_name, by_name);
    if (count < 0)
        return errmsg_set(search->error, SCAN_ERROR, "reading the folder %s: %s", directory,
                          strerror(errno));
    scan_status status = SCAN_OK;
    bool slash = *directory && directory[strlen(directory) - 1] == '/';
    for (int i = 0; i < count; i++) {
        char *path;
        if (status == SCAN_OK &&
            asprintf(&path, "%s%s%s", directory, slash ? "" : "/", entries[i]->d_name) < 0) {
            status = no_memory(search);
        } else if (status == SCAN_OK) {
            status = add_file(search, path);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    if (status == SCAN_OK && found_p)
        *found_p = count;
    return status;
}

/* Adds a file, or the plugin files of a directory, and sets *found_p, unless NULL, to their
 * number. SCAN_UNAVAILABLE, with errno and without a message, if `path` does not exist. */
static scan_status add_path(searching *search, const char *path, int *found_p)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return SCAN_UNAVAILABLE;
    if (S_ISDIR(about.st_mode))
        return add_directory(search, path, found_p);
    if (found_p)
        *found_p = 1;
    return add_file(search, path);
}

static scan_status add_given(searching *search, const char *const *given, size_t count)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < count && status == SCAN_OK; i++) {
        int found = 0;
        status = add_path(search, given[i], &found);
        if (status == SCAN_UNAVAILABLE)
            status = errmsg_set(search->error, SCAN_INVALID, "%s: %s", given[i], strerror(errno));
        else if (status == SCAN_OK && found == 0)
            status = errmsg_set(search->error, SCAN_INVALID,
                                "%s is a folder without plugins: no file in it ends in .so or .py",
                                given[i]);
    }
    return status;
}

/* Adds to the warning an entry of SEARCH_VARIABLE that is missing. */
static scan_status warn(const searching *search, const char *entry, const char *why)
{
    static const char end[] = "; ignored";
    const errmsg before = *search->error;
    const size_t length = strlen(before.text);
    if (length == 0)
        return errmsg_set(search->error, SCAN_OK, SEARCH_VARIABLE " names %s: %s%s", entry, why,
                          end);
    return errmsg_set(search->error, SCAN_OK, "%.*s, %s: %s%s", (int)(length - strlen(end)),
                      before.text, entry, why, end);
}

/* Adds the entries of SEARCH_VARIABLE; a missing one is a warning. */
static scan_status add_variable(searching *search, const char *value)
{
    char *entries = strdup(value);
    if (!entries)
        return no_memory(search);
    scan_status status = SCAN_OK;
    char *rest = entries;
    for (char *entry; status == SCAN_OK && (entry = strsep(&rest, ":"));) {
        if (*entry == '\0')
            continue;
        status = add_path(search, entry, NULL);
        if (status == SCAN_UNAVAILABLE)
            status = warn(search, entry, strerror(errno));
    }
    free(entries);
    return status;
}

/* Adds a directory beside the executable, if it exists. */
static scan_status add_default(searching *search, const char *exe_dir, const char *below)
{
    char *directory;
    if (asprintf(&directory, "%s/%s", exe_dir, below) < 0)
        return no_memory(search);
    scan_status status = add_path(search, directory, NULL);
    free(directory);
    return status == SCAN_UNAVAILABLE ? SCAN_OK : status;
}

static scan_status finish(searching *search, scan_status status, search_list *list_p)
{
    hash_map_free(search->seen);
    if (status == SCAN_OK)
        *list_p = search->list;
    else
        search_free(&search->list);
    return status;
}

scan_status search_plugins(const char *const *given, size_t given_count, const char *path_variable,
                           const char *exe_dir, search_list *list_p, errmsg *error)
{
    searching search = {.error = error};
    errmsg_set(error, SCAN_OK, "%s", "");
    scan_status status = add_given(&search, given, given_count);
    if (status == SCAN_OK && path_variable)
        status = add_variable(&search, path_variable);
    for (size_t i = 0; exe_dir && status == SCAN_OK && i < SEARCH_PLACES; i++)
        status = add_default(&search, exe_dir, search_places[i]);
    return finish(&search, status, list_p);
}

void search_free(search_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (search_list){0};
}

scan_status search_executable(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size);
    if (length >= 0 && (size_t)length == size)
        errno = ENAMETOOLONG;
    if (length < 0 || (size_t)length == size)
        return SCAN_ERROR;
    path[length] = '\0';
    return SCAN_OK;
}

scan_status search_program(char *folder, size_t size)
{
    scan_status status = search_executable(folder, size);
    char *slash = status == SCAN_OK ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    return status;
}

/* ---- of all files those that may hold the plugins of a list of ids ---- */

/* An id is a text in its file, so that a file which does not contain it, as bytes, does not declare
 * it. One that makes up its ids as it is loaded is not found so: who does not find an id then loads
 * all files. */

/* Is it the file's name, without its ending? A file that cannot be loaded is called so. */
static bool is_file_of(const char *path, const char *id)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(id);
    return strncmp(name, id, length) == 0 && plugin_file_stem(name, strlen(name)) == length;
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

/* May it hold one of these? The 0 behind an id is part of it, but not in a file of Python. */
static bool may_hold(const char *path, char *const *ids, size_t count)
{
    size_t size = 0;
    bool found = false;
    const size_t end = plugin_file_is_python(path) ? 0 : 1;
    for (size_t i = 0; i < count; i++)
        if (is_file_of(path, ids[i]))
            return true;
    const void *bytes = map(path, &size);
    if (!bytes)
        return false;
    for (size_t i = 0; i < count && !found; i++)
        found = memmem(bytes, size, ids[i], strlen(ids[i]) + end) != NULL;
    munmap((void *)(uintptr_t)bytes, size);
    return found;
}

scan_status search_holding(const search_list *all, size_t given, char *const *ids, size_t id_count,
                           search_list *found_p)
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
    *found_p = named;
    return SCAN_OK;
}
