#include "output/earlier_rows.h"

#include "output/file_kind.h"
#include "output/kept_name.h"
#include "output/metadata.h"
#include "system/file_identity.h"
#include "system/whole_file.h"
#include "text/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What was kept, as words for people. */
typedef struct kept_list {
    char *text;
    size_t bytes;
    FILE *out;
    size_t count;
} kept_list;

/* Does the file have rows, and when were they measured? */
static bool has_rows(int fd, char stamp[KEPT_NAME_STAMP_BYTES])
{
    char text[FILE_KIND_BYTES];
    const ssize_t got = fd > 0 ? pread(fd, text, sizeof text, 0) : 0;
    if (got <= 0 || !file_kind_has_rows(file_kind_of(text, (size_t)got), text, (size_t)got))
        return false;
    kept_name_stamp(text, (size_t)got, stamp);
    return true;
}

/* Creates the file anew, with the same permissions, and moves the lock there. */
static scan_status begin_anew(const char *path, const char *real, mode_t mode, int *lock,
                              errmsg *error)
{
    const int fd = open(real, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    fchmod(fd, mode);
    flock(fd, LOCK_EX | LOCK_NB);
    close(*lock);
    *lock = fd;
    return SCAN_OK;
}

static scan_status refuse(const char *path, int reason, errmsg *error)
{
    return errmsg_set(error, SCAN_ERROR,
                      "%s has rows of an earlier run, which cannot be kept under another name: %s; "
                      "choose another file, or discard them with --overwrite",
                      path, strerror(reason));
}

/* Keeps one file, whose lock is held. */
static scan_status keep(const char *path, bool described, int *lock, kept_list *list, errmsg *error)
{
    char stamp[KEPT_NAME_STAMP_BYTES], real[PATH_MAX], name[PATH_MAX];
    struct stat about;
    if (!has_rows(*lock, stamp))
        return SCAN_OK;
    if (!file_identity_resolve(path, real) || fstat(*lock, &about) != 0)
        return refuse(path, errno, error);
    const mode_t mode = about.st_mode & 0777;
    const int fd = kept_name_create(real, stamp, mode, name);
    if (fd < 0)
        return refuse(path, errno, error);
    fchmod(fd, mode);
    close(fd);
    scan_status status = described ? metadata_copy(path, name, error) : SCAN_OK;
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
    utf8_put(list->out, kept_name_shown(name));
    status = begin_anew(path, real, mode, lock, error);
    whole_file_sync_folder(real);
    return status;
}

/* Does the file of --json have a row of a run that the CSV does not have? */
static bool has_others(int fd, const resume *before)
{
    static const char member[] = "\"run_id\":\"";
    char *line = NULL;
    size_t capacity = 0;
    bool others = false;
    char last[64] = "";
    FILE *in = fd > 0 ? fdopen(dup(fd), "r") : NULL;
    if (in)
        rewind(in);
    while (in && !others && getline(&line, &capacity, in) > 0) {
        const char *id = strstr(line, member);
        const size_t bytes = id ? strcspn(id + strlen(member), "\"") : 0;
        if (id && strlen(last) == bytes && memcmp(last, id + strlen(member), bytes) == 0)
            continue;
        others = !id || !resume_has_run(before, id + strlen(member), bytes);
        if (id)
            snprintf(last, sizeof last, "%.*s", (int)bytes, id + strlen(member));
    }
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

scan_status earlier_rows_keep(const output_options *o, const resume *before, bool may_resume,
                              output_files *files, errmsg *error)
{
    kept_list list = {.count = 0};
    if (o->overwrite)
        return SCAN_OK;
    list.out = open_memstream(&list.text, &list.bytes);
    if (!list.out)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_status status = SCAN_OK;
    if (!before)
        status = keep(o->csv, metadata_has_place(o->csv), &files->csv, &list, error);
    if (!before && status == SCAN_OK)
        status = keep(o->samples, metadata_has_place(o->samples), &files->samples, &list, error);
    if (status == SCAN_OK && (!before || has_others(files->json, before)))
        status = keep(o->json, false, &files->json, &list, error);
    fclose(list.out);
    report(&list, may_resume, before != NULL);
    free(list.text);
    return status;
}
