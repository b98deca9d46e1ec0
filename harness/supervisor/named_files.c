#include "supervisor/named_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

scan_status named_files(const search_list *all, size_t given, char *const *ids, size_t id_count,
                        search_list *named_p)
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
