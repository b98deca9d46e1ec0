#include "output/line_file.h"

#include "system/file_identity.h"
#include "system/whole_file.h"
#include "text/array_room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The copy holds no more than this; the rest is only in the file itself. */
enum { COPY_MOST = 256 << 20 };

scan_status line_file_open(const char *path, line_file *file_p, errmsg *error)
{
    struct stat about;
    char real[PATH_MAX];
    const bool to_stdout = !path || strcmp(path, "-") == 0;
    line_file file = {.fd = -1, .path = strdup(to_stdout ? "standard output" : path)};
    *file_p = file;
    if (!file.path)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    const bool is_file = !to_stdout && (stat(path, &about) != 0 || S_ISREG(about.st_mode));
    const int how = (is_file ? O_RDWR | O_CREAT : O_WRONLY) | O_NOCTTY | O_CLOEXEC;
    file.fd = to_stdout ? STDOUT_FILENO : open(path, how, (mode_t)0666);
    *file_p = file;
    if (file.fd < 0 || fstat(file.fd, &about) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", file.path, strerror(errno));
    file_p->regular = S_ISREG(about.st_mode) && !to_stdout;
    file_p->linked = about.st_nlink > 0;
    if (file_p->regular && (!file_identity_resolve(path, real) || !(file_p->real = strdup(real))))
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    return SCAN_OK;
}

int line_file_put(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

/* Adds bytes to the copy. false without memory. */
static bool add_copy(line_file *file, const char *bytes, size_t count)
{
    if (file->copied + count > COPY_MOST || file->copied < file->written)
        return true;
    char *copy = array_room(file->copy, &file->capacity, file->copied, count, 1);
    if (!copy)
        return false;
    file->copy = copy;
    memcpy(file->copy + file->copied, bytes, count);
    file->copied += count;
    return true;
}

static void note_time(line_file *file)
{
    struct stat about;
    if (fstat(file->fd, &about) == 0)
        file->changed = about.st_mtim;
}

/* Copies the first bytes of the file. */
static bool copy_beginning(line_file *file, size_t count)
{
    char bytes[4096];
    for (ssize_t got; file->written < count; file->written += (size_t)got) {
        const size_t left = count - file->written;
        got =
            pread(file->fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)file->written);
        if (got <= 0 || !add_copy(file, bytes, (size_t)got))
            return false;
    }
    return true;
}

scan_status line_file_begin(line_file *file, size_t keep, errmsg *error)
{
    if (!file->regular)
        return SCAN_OK;
    const off_t end = (off_t)keep;
    if (ftruncate(file->fd, end) != 0 || lseek(file->fd, end, SEEK_SET) != end)
        return errmsg_set(error, SCAN_ERROR, "cutting an incomplete row off %s: %s", file->path,
                          strerror(errno));
    if (!copy_beginning(file, keep))
        return errmsg_set(error, SCAN_ERROR, "reading %s: %s", file->path, strerror(errno));
    note_time(file);
    whole_file_sync_folder(file->real);
    return SCAN_OK;
}

scan_status line_file_write(line_file *file, const char *bytes, size_t count, errmsg *error)
{
    const off_t whole = file->regular ? (off_t)file->written : -1;
    int failed = line_file_put(file->fd, bytes, count);
    if (failed == 0 && file->regular && !add_copy(file, bytes, count))
        failed = ENOMEM;
    if (failed == 0) {
        file->written += count;
        return SCAN_OK;
    }
    bool mended =
        whole >= 0 && ftruncate(file->fd, whole) == 0 && lseek(file->fd, whole, SEEK_SET) == whole;
    return errmsg_set(error, SCAN_ERROR, "writing %s: %s%s", file->path, strerror(failed),
                      mended || whole < 0 ? "" : "; the last row in it is incomplete");
}

scan_status line_file_sync(line_file *file, errmsg *error)
{
    if (!file->regular)
        return SCAN_OK;
    if (fdatasync(file->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        return errmsg_set(error, SCAN_ERROR, "writing %s to the disk: %s", file->path,
                          strerror(errno));
    note_time(file);
    return SCAN_OK;
}

scan_status line_file_close(line_file *file, errmsg *error)
{
    scan_status status = SCAN_OK;
    if (file->fd >= 0 && file->fd != STDOUT_FILENO && close(file->fd) != 0)
        status = errmsg_set(error, SCAN_ERROR, "closing %s: %s", file->path, strerror(errno));
    free(file->path);
    free(file->real);
    free(file->copy);
    *file = (line_file){.fd = -1};
    return status;
}
