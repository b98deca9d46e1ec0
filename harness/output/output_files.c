#include "output/output_files.h"

#include "output/metadata.h"
#include "system/file_identity.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
        return errmsg_set(error, SCAN_INVALID, "opening %s to write: it is %s", path,
                          file_identity_word(about));
    if (access(path, W_OK) != 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", path, strerror(errno));
    return SCAN_OK;
}

static scan_status open_locked(const char *path, int *fd_p, bool *made_p, errmsg *error)
{
    struct stat about;
    if (!path || strcmp(path, "-") == 0)
        return SCAN_OK;
    const bool there = stat(path, &about) == 0;
    if (there && !S_ISREG(about.st_mode))
        return check_special(path, &about, error);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, (mode_t)0666);
    if (fd < 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", path, strerror(errno));
    scan_status status = lock(fd, path, error);
    if (status == SCAN_OK && !is_in_place(fd, path))
        status = errmsg_set(error, SCAN_ERROR,
                            "%s was replaced by another process just now; try again", path);
    if (status == SCAN_OK) {
        *fd_p = fd;
        *made_p = !there;
    } else {
        close(fd);
    }
    return status;
}

/* Can metadata be written beside it? */
static scan_status check_metadata(const char *path, errmsg *error)
{
    char name[PATH_MAX];
    if (!metadata_has_place(path))
        return SCAN_OK;
    if (snprintf(name, sizeof name, "%s" METADATA_ENDING, path) >= PATH_MAX)
        return errmsg_set(error, SCAN_INVALID, "%s: %s", path, strerror(ENAMETOOLONG));
    return whole_file_check(name, error);
}

static scan_status check_regular(const char *path, errmsg *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode))
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID, "--resume: %s is %s, which keeps no rows to go on with",
                      path, file_identity_word(&about));
}

scan_status output_files_lock(const output_options *o, output_files *files_p, errmsg *error)
{
    output_files files = {-1, -1, -1, false, false, false};
    scan_status status = o->resume ? check_regular(o->csv, error) : SCAN_OK;
    if (status == SCAN_OK)
        status = open_locked(o->csv, &files.csv, &files.made_csv, error);
    if (status == SCAN_OK)
        status = open_locked(o->samples, &files.samples, &files.made_samples, error);
    if (status == SCAN_OK)
        status = open_locked(o->json, &files.json, &files.made_json, error);
    if (status == SCAN_OK)
        status = check_metadata(o->csv, error);
    if (status == SCAN_OK)
        status = check_metadata(o->samples, error);
    if (status == SCAN_OK)
        *files_p = files;
    else
        output_files_abandon(o, &files);
    return status;
}

void output_files_release(output_files *files)
{
    if (files->csv > 0)
        close(files->csv);
    if (files->samples > 0)
        close(files->samples);
    if (files->json > 0)
        close(files->json);
    *files = (output_files){-1, -1, -1, false, false, false};
}

/* Removes a file that was created for nothing. */
static void take_away(const char *path, int fd, bool made)
{
    struct stat about;
    if (made && fstat(fd, &about) == 0 && about.st_size == 0 && is_in_place(fd, path))
        unlink(path);
}

void output_files_abandon(const output_options *o, output_files *files)
{
    take_away(o->csv, files->csv, files->made_csv);
    take_away(o->samples, files->samples, files->made_samples);
    take_away(o->json, files->json, files->made_json);
    output_files_release(files);
}

scan_status output_files_replace(whole_file *by, int *lock, errmsg *error)
{
    const int fd = dup(fileno(by->out));
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        whole_file_drop(by);
        return errmsg_set(error, SCAN_ERROR, "replacing %s: %s", by->name, strerror(reason));
    }
    const char *path = by->name;
    const scan_status status = whole_file_end(by, error);
    if (status != SCAN_OK || *lock <= 0 || !is_in_place(fd, path)) { /* its bytes were replaced */
        close(fd);
        return status;
    }
    close(*lock);
    *lock = fd;
    return SCAN_OK;
}
