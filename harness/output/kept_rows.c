#include "output/kept_rows.h"

#include "output/file_kind.h"
#include "output/line_file.h"
#include "output/metadata.h"
#include "system/file_identity.h"
#include "system/whole_file.h"
#include "text/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Does the text begin like "20261123T101500Z", with any digits? */
static bool is_stamp(const char *text)
{
    static const char form[] = "00000000T000000Z";
    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return true;
}

void kept_name_stamp(const char *text, size_t bytes, char stamp[KEPT_NAME_STAMP_BYTES])
{
    enum { LENGTH = 16 };
    for (size_t i = 0; i + LENGTH <= bytes; i++)
        if (is_stamp(text + i)) {
            memcpy(stamp, text + i, LENGTH);
            stamp[LENGTH] = '\0';
            return;
        }
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(stamp, KEPT_NAME_STAMP_BYTES, "%Y%m%dT%H%M%SZ", &utc);
}

/* Creates an empty file under a name that no other file and no metadata have. Returns its
 * descriptor and sets its name; or -1, with errno. */
static int create_kept(const char *path, const char *stamp, mode_t mode, char name[PATH_MAX])
{
    enum { TRIES = 10000 };
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const char *ending = dot && dot > file ? dot : file + strlen(file);
    for (int i = 1; i <= TRIES; i++) {
        char number[16] = "", described[PATH_MAX];
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(described, PATH_MAX, "%.*s.%s%s%s-metadata.json", (int)(ending - path), path,
                     stamp, number, ending) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        snprintf(name, PATH_MAX, "%.*s.%s%s%s", (int)(ending - path), path, stamp, number, ending);
        if (faccessat(AT_FDCWD, described, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            continue;
        const int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    errno = EEXIST;
    return -1;
}

/* The name as seen from the current folder, if it lies there. */
static const char *shown(const char *name)
{
    char here[PATH_MAX];
    const size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    const bool within = length > 1 && strncmp(name, here, length) == 0 && name[length] == '/';
    return within ? name + length + 1 : name;
}

/* What was kept, as words for people. */
typedef struct kept_list {
    char *text;
    size_t bytes;
    FILE *out;
    size_t count;
} kept_list;

/* Does the file have rows, and when were they measured? */
static bool has_rows(const line_file *file, char stamp[KEPT_NAME_STAMP_BYTES])
{
    char text[FILE_KIND_BYTES];
    const ssize_t got = file->regular ? pread(file->fd, text, sizeof text, 0) : 0;
    if (got <= 0 || !file_kind_has_rows(file_kind_of(text, (size_t)got), text, (size_t)got))
        return false;
    kept_name_stamp(text, (size_t)got, stamp);
    return true;
}

static scan_status refuse(const char *path, int reason, errmsg *error)
{
    return errmsg_set(error, SCAN_ERROR,
                      "%s has rows of an earlier run, which cannot be kept under another name: %s; "
                      "choose another file, or discard them with --overwrite",
                      path, strerror(reason));
}

/* Keeps one file. */
static scan_status keep(line_file *file, bool described, kept_list *list, errmsg *error)
{
    char stamp[KEPT_NAME_STAMP_BYTES], name[PATH_MAX];
    const char *path = file->path, *real = file->real;
    struct stat about;
    if (!has_rows(file, stamp))
        return SCAN_OK;
    if (fstat(file->fd, &about) != 0)
        return refuse(path, errno, error);
    const mode_t mode = about.st_mode & 0777;
    const int fd = create_kept(real, stamp, mode, name);
    if (fd < 0)
        return refuse(path, errno, error);
    fchmod(fd, mode);
    close(fd);
    scan_status status =
        described && metadata_has_place(path) ? metadata_copy(path, name, error) : SCAN_OK;
    if (status == SCAN_OK && rename(real, name) != 0)
        status = refuse(path, errno, error);
    if (status != SCAN_OK) {
        char described_in[PATH_MAX + sizeof METADATA_ENDING];
        snprintf(described_in, sizeof described_in, "%s" METADATA_ENDING, name);
        unlink(described_in);
        unlink(name);
        return status;
    }
    fputs(list->count++ ? ", " : "", list->out);
    utf8_put(list->out, path);
    fputs(" as ", list->out);
    utf8_put(list->out, shown(name));
    status = line_file_anew(file, mode, error);
    whole_file_sync_folder(real);
    return status;
}

/* Does the file of --json have a row of a run that the CSV does not have? */
static bool has_others(const line_file *file, const resume *before)
{
    char *line = NULL;
    size_t capacity = 0;
    bool others = false;
    FILE *in = file->regular ? fdopen(dup(file->fd), "r") : NULL;
    if (in)
        rewind(in);
    for (ssize_t got; in && !others && (got = getline(&line, &capacity, in)) > 0;)
        others = !resume_has_run(before, json_member(json_whole(line, (size_t)got), "run_id"));
    free(line);
    if (in)
        fclose(in);
    return others;
}

static void report(const kept_list *list, bool may_resume, bool resumes)
{
    if (list->count > 0)
        fprintf(stderr, "scanbench: rows of an earlier run are kept: %s%s\n", list->text,
                resumes      ? ""
                : may_resume ? " (--resume would go on with them, --overwrite discard them)"
                             : " (--overwrite would discard them)");
}

scan_status earlier_rows_keep(result_csv *csv, const resume *before, bool may_resume, errmsg *error)
{
    kept_list list = {.count = 0};
    list.out = open_memstream(&list.text, &list.bytes);
    if (!list.out)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_status status = SCAN_OK;
    if (!before)
        status = keep(&csv->rows.lines, true, &list, error);
    if (!before && status == SCAN_OK)
        status = keep(&csv->samples.lines, true, &list, error);
    if (status == SCAN_OK && (!before || has_others(&csv->json, before)))
        status = keep(&csv->json, false, &list, error);
    fclose(list.out);
    report(&list, may_resume, before != NULL);
    free(list.text);
    return status;
}

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
        const int fd = create_kept(path, stamp, mode, name);
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
        shown(file->path));
    return true;
}

void rescue_look(rescue *r, result_csv *csv, metadata *m)
{
    errmsg error;
    if (look(r, &csv->rows.lines)) {
        snprintf(r->csv, sizeof r->csv, "%s", csv->rows.lines.path);
        if (r->resumes)
            add(r, ", and --resume goes on with them there", "");
        if (metadata_move(m, r->csv, &error) != SCAN_OK)
            add(r, "; ", error.text);
    }
    if (look(r, &csv->samples.lines) &&
        metadata_write_samples(csv->samples.lines.path, &error) != SCAN_OK)
        add(r, "; ", error.text);
    look(r, &csv->json);
}

scan_status rescue_report(rescue *r, errmsg *error)
{
    if (!r->happened || r->reported)
        return SCAN_OK;
    r->reported = true;
    return errmsg_set(error, SCAN_ERROR, "%s", r->what.text);
}
