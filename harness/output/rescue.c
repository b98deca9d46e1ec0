#include "output/rescue.h"

#include "output/kept_name.h"
#include "output/line_file.h"
#include "system/file_identity.h"
#include "system/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Are the bytes in the file those of the copy? */
static bool is_as_written(const line_file *file)
{
    char bytes[4096];
    size_t at = 0;
    for (ssize_t got; at < file->copied; at += (size_t)got) {
        const size_t left = file->copied - at;
        got = pread(file->fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)at);
        if (got <= 0 || memcmp(bytes, file->copy + at, (size_t)got) != 0)
            return false;
    }
    return true;
}

/* What has happened to the file that the run did not do, as "was removed"; NULL: nothing. */
static const char *disturbance(line_file *file)
{
    struct stat own, named;
    if (!file->regular || fstat(file->fd, &own) != 0)
        return NULL;
    const bool there = stat(file->path, &named) == 0;
    const bool gone = !there && (errno == ENOENT || errno == ENOTDIR);
    if (file->linked && own.st_nlink == 0)
        return there ? "was replaced by another file" : "was removed";
    if (gone && file->linked)
        return "was moved away";
    if (there && !file_identity_is_one(&own, &named))
        return "was replaced by another file";
    if ((size_t)own.st_size < file->written)
        return "was cut off";
    if ((size_t)own.st_size > file->written)
        return "was written by another process";
    if (own.st_mtim.tv_sec == file->changed.tv_sec && own.st_mtim.tv_nsec == file->changed.tv_nsec)
        return NULL;
    file->changed = own.st_mtim;
    return is_as_written(file) ? NULL : "was edited";
}

/* Writes what the copy lacks, as far as the file still has it. How many bytes, up to the end of a
 * line; -1 on failure. */
static off_t copy_rest(const line_file *file, int to)
{
    char bytes[4096];
    size_t at = file->copied, whole = at;
    for (ssize_t got; at < file->written; at += (size_t)got) {
        const size_t left = file->written - at;
        got = pread(file->fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)at);
        if (got <= 0)
            break;
        if (line_file_put(to, bytes, (size_t)got) != 0)
            return -1;
        const char *end = memrchr(bytes, '\n', (size_t)got);
        whole = end ? at + (size_t)(end + 1 - bytes) : whole;
    }
    return (off_t)whole;
}

/* Writes all lines into the new file. Returns how many bytes they are; -1 on failure. */
static off_t write_lines(const line_file *file, int to)
{
    if (line_file_put(to, file->copy, file->copied) != 0)
        return -1;
    const off_t whole = copy_rest(file, to);
    return whole >= 0 && ftruncate(to, whole) == 0 && lseek(to, whole, SEEK_SET) == whole &&
                   (fdatasync(to) == 0 || errno == EINVAL)
               ? whole
               : -1;
}

/* Goes on in the new file. */
static bool go_on(line_file *file, int fd, off_t bytes, const char *name)
{
    char *path = strdup(name), *real = realpath(name, NULL);
    if (!path || !real) {
        free(path);
        free(real);
        return false;
    }
    close(file->fd);
    free(file->path);
    free(file->real);
    file->fd = fd;
    file->path = path;
    file->real = real;
    file->written = (size_t)bytes;
    file->copied = file->copied < file->written ? file->copied : file->written;
    struct stat about;
    if (fstat(fd, &about) == 0)
        file->changed = about.st_mtim;
    whole_file_sync_folder(real);
    return true;
}

/* The file's name in a folder; NULL: where it was. */
static bool place(const line_file *file, const char *folder, char path[PATH_MAX])
{
    const char *slash = strrchr(file->real, '/');
    const int bytes = folder ? snprintf(path, PATH_MAX, "%s/%s", folder, slash + 1)
                             : snprintf(path, PATH_MAX, "%s", file->real);
    return bytes < PATH_MAX;
}

/* Writes all lines so far into a new file beside the disturbed one, and goes on there: file->path
 * is the new file. */
static scan_status move_lines(line_file *file, errmsg *error)
{
    /* The folder may be gone, or full. */
    const char *const folders[] = {NULL, ".", getenv("TMPDIR"), "/tmp"};
    char stamp[KEPT_NAME_STAMP_BYTES], path[PATH_MAX], name[PATH_MAX];
    struct stat about;
    const mode_t mode = fstat(file->fd, &about) == 0 ? about.st_mode & 0777 : 0600;
    int reason = ENOENT;
    kept_name_stamp(file->copy ? file->copy : "", file->copied, stamp);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if ((i > 0 && !folders[i]) || !place(file, folders[i], path))
            continue;
        const int fd = kept_name_create(path, stamp, mode, name);
        const off_t bytes = fd >= 0 ? write_lines(file, fd) : -1;
        if (bytes >= 0 && go_on(file, fd, bytes, name))
            return SCAN_OK;
        reason = errno;
        if (fd >= 0) {
            close(fd);
            unlink(name);
        }
    }
    return errmsg_set(error, SCAN_ERROR, "its rows cannot be saved in another file: %s",
                      strerror(reason));
}

/* Adds to the message. */
static void add(rescue *r, const char *text, const char *more)
{
    const errmsg so_far = r->what;
    errmsg_set(&r->what, SCAN_ERROR, "%s%s%s", so_far.text, text, more);
}

/* true if its lines are in a new file now. */
static bool look(rescue *r, line_file *file)
{
    errmsg error;
    const size_t bytes = file->written;
    const char *disturbed = disturbance(file);
    if (!disturbed)
        return false;
    add(r, r->happened ? "; " : "", file->path);
    add(r, " ", disturbed);
    add(r, " while a run wrote it: ", "");
    r->happened = true;
    if (move_lines(file, &error) != SCAN_OK) {
        add(r, error.text, "");
        file->regular = false; /* reported once */
        return false;
    }
    add(r, file->written == bytes ? "all rows so far are in " : "what was left of it is in ",
        kept_name_shown(file->path));
    return true;
}

void rescue_look(rescue *r, result_csv *csv, metadata *m)
{
    errmsg error;
    if (look(r, csv_file(csv->rows))) {
        snprintf(r->csv, sizeof r->csv, "%s", csv_file(csv->rows)->path);
        if (r->resumes)
            add(r, ", and --resume goes on with them there", "");
        if (metadata_move(m, r->csv, &error) != SCAN_OK)
            add(r, "; ", error.text);
    }
    if (csv->samples && look(r, csv_file(csv->samples)) &&
        metadata_write_samples(csv_file(csv->samples)->path, &error) != SCAN_OK)
        add(r, "; ", error.text);
    if (csv->json)
        look(r, json_rows_file(csv->json));
}

scan_status rescue_report(rescue *r, errmsg *error)
{
    if (!r->happened || r->reported)
        return SCAN_OK;
    r->reported = true;
    return errmsg_set(error, SCAN_ERROR, "%s", r->what.text);
}
