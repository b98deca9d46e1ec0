#include "system/memory.h"

#include "system/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The number in the file, or behind `name` in a file of names and numbers; UINT64_MAX if it says
 * "max" or is not there. */
static uint64_t read_number(const char *folder, const char *file, const char *name)
{
    char path[1200], line[256];
    uint64_t value = UINT64_MAX;
    const size_t length = strlen(name);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *in = fopen(path, "re");
    while (in && value == UINT64_MAX && fgets(line, sizeof line, in))
        if (strncmp(line, name, length) == 0 && sscanf(line + length, "%" SCNu64, &value) != 1)
            value = UINT64_MAX;
    if (in)
        fclose(in);
    return value;
}

/* The names of one version of control groups. */
typedef struct group_files {
    const char *below; /* the file system's folder */
    const char *limit, *used, *cache;
} group_files;

/* What a group leaves. Files that were read and can be dropped count as used, but are not. */
static uint64_t room_of(const char *folder, const group_files *names)
{
    const uint64_t limit = read_number(folder, names->limit, "");
    const uint64_t used = read_number(folder, names->used, "");
    uint64_t cache = read_number(folder, "memory.stat", names->cache);
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    cache = cache < used ? cache : 0;
    return limit > used - cache ? limit - (used - cache) : 0;
}

/* The least that the group and those above it leave. In a container the group's path may be that of
 * the host; the folder of the file system is then the container's group. */
static uint64_t room_up_from(const char *root, const char *group, const group_files *names)
{
    char folder[1024];
    uint64_t least = UINT64_MAX;
    const int base = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s", root, names->below);
    if (base < 0 || (size_t)base >= sizeof folder)
        return least;
    snprintf(folder + base, sizeof folder - (size_t)base, "%s", group);
    for (;;) {
        const uint64_t room = room_of(folder, names);
        least = room < least ? room : least;
        char *slash = strrchr(folder + base, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

uint64_t memory_group_room(const char *root)
{
    static const group_files first = {"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                      "total_inactive_file "};
    static const group_files second = {"", "memory.max", "memory.current", "inactive_file "};
    char path[512], line[512];
    uint64_t least = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *list = fopen(path, "re");
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        char *rest = line;
        strsep(&rest, ":"); /* its number */
        const char *controllers = strsep(&rest, ":");
        uint64_t room = UINT64_MAX;
        if (rest && !*controllers)
            room = room_up_from(root, rest, &second);
        else if (rest && strcmp(controllers, "memory") == 0)
            room = room_up_from(root, rest, &first);
        least = room < least ? room : least;
    }
    if (list)
        fclose(list);
    return least;
}

uint64_t memory_available(void)
{
    const uint64_t kib = read_number("/proc", "meminfo", "MemAvailable:");
    const uint64_t room = memory_group_room(""), available = kib == UINT64_MAX ? 0 : kib << 10;
    return room < available ? room : available;
}

double memory_first_use_s(void)
{
    enum { TRIED = 64 << 20, PAGE = 4096 };
    unsigned char *memory =
        mmap(NULL, TRIED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 0;
    madvise(memory, TRIED, MADV_HUGEPAGE); /* as arrays are (topology_place_memory) */
    const double start_ns = clock_now_ns();
    for (size_t at = 0; at < TRIED; at += PAGE)
        ((volatile unsigned char *)memory)[at] = 1;
    const double took_ns = clock_now_ns() - start_ns;
    munmap(memory, TRIED);
    return took_ns * 1e-9 / TRIED;
}

const char *memory_text(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

/* ---- memory that processes share ---- */

shared_memory shared_memory_new(uint64_t bytes)
{
    shared_memory m = {.file = memfd_create("scanbench", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (m.file < 0)
        return m;
    snprintf(m.path, sizeof m.path, "/proc/%ld/fd/%d", (long)getpid(), m.file);
    /* Nobody may cut off what others have mapped. */
    if (bytes > INT64_MAX || ftruncate(m.file, (off_t)bytes) != 0 ||
        fcntl(m.file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
        access(m.path, R_OK | W_OK) != 0)
        shared_memory_free(&m);
    return m;
}

void shared_memory_free(shared_memory *m)
{
    if (m->file >= 0)
        close(m->file);
    *m = (shared_memory){.file = -1};
}

static bool map(int file, uint64_t offset, void *address, uint64_t bytes)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return false;
    if (offset + bytes > (uint64_t)about.st_size) {
        errno = ENOMEM;
        return false;
    }
    return mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                (off_t)offset) != MAP_FAILED;
}

bool shared_memory_map(const char *path, uint64_t offset, void *address, uint64_t bytes)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool good = map(file, offset, address, bytes);
    const int why = errno;
    close(file);
    errno = why;
    return good;
}
