#include "commands/command_files.h"

#include "output/file_kind.h"
#include "output/metadata.h"
#include "system/file_identity.h"
#include "text/plugin_list.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of the command. */
typedef struct named_file {
    const char *what; /* the option, or what it is to the command */
    char path[PATH_MAX];
    file_identity identity;
    bool written;
    file_kind kind; /* what is written there */
    bool continued; /* --resume reads its rows first */
} named_file;

typedef struct file_list {
    named_file *files;
    size_t count;
    scan_status status;
    errmsg *error;
} file_list;

/* Inputs, with their metadata, outputs, with theirs, and the standard files. */
enum { FILES_MOST = 2 * OPTIONS_ARGUMENTS + 16 };

/* Adds a file; NULL: the option was not given. */
static named_file *add(file_list *l, const char *what, const char *path)
{
    errmsg why;
    if (!path || l->status != SCAN_OK)
        return NULL;
    named_file *f = &l->files[l->count];
    *f = (named_file){.what = what};
    if (snprintf(f->path, sizeof f->path, "%s", path) >= PATH_MAX)
        errmsg_set(&why, SCAN_INVALID, "the name is too long");
    else if (file_identity_of(path, &f->identity, &why) == SCAN_OK) {
        l->count++;
        return f;
    }
    l->status = errmsg_set(l->error, SCAN_INVALID, "%s %s", what, why.text);
    return NULL;
}

/* Adds a file that is read. If it cannot be examined, its reader reports that. */
static void add_input(file_list *l, const char *what, const char *path)
{
    file_identity identity;
    errmsg ignored;
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    if (strlen(name) < PATH_MAX && file_identity_of(name, &identity, &ignored) == SCAN_OK)
        add(l, what, name);
}

static void add_output(file_list *l, const char *what, const char *path, file_kind kind,
                       bool continued)
{
    if (path && !*path && l->status == SCAN_OK)
        l->status =
            errmsg_set(l->error, SCAN_INVALID,
                       "%s '': this is empty; write a file's name, or leave the option out", what);
    named_file *f = path && strcmp(path, "-") != 0 ? add(l, what, path) : NULL;
    if (f) {
        f->written = true;
        f->kind = kind;
        f->continued = continued;
    }
}

/* The path of the metadata of a CSV; false if there are none. */
static bool metadata_of(const char *csv, char path[PATH_MAX])
{
    return csv && metadata_has_place(csv) &&
           snprintf(path, PATH_MAX, "%s" METADATA_ENDING, csv) < PATH_MAX;
}

/* Does at most one of the options write stdout? */
static scan_status check_stdout(const output_options *o, errmsg *error)
{
    /* Without --csv and --json it is that of the CSV. */
    const char *const none = o->json ? "file" : "-";
    const struct {
        const char *name, *path;
    } all[] = {{"--csv", o->csv ? o->csv : none},
               {"--json", o->json ? o->json : "file"},
               {"--samples", o->samples ? o->samples : "file"}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].path, "-") != 0)
            continue;
        if (first)
            return errmsg_set(error, SCAN_INVALID, "%s and %s would both write stdout", first,
                              all[i].name);
        first = all[i].name;
    }
    return SCAN_OK;
}

static void add_rows(file_list *l, const options *o)
{
    const output_options *to = &o->output;
    char path[PATH_MAX];
    add_output(l, "--csv", to->csv, FILE_KIND_ROWS, to->resume);
    if (metadata_of(to->csv, path))
        add_output(l, "the metadata of --csv,", path, FILE_KIND_METADATA, to->resume);
    add_output(l, "--samples", to->samples, FILE_KIND_SAMPLES, to->resume);
    if (metadata_of(to->samples, path))
        add_output(l, "the metadata of --samples,", path, FILE_KIND_METADATA, false);
    add_output(l, "--json", to->json, FILE_KIND_JSON_ROWS, false);
    add_output(l, "--page", to->page, FILE_KIND_PAGE, false);
    if (l->status == SCAN_OK)
        l->status = check_stdout(to, l->error);
}

/* Adds the plugins that are named as files. */
static void add_plugins(file_list *l, const options *o)
{
    for (size_t i = 0; i < o->argument_count; i++)
        if (strchr(o->arguments[i], '/') ||
            plugin_file_stem(o->arguments[i], strcspn(o->arguments[i], ":")) > 0)
            add_input(l, "a plugin,", o->arguments[i]);
}

static void add_results(file_list *l, const options *o)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < o->argument_count; i++) {
        add_input(l, "results,", o->arguments[i]);
        if (metadata_of(o->arguments[i], path))
            add_input(l, "the metadata of results,", path);
    }
}

/* Adds stdout or stderr if it goes to a file, or to a pipe that gets the rows. */
static void add_stream(file_list *l, const char *what, int fd, bool has_rows)
{
    char path[32];
    struct stat about;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fstat(fd, &about) != 0 ||
        !(S_ISREG(about.st_mode) || (S_ISFIFO(about.st_mode) && has_rows)))
        return;
    named_file *f = add(l, what, path);
    if (!f)
        return;
    f->written = true;
    strcpy(f->path, "(redirected)"); /* for messages */
}

/* Do the rows of a run go to stdout? */
static bool has_rows_on_stdout(const options *o)
{
    const char *csv = o->output.csv, *json = o->output.json;
    if (o->verb != VERB_RUN && o->verb != VERB_TUNE)
        return false;
    return (csv && strcmp(csv, "-") == 0) || (json && strcmp(json, "-") == 0) || (!csv && !json);
}

static void add_all(file_list *l, const options *o)
{
    const bool in_run = o->verb == VERB_COMPARE && o->compare.in_run;
    if (o->verb == VERB_RUN || o->verb == VERB_TUNE)
        add_rows(l, o);
    if (o->verb == VERB_TUNE || o->verb == VERB_VALIDATE || in_run)
        add_plugins(l, o);
    if (o->verb & (VERB_REPORT | VERB_SUBMIT) || (o->verb == VERB_COMPARE && !in_run))
        add_results(l, o);
    if (o->verb == VERB_REPORT) {
        if (o->report.claims)
            add_input(l, "a recipe,", o->report.claims);
        add_output(l, "-o", o->report.html, FILE_KIND_PAGE, false);
        add_output(l, "--json", o->output.json, FILE_KIND_HISTORY_JSON, false);
    }
    if (o->verb == VERB_SUBMIT) {
        if (o->submit.proof)
            add_input(l, "a proof,", o->submit.proof);
        add_output(l, "-o", o->submit.file, FILE_KIND_SUBMISSION, false);
    }
    if (o->verb == VERB_VALIDATE)
        add_output(l, "--json", o->output.json, FILE_KIND_VALIDATE_JSON, false);
    if (o->verb == VERB_COMPARE)
        add_output(l, "--json", o->output.json, FILE_KIND_COMPARE_JSON, false);
    add_stream(l, "stdout", STDOUT_FILENO, has_rows_on_stdout(o));
    add_stream(l, "stderr", STDERR_FILENO, false);
}

static bool is_stream(const named_file *f)
{
    return strncmp(f->what, "std", 3) == 0;
}

/* A message must not become a line of the file. */
static void spare_from_messages(const named_file *f)
{
    struct stat about;
    if (!f->identity.there || fstat(STDERR_FILENO, &about) != 0 ||
        !file_identity_is_one(&about, &f->identity.about))
        return;
    const bool both =
        fstat(STDOUT_FILENO, &about) == 0 && file_identity_is_one(&about, &f->identity.about);
    const int to = both ? open("/dev/null", O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
    if (to >= 0)
        dup2(to, STDERR_FILENO);
}

/* Is each output a file of its own? */
static scan_status check_apart(const file_list *l, errmsg *error)
{
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = i + 1; k < l->count; k++) {
            const named_file *a = &l->files[i], *b = &l->files[k];
            const bool streams = is_stream(a) && is_stream(b); /* 2>&1 */
            if ((!a->written && !b->written) || streams ||
                !file_identity_same(&a->identity, &b->identity))
                continue;
            const named_file *by = a->written ? a : b, *other = a->written ? b : a;
            spare_from_messages(a);
            if (other->written)
                return errmsg_set(error, SCAN_INVALID, "%s and %s would both write %s", a->what,
                                  b->what, a->path);
            return errmsg_set(error, SCAN_INVALID,
                              "%s %s: this would overwrite %s %s; choose another name", by->what,
                              by->path, other->what, other->path);
        }
    return SCAN_OK;
}

/* May what is there be replaced? */
static scan_status check_kind(const named_file *f, errmsg *error)
{
    const struct stat *about = &f->identity.about;
    if (!f->written || is_stream(f) || !f->identity.there || S_ISCHR(about->st_mode) ||
        S_ISFIFO(about->st_mode) || S_ISBLK(about->st_mode))
        return SCAN_OK;
    if (!S_ISREG(about->st_mode))
        return errmsg_set(error, SCAN_INVALID, "%s %s: this is %s; name a file", f->what, f->path,
                          file_identity_word(about));
    const file_kind kind = file_kind_read(f->path);
    if (kind == f->kind && about->st_size > 0 && file_identity_is_descriptor(f->path))
        return errmsg_set(error, SCAN_INVALID,
                          "%s %s: this descriptor leads to %s, which can only be replaced by the "
                          "name of its file; give that",
                          f->what, f->path, file_kind_words(kind));
    if (kind == f->kind || kind == FILE_KIND_EMPTY)
        return SCAN_OK;
    if (f->continued && kind == FILE_KIND_OTHER)
        return SCAN_OK; /* its reader says what is wrong with it */
    return errmsg_set(error, SCAN_INVALID,
                      "%s %s: this would overwrite %s; choose another name, or remove it first",
                      f->what, f->path, file_kind_words(kind));
}

/* Rows in the name of a page, or a page in that of rows, are most often the -o of another command.
 */
static scan_status check_ending(const named_file *f, errmsg *error)
{
    const char *dot = strrchr(f->path, '.');
    if (!f->written || !dot)
        return SCAN_OK;
    if (f->kind == FILE_KIND_PAGE && strcmp(dot, ".csv") == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "%s %s: a page is written here, HTML; choose a name in .html", f->what,
                          f->path);
    if (f->kind == FILE_KIND_ROWS && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0))
        return errmsg_set(error, SCAN_INVALID,
                          "%s %s: rows are written here, as CSV; a page is written by --page FILE, "
                          "or by scanbench report out.csv -o FILE",
                          f->what, f->path);
    return SCAN_OK;
}

scan_status command_files_check(const options *o, errmsg *error)
{
    file_list l = {.files = calloc(FILES_MOST, sizeof *l.files), .error = error};
    if (!l.files)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    add_all(&l, o);
    scan_status status = l.status;
    if (status == SCAN_OK)
        status = check_apart(&l, error);
    for (size_t i = 0; i < l.count && status == SCAN_OK; i++)
        status = check_kind(&l.files[i], error);
    for (size_t i = 0; i < l.count && status == SCAN_OK; i++)
        status = check_ending(&l.files[i], error);
    free(l.files);
    return status;
}
