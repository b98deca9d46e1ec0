#include "system/whole_file.h"

#include "system/file_identity.h"
#include "system/unpredictable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void whole_file_sync_folder(const char *path)
{
    char *copy = strdup(path);
    const int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    if (fd < 0)
        return;
    fsync(fd); /* may fail: not every file system can sync a folder */
    close(fd);
}

/* Creates a new file beside `real`, whose name is put into *new_p. -1 on failure, with errno. */
static int create_beside(const char *real, mode_t mode, char **new_p)
{
    const int folder = (int)(strrchr(real, '/') - real);
    if (asprintf(new_p, "%.*s/.scanbench-%016" PRIx64 ".new", folder, real, unpredictable()) < 0) {
        *new_p = NULL;
        errno = ENOMEM;
        return -1;
    }
    const int fd = open(*new_p, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0) {
        free(*new_p);
        *new_p = NULL;
    }
    return fd;
}

/* Opens the file that will replace file->real, which is `old`, or NULL where nothing is there. */
static FILE *open_new(whole_file *file, const struct stat *old, const struct stat *like)
{
    const struct stat *model = like && S_ISREG(like->st_mode) ? like : old;
    const mode_t mode = model ? model->st_mode & 0777 : 0666;
    char *new = NULL;
    const int fd = create_beside(file->real, mode, &new);
    file->new = new;
    if (fd < 0)
        return old && (errno == EACCES || errno == EPERM || errno == EROFS) ? tmpfile() : NULL;
    if (old && (old->st_uid != geteuid() || old->st_gid != getegid()) &&
        fchown(fd, old->st_uid, old->st_gid) != 0)
        errno = 0; /* then we own it */
    if (model)
        fchmod(fd, mode);
    FILE *out = fdopen(fd, "w+");
    if (!out)
        close(fd);
    return out;
}

/* The path that writing to `path` changes, for free. NULL and errno: there is none. */
static char *real_path(const char *path)
{
    char real[PATH_MAX];
    if (file_identity_resolve(path, real))
        return strdup(real);
    errno = ENAMETOOLONG;
    return NULL;
}

scan_status whole_file_begin(const char *path, const char *like, whole_file *file_p, errmsg *error)
{
    struct stat old, other;
    const bool to_stdout = strcmp(path, "-") == 0;
    const bool there = stat(path, &old) == 0;
    const bool alike = like && stat(like, &other) == 0;
    whole_file file = {.name = to_stdout ? "stdout" : path};
    if (to_stdout)
        file.out = stdout;
    else if (there && (!S_ISREG(old.st_mode) || file_identity_is_descriptor(path)))
        file.out = fopen(path, "we");
    else if ((!there || access(path, W_OK) == 0) && (file.real = real_path(path)))
        file.out = open_new(&file, there ? &old : NULL, alike ? &other : NULL);
    if (!file.out) {
        const int reason = errno;
        whole_file_drop(&file);
        return errmsg_set(error, SCAN_ERROR, "%s: cannot be %s: %s", path,
                          there ? "written" : "created", strerror(reason));
    }
    *file_p = file;
    return SCAN_OK;
}

/* Copies all of one file over another. false on failure, with errno. */
static bool copy_over(int from, int to)
{
    char bytes[4096];
    off_t at = 0;
    if (ftruncate(to, 0) != 0)
        return false;
    for (ssize_t got; (got = pread(from, bytes, sizeof bytes, at)) != 0;) {
        if (got < 0 || pwrite(to, bytes, (size_t)got, at) != got)
            return false;
        at += got;
    }
    return fsync(to) == 0;
}

/* Where the folder cannot be written, or the file is a mount of its own: its bytes are replaced,
 * and put back if that fails. */
static bool replace_bytes(whole_file *file)
{
    FILE *before = tmpfile();
    const int to = open(file->real, O_RDWR | O_CLOEXEC);
    bool good = before && to >= 0 && copy_over(to, fileno(before));
    if (good) {
        good = copy_over(fileno(file->out), to);
        const int reason = errno;
        if (!good)
            copy_over(fileno(before), to);
        errno = reason;
    }
    const int reason = errno;
    if (to >= 0)
        close(to);
    if (before)
        fclose(before);
    errno = reason;
    return good;
}

/* Replaces the file by the new one, which is all on the disk by then. */
static bool put_in_place(whole_file *file)
{
    if (!file->new)
        return replace_bytes(file);
    if (fsync(fileno(file->out)) != 0 && errno != EINVAL)
        return false;
    if (rename(file->new, file->real) != 0)
        return errno == EBUSY && replace_bytes(file);
    free(file->new);
    file->new = NULL;
    whole_file_sync_folder(file->real);
    return true;
}

scan_status whole_file_end(whole_file *file, errmsg *error)
{
    const char *name = file->name;
    bool good = fflush(file->out) == 0 && !ferror(file->out);
    if (good && file->real)
        good = put_in_place(file);
    int reason = errno;
    if (file->out != stdout && fclose(file->out) != 0 && good && !file->real) {
        good = false;
        reason = errno;
    }
    file->out = NULL;
    whole_file_drop(file);
    return good ? SCAN_OK
                : errmsg_set(error, SCAN_ERROR, "%s: cannot be written: %s", name,
                             reason ? strerror(reason) : "writing failed");
}

void whole_file_drop(whole_file *file)
{
    if (file->out && file->out != stdout)
        fclose(file->out);
    if (file->new)
        unlink(file->new);
    free(file->new);
    free(file->real);
    *file = (whole_file){.out = NULL};
}

scan_status whole_file_check(const char *path, errmsg *error)
{
    struct stat about;
    whole_file file = {.out = NULL};
    if (strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode)))
        return SCAN_OK; /* opening a FIFO would wait for its reader */
    const scan_status status = whole_file_begin(path, NULL, &file, error);
    if (status == SCAN_OK)
        whole_file_drop(&file);
    return status;
}

/* ---- reading ---- */

scan_status input_file_read(const char *path, size_t most, char **text_p, errmsg *error)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? SCAN_UNAVAILABLE
                               : errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    scan_status status = SCAN_OK;
    if (fstat(fd, &about) != 0)
        status = errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = errmsg_set(error, SCAN_ERROR, "%s is %s", path, file_identity_word(&about));
    else if ((uintmax_t)about.st_size > most)
        status = errmsg_set(error, SCAN_ERROR, "%s is longer than %zu bytes", path, most);
    char *text = status == SCAN_OK ? malloc((size_t)about.st_size + 1) : NULL;
    const ssize_t got = text ? read(fd, text, (size_t)about.st_size) : -1;
    if (status == SCAN_OK && got < 0)
        status = errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    close(fd);
    if (!text || got < 0) {
        free(text);
        return status;
    }
    text[got] = '\0';
    *text_p = text;
    return SCAN_OK;
}
