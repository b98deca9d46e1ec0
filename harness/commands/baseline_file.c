#include "commands/baseline_file.h"

#include "text/comma_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".csv"
#define VARIABLE "SCANBENCH_BASELINES"

/* The length of a name without its ending; 0 if it does not have it. */
static size_t stem_of(const char *name)
{
    const size_t length = strlen(name), ending = strlen(ENDING);
    return length > ending && strcmp(name + length - ending, ENDING) == 0 ? length - ending : 0;
}

/* "" is the working folder. */
static const char *folder_of_baselines(void)
{
    const char *folder = getenv(VARIABLE);
    return folder ? folder : "";
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || stem_of(name) > 0;
}

static scan_status find(const char *name, char path[PATH_MAX], errmsg *error)
{
    const char *folder = is_path(name) ? "" : folder_of_baselines();
    const int length = snprintf(path, PATH_MAX, "%s%s%s%s", folder, *folder ? "/" : "", name,
                                is_path(name) ? "" : ENDING);
    if (!*name)
        return errmsg_set(
            error, SCAN_INVALID,
            "--baseline-file '': this is empty; write a name, or leave the option out");
    if (length >= PATH_MAX)
        return errmsg_set(error, SCAN_INVALID, "--baseline-file: the name is too long");
    if (*folder && access(folder, X_OK) != 0)
        return errmsg_set(error, SCAN_INVALID,
                          "--baseline-file %s: " VARIABLE
                          " is %s, which is not a folder that can be "
                          "searched; make it, or choose another",
                          name, folder);
    return SCAN_OK;
}

static int is_baseline(const struct dirent *entry)
{
    return stem_of(entry->d_name) > 0;
}

/* There is no such baseline: which ones are there? */
static scan_status refuse(const char *name, const char *path, errmsg *error)
{
    enum { NAMES_MOST = 10 };
    const char *folder = folder_of_baselines(), *names[NAMES_MOST];
    char all[512];
    struct dirent **found = NULL;
    const int count = scandir(*folder ? folder : ".", &found, is_baseline, alphasort);
    size_t shown = 0;
    for (int i = 0; i < count && shown < NAMES_MOST; i++) {
        found[i]->d_name[stem_of(found[i]->d_name)] = '\0';
        names[shown++] = found[i]->d_name;
    }
    if (is_path(name))
        errmsg_set(error, SCAN_INVALID, "--baseline-file %s: there is no such file", name);
    else if (shown > 0)
        errmsg_set(error, SCAN_INVALID, "--baseline-file %s: there is no %s; choose among %s%s",
                   name, path, words_join(names, shown, ", ", " and ", all, sizeof all),
                   count > (int)shown ? ", and others" : "");
    else
        errmsg_set(
            error, SCAN_INVALID,
            "--baseline-file %s: there is no %s, and no other; a run with this option makes it",
            name, path);
    for (int i = 0; i < count; i++)
        free(found[i]);
    free(found);
    return SCAN_INVALID;
}

/* The baseline before the other files. */
static scan_status compare_with(options *o, const char *path, errmsg *error)
{
    const char *name = o->output.baseline_file;
    if (o->compare.in_run)
        return errmsg_set(error, SCAN_INVALID,
                          "--baseline-file is of files of results; leave it or --in-run out");
    if (access(path, F_OK) != 0)
        return refuse(name, path, error);
    if (o->argument_count == OPTIONS_ARGUMENTS)
        return errmsg_set(error, SCAN_INVALID, "there are more than %d files", OPTIONS_ARGUMENTS);
    memmove(o->arguments + 1, o->arguments, o->argument_count * sizeof *o->arguments);
    o->arguments[0] = path;
    o->argument_count++;
    return SCAN_OK;
}

scan_status baseline_file_take(options *o, char path[PATH_MAX], errmsg *error)
{
    const char *name = o->output.baseline_file;
    if (!name || o->help || o->version)
        return SCAN_OK;
    const scan_status status = find(name, path, error);
    if (status != SCAN_OK)
        return status;
    if (o->verb == VERB_COMPARE)
        return compare_with(o, path, error);
    if (o->output.csv)
        return errmsg_set(error, SCAN_INVALID,
                          "--csv and --baseline-file both say where the rows go; leave one out");
    o->output.csv = path;
    return SCAN_OK;
}
