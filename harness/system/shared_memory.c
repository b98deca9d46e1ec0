#include "system/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
