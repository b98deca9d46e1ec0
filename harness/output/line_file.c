#include "output/line_file.h"

#include "system/file_identity.h"
#include "text/array_room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The copy holds no more than this; the rest is only in the file itself. */
enum { COPY_MOST = 256 << 20 };

/* ---- opening ---- */

/* Does the process have this file open? */
static bool has_open(long pid, const struct stat *file)
{
    char folder[64], path[400];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        found = stat(path, &about) == 0 && file_identity_is_one(&about, file);
    }
    if (list)
        closedir(list);
    return found;
}

/* The process of this machine that has locked the file; 0 if it is not known. */
static long holder_of(int fd)
{
    struct stat file;
    char line[256];
    long holder = 0, pid;
    FILE *locks = fstat(fd, &file) == 0 ? fopen("/proc/locks", "re") : NULL;
    while (locks && !holder && fgets(line, sizeof line, locks))
        if (sscanf(line, "%*s FLOCK %*s WRITE %ld", &pid) == 1 && has_open(pid, &file))
            holder = pid;
    if (locks)
        fclose(locks);
    return holder;
}

/* A file system without locks is used without them. */
static scan_status lock(int fd, const char *path, errmsg *error)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return SCAN_OK;
    const long holder = holder_of(fd);
    char host[72] = "";
    gethostname(host, sizeof host - 1);
    if (holder)
        return errmsg_set(error, SCAN_ERROR, "%s is being written by process %ld on this host, %s",
                          path, holder, host);
    return errmsg_set(error, SCAN_ERROR,
                      "%s is being written by another process, perhaps on another host", path);
}

/* Does the path still lead to the open file? Another run may have renamed it meanwhile. */
static bool is_in_place(int fd, const char *path)
{
    struct stat own, named;
    return fstat(fd, &own) == 0 && stat(path, &named) == 0 && file_identity_is_one(&own, &named);
}

/* Could lines be written to what is not a regular file? Opening a FIFO would wait for a reader. */
static scan_status check_special(const char *path, const struct stat *about, errmsg *error)
{
    if (S_ISDIR(about->st_mode) || S_ISSOCK(about->st_mode))
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: it is %s", path,
                          file_identity_word(about));
    if (access(path, W_OK) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", path, strerror(errno));
    return SCAN_OK;
}

static scan_status open_regular(line_file *file, errmsg *error)
{
    struct stat about;
    char real[PATH_MAX];
    const bool there = stat(file->path, &about) == 0;
    file->fd = open(file->path, O_RDWR | O_CREAT | O_NOCTTY | O_CLOEXEC, (mode_t)0666);
    if (file->fd < 0 || fstat(file->fd, &about) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", file->path,
                          strerror(errno));
    scan_status status = lock(file->fd, file->path, error);
    if (status == SCAN_OK && !is_in_place(file->fd, file->path))
        status = errmsg_set(error, SCAN_ERROR,
                            "%s was replaced by another process just now; try again", file->path);
    if (status != SCAN_OK)
        return status;
    file->regular = true;
    file->made = !there;
    file->linked = about.st_nlink > 0;
    if (!file_identity_resolve(file->path, real) || !(file->real = strdup(real)))
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    return SCAN_OK;
}

/* Opening a FIFO would wait for a reader: that is done when the lines begin. */
static scan_status open_special(line_file *file, const struct stat *about, errmsg *error)
{
    const scan_status status = check_special(file->path, about, error);
    if (status != SCAN_OK || S_ISFIFO(about->st_mode))
        return status;
    file->fd = open(file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file->fd >= 0)
        return SCAN_OK;
    return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", file->path, strerror(errno));
}

scan_status line_file_open(const char *path, line_file *file_p, errmsg *error)
{
    struct stat about;
    const bool to_stdout = !path || strcmp(path, "-") == 0;
    *file_p = (line_file){.fd = to_stdout ? STDOUT_FILENO : -1,
                          .path = strdup(to_stdout ? "standard output" : path)};
    if (!file_p->path)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (to_stdout)
        return SCAN_OK;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) ? open_special(file_p, &about, error)
                                                              : open_regular(file_p, error);
}

/* Goes on in another open file, and moves the lock there. */
static void go_to(line_file *file, int fd)
{
    flock(fd, LOCK_EX | LOCK_NB);
    close(file->fd);
    file->fd = fd;
}

scan_status line_file_anew(line_file *file, mode_t mode, errmsg *error)
{
    const int fd = open(file->real, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return errmsg_set(error, SCAN_ERROR, "%s: %s", file->path, strerror(errno));
    fchmod(fd, mode);
    go_to(file, fd);
    return SCAN_OK;
}

scan_status line_file_replace(line_file *file, whole_file *by, errmsg *error)
{
    const int fd = dup(fileno(by->out));
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        whole_file_drop(by);
        return errmsg_set(error, SCAN_ERROR, "replacing %s: %s", file->path, strerror(reason));
    }
    const scan_status status = whole_file_end(by, error);
    if (status == SCAN_OK && is_in_place(fd, file->path))
        go_to(file, fd);
    else /* its bytes were replaced, if anything was */
        close(fd);
    return status;
}

/* ---- writing ---- */

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
    const off_t end = (off_t)keep;
    if (file->fd < 0)
        file->fd = open(file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file->fd < 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", file->path,
                          strerror(errno));
    file->begun = true;
    if (!file->regular)
        return SCAN_OK;
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
    struct stat about;
    if (file->made && !file->begun && fstat(file->fd, &about) == 0 && about.st_size == 0 &&
        is_in_place(file->fd, file->path))
        unlink(file->path);
    if (file->fd >= 0 && file->fd != STDOUT_FILENO && close(file->fd) != 0)
        status = errmsg_set(error, SCAN_ERROR, "closing %s: %s", file->path, strerror(errno));
    free(file->path);
    free(file->real);
    free(file->copy);
    *file = (line_file){.fd = -1};
    return status;
}
