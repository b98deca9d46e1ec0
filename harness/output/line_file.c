#include "output/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

scan_status line_file_open(const char *path, bool empty, line_file *file_p, errmsg *error)
{
    struct stat about;
    const bool to_stdout = !path || strcmp(path, "-") == 0;
    line_file file = {.fd = -1, .path = strdup(to_stdout ? "standard output" : path)};
    *file_p = file;
    if (!file.path)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    const int how = (empty ? O_WRONLY | O_TRUNC : O_RDWR) | O_CREAT | O_CLOEXEC;
    file.fd = to_stdout ? STDOUT_FILENO : open(path, how, (mode_t)0666);
    *file_p = file;
    if (file.fd < 0 || fstat(file.fd, &about) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", file.path, strerror(errno));
    file_p->regular = S_ISREG(about.st_mode) && !to_stdout;
    return SCAN_OK;
}

/* Writes all bytes; 0, or errno. */
static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

scan_status line_file_write(const line_file *file, const char *bytes, size_t count, errmsg *error)
{
    off_t whole = file->regular ? lseek(file->fd, 0, SEEK_CUR) : -1;
    int failed = write_all(file->fd, bytes, count);
    if (failed == 0)
        return SCAN_OK;
    bool mended =
        whole >= 0 && ftruncate(file->fd, whole) == 0 && lseek(file->fd, whole, SEEK_SET) == whole;
    return errmsg_set(error, SCAN_ERROR, "writing %s: %s%s", file->path, strerror(failed),
                      mended || whole < 0 ? "" : "; the last row in it is incomplete");
}

scan_status line_file_close(line_file *file, errmsg *error)
{
    scan_status status = SCAN_OK;
    if (file->fd >= 0 && file->fd != STDOUT_FILENO && close(file->fd) != 0)
        status = errmsg_set(error, SCAN_ERROR, "closing %s: %s", file->path, strerror(errno));
    free(file->path);
    *file = (line_file){.fd = -1};
    return status;
}
