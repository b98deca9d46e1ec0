#include "output/output_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file as it will be known once it is there. */
typedef struct identity {
    const char *what; /* the option, for messages */
    const char *path;
    bool there, shared; /* shared: a device, which may be written twice */
    struct stat about;
    char real[PATH_MAX]; /* where it is not there yet */
} identity;

/* The path of a file that is not there, without symbolic links. */
static void resolve(const char *path, char real[PATH_MAX])
{
    char name[PATH_MAX], target[PATH_MAX], folder[PATH_MAX];
    snprintf(name, sizeof name, "%s", path);
    for (int links = 0; links < 40; links++) {
        const ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0)
            break;
        target[length] = '\0';
        char *slash = strrchr(name, '/');
        const size_t keep = *target == '/' || !slash ? 0 : (size_t)(slash - name) + 1;
        snprintf(name + keep, sizeof name - keep, "%s", target);
    }
    char *slash = strrchr(name, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) + 1 : 2,
             slash ? name : "./");
    if (!realpath(folder, target))
        snprintf(target, sizeof target, "%s", folder);
    if (snprintf(real, PATH_MAX, "%s/%s", target, slash ? slash + 1 : name) >= PATH_MAX)
        *real = '\0';
}

static identity identify(const char *what, const char *path)
{
    identity f = {.what = what, .path = path};
    f.there = stat(path, &f.about) == 0;
    f.shared = f.there && (S_ISCHR(f.about.st_mode) || S_ISDIR(f.about.st_mode));
    if (!f.there)
        resolve(path, f.real);
    return f;
}

static bool is_same(const identity *a, const identity *b)
{
    if (a->shared || b->shared || a->there != b->there)
        return false;
    if (!a->there)
        return strcmp(a->real, b->real) == 0;
    return a->about.st_dev == b->about.st_dev && a->about.st_ino == b->about.st_ino;
}

static bool is_file(const char *path)
{
    return path && strcmp(path, "-") != 0;
}

enum { METADATA = 4, FILES = 9 };

/* The file, and the two of its metadata, whose paths are put into metadata[0 and 1]. Returns the
 * number. */
static size_t add_with_metadata(const char *option, const char *path, char (*metadata)[PATH_MAX],
                                identity *files, size_t count)
{
    files[count++] = identify(option, path);
    snprintf(metadata[0], PATH_MAX, "%s-metadata.json", path);
    snprintf(metadata[1], PATH_MAX, "%s-metadata.json.new", path);
    for (int i = 0; i < 2; i++)
        files[count++] = identify("the metadata", metadata[i]);
    return count;
}

/* Too large for a small stack. */
typedef struct output_names {
    char metadata[METADATA][PATH_MAX];
    identity files[FILES];
    size_t count;
} output_names;

/* Those that the options name; freed by the caller. NULL: out of memory. */
static output_names *names_of(const output_options *o)
{
    output_names *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    if (is_file(o->csv))
        n->count = add_with_metadata("--csv", o->csv, &n->metadata[0], n->files, n->count);
    if (is_file(o->samples))
        n->count = add_with_metadata("--samples", o->samples, &n->metadata[2], n->files, n->count);
    if (is_file(o->json))
        n->files[n->count++] = identify("--json", o->json);
    if (is_file(o->page))
        n->files[n->count++] = identify("--page", o->page);
    return n;
}

/* Do at most one of the options write stdout? Without --csv and --json it is that of the CSV. */
static scan_status check_stdout(const output_options *o, errmsg *error)
{
    const char *const none = o->json ? "file" : "-";
    const struct {
        const char *name, *path;
    } all[] = {{"--csv", o->csv ? o->csv : none},
               {"--json", o->json ? o->json : "file"},
               {"--samples", o->samples ? o->samples : "file"}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (is_file(all[i].path))
            continue;
        if (first)
            return errmsg_set(error, SCAN_INVALID, "%s and %s would both write stdout", first,
                              all[i].name);
        first = all[i].name;
    }
    return SCAN_OK;
}

/* Are no two of them one file? */
static scan_status check_apart(const identity *files, size_t count, errmsg *error)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (is_same(&files[i], &files[k]))
                return errmsg_set(error, SCAN_INVALID, "%s and %s would both write %s",
                                  files[i].what, files[k].what, files[i].path);
    return SCAN_OK;
}

/* Has each option a name? An empty one is most often a variable that is not set. */
static scan_status check_named(const output_options *o, errmsg *error)
{
    const struct {
        const char *name, *path;
    } all[] = {
        {"--csv", o->csv}, {"--json", o->json}, {"--samples", o->samples}, {"--page", o->page}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].path && !*all[i].path)
            return errmsg_set(error, SCAN_INVALID,
                              "%s '': this is empty; write a file's name, or leave the option out",
                              all[i].name);
    return SCAN_OK;
}

scan_status output_files_check(const output_options *o, errmsg *error)
{
    if (check_named(o, error) != SCAN_OK)
        return SCAN_INVALID;
    if (check_stdout(o, error) != SCAN_OK)
        return SCAN_INVALID;
    output_names *n = names_of(o);
    if (!n)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    identity *out = &n->files[n->count];
    *out = (identity){.what = "stdout", .path = "stdout"};
    out->there = fstat(STDOUT_FILENO, &out->about) == 0 && S_ISREG(out->about.st_mode);
    const scan_status status = check_apart(n->files, n->count + out->there, error);
    free(n);
    return status;
}

/* Is it a program or a library? A plugin that no list has named is not known by more. */
static bool is_program(const char *path)
{
    char magic[4] = "";
    FILE *file = fopen(path, "re");
    const bool read = file && fread(magic, sizeof magic, 1, file) == 1;
    if (file)
        fclose(file);
    return read && memcmp(magic, "\177ELF", sizeof magic) == 0;
}

/* Is the file, which is there, none of the plugins and no program? */
static scan_status spare(const identity *file, const registry *plugins, errmsg *error)
{
    for (size_t i = 0; i < plugins->count; i++) {
        const plugin_info *plugin = &plugins->plugins[i];
        struct stat about;
        if (stat(plugin->file, &about) == 0 && !file->shared &&
            about.st_dev == file->about.st_dev && about.st_ino == file->about.st_ino)
            return errmsg_set(error, SCAN_INVALID, "%s %s would overwrite the plugin %s",
                              file->what, file->path, plugin->id);
    }
    if (S_ISREG(file->about.st_mode) && is_program(file->path))
        return errmsg_set(error, SCAN_INVALID, "%s %s: this would overwrite a program or a plugin",
                          file->what, file->path);
    return SCAN_OK;
}

scan_status output_files_spare(const output_options *o, const registry *plugins, errmsg *error)
{
    output_names *n = names_of(o);
    scan_status status = n ? SCAN_OK : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = 0; n && i < n->count && status == SCAN_OK; i++)
        if (n->files[i].there)
            status = spare(&n->files[i], plugins, error);
    free(n);
    return status;
}

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
        found =
            stat(path, &about) == 0 && about.st_dev == file->st_dev && about.st_ino == file->st_ino;
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

static scan_status open_locked(const char *path, int *fd_p, errmsg *error)
{
    struct stat about;
    *fd_p = -1;
    if (!is_file(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode)))
        return SCAN_OK;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, (mode_t)0666);
    if (fd < 0)
        return errmsg_set(error, SCAN_ERROR, "opening %s to write: %s", path, strerror(errno));
    const scan_status status = lock(fd, path, error);
    if (status == SCAN_OK)
        *fd_p = fd;
    else
        close(fd);
    return status;
}

static scan_status check_regular(const char *path, errmsg *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode))
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID, "--resume: %s is %s, which keeps no rows to go on with",
                      path,
                      S_ISFIFO(about.st_mode)  ? "a FIFO"
                      : S_ISDIR(about.st_mode) ? "a folder"
                                               : "a device");
}

scan_status output_files_lock(const output_options *o, output_files *files_p, errmsg *error)
{
    output_files files = {-1, -1, -1};
    scan_status status = o->resume ? check_regular(o->csv, error) : SCAN_OK;
    if (status == SCAN_OK)
        status = open_locked(o->csv, &files.csv, error);
    if (status == SCAN_OK)
        status = open_locked(o->samples, &files.samples, error);
    if (status == SCAN_OK)
        status = open_locked(o->json, &files.json, error);
    if (status == SCAN_OK)
        *files_p = files;
    else
        output_files_release(&files);
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
    *files = (output_files){-1, -1, -1};
}

/* The path of the file itself and of the one that replaces it. */
static bool new_path(const char *path, char real[PATH_MAX], char new[PATH_MAX + 8])
{
    if (!realpath(path, real))
        return false;
    snprintf(new, PATH_MAX + 8, "%s.new", real);
    return true;
}

scan_status output_files_begin_new(const char *path, int *fd_p, errmsg *error)
{
    char real[PATH_MAX], new[PATH_MAX + 8];
    struct stat about;
    if (!new_path(path, real, new) || stat(real, &about) != 0)
        return errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    *fd_p = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, about.st_mode & 0777);
    if (*fd_p < 0)
        return errmsg_set(error, SCAN_ERROR, "%s cannot be written: %s", new, strerror(errno));
    return SCAN_OK;
}

scan_status output_files_replace(const char *path, int fd, int *lock_p, errmsg *error)
{
    char real[PATH_MAX], written[PATH_MAX + 8];
    struct stat about;
    if (!new_path(path, real, written) || stat(real, &about) != 0 ||
        fchmod(fd, about.st_mode & 07777) != 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 ||
        rename(written, real) != 0) {
        const int reason = errno;
        close(fd);
        return errmsg_set(error, SCAN_ERROR, "replacing %s: %s", path, strerror(reason));
    }
    if (*lock_p > 0)
        close(*lock_p);
    *lock_p = fd;
    return SCAN_OK;
}
