#include "commands/package.h"

#include "commands/command_files.h"
#include "commands/verbs.h"
#include "exit_status.h"
#include "loader/search.h"
#include "system/whole_file.h"
#include "version.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define START "scanbench_results/start.py"

/* Where the package lies, relative to the program's folder: in a build, and installed. */
static const char *const places[] = {"python", "../lib/scanbench/python"};

enum { WORDS_MOST = 24 };

/* The command line of the package. */
typedef struct package_line {
    const char *words[WORDS_MOST]; /* the verb, and options with their values behind them */
    size_t word_count;
    char threshold[32]; /* one of them */
    const char *const *files;
    size_t file_count;
} package_line;

static package_line line_of(const char *name, const options *o)
{
    return (package_line){
        .words = {name}, .word_count = 1, .files = o->arguments, .file_count = o->argument_count};
}

static void add_flag(package_line *line, const char *name, bool given)
{
    if (given)
        line->words[line->word_count++] = name;
}

/* value: NULL if the option was not given. */
static void add_option(package_line *line, const char *name, const char *value)
{
    add_flag(line, name, value != NULL);
    add_flag(line, value, value != NULL);
}

/* report: the package knows to which of its works the option belongs, and its default. */
static void add_threshold(package_line *line, const options *o)
{
    if (!(o->compare.threshold_pct > 0))
        return;
    snprintf(line->threshold, sizeof line->threshold, "%.17g", o->compare.threshold_pct);
    add_option(line, "--threshold", line->threshold);
}

static scan_status find(char path[PATH_MAX], errmsg *error)
{
    char program[PATH_MAX - 64];
    if (search_program(program, sizeof program) != SCAN_OK)
        return errmsg_set(error, SCAN_UNAVAILABLE,
                          "/proc/self/exe cannot be read; is /proc mounted?");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, PATH_MAX, "%s/%s/" START, program, places[i]);
        if (access(path, R_OK) == 0)
            return SCAN_OK;
    }
    return errmsg_set(error, SCAN_UNAVAILABLE,
                      "report, compare and submit need %s/%s/" START
                      ", which is not there; install "
                      "scanbench again",
                      program, places[1]);
}

/* The words for execvp, in memory that the caller frees; NULL without memory. -I: nothing of the
 * working folder, the environment and the user's home is imported; -B: no file is written beside
 * the package. */
static const char **words_of(const package_line *line, const char *start)
{
    static const char *const python[] = {"python3", "-I", "-B", "-X", "utf8"};
    const size_t most =
        sizeof python / sizeof *python + line->word_count + line->file_count + sizeof "start -- ";
    const char **words = calloc(most, sizeof *words);
    size_t count = 0;
    if (!words)
        return NULL;
    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        words[count++] = python[i];
    words[count++] = start;
    for (size_t i = 0; i < line->word_count; i++)
        words[count++] = line->words[i];
    if (line->file_count > 0)
        words[count++] = "--";
    for (size_t i = 0; i < line->file_count; i++)
        words[count++] = line->files[i];
    return words;
}

/* Python cannot be started, and the system says why. */
static scan_status lacks_python(const package_line *line, int why, errmsg *error)
{
    const char *who = line->word_count > 0 ? line->words[0] : "report";
    if (why == ENOENT)
        return errmsg_set(error, SCAN_UNAVAILABLE, "%s needs python3: apt install python3", who);
    return errmsg_set(error, SCAN_UNAVAILABLE, "%s needs python3, which cannot be started: %s", who,
                      strerror(why));
}

/* Finds the package, and the words to start it with, which the caller frees. */
static scan_status prepare(const package_line *line, const char ***words_p, errmsg *error)
{
    char start[PATH_MAX];
    const scan_status status = find(start, error);
    if (status != SCAN_OK)
        return status;
    setenv("SCANBENCH_REVISION", SCANBENCH_REVISION, true); /* pages name it */
    *words_p = words_of(line, start);
    return *words_p ? SCAN_OK : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
}

static int fail(const char *text)
{
    fprintf(stderr, "scanbench: %s\n", text);
    return EXIT_USAGE;
}

/* The status with which the process ends; less than 0: a signal ended it. */
static int await(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Does python3 run at all? One that is broken would end with a status that means something else. */
static scan_status try_python(const package_line *line, errmsg *error)
{
    static const char *const words[] = {"python3", "-I", "-S", "-c", "", NULL};
    pid_t pid;
    const int why =
        posix_spawnp(&pid, *words, NULL, NULL, (char *const *)(uintptr_t)words, environ);
    if (why != 0)
        return lacks_python(line, why, error);
    const int ended = await(pid);
    if (ended == 0)
        return SCAN_OK;
    return errmsg_set(error, SCAN_UNAVAILABLE,
                      "%s needs python3, and the one on the PATH cannot run `python3 -c ''`; apt "
                      "install --reinstall python3-minimal",
                      *line->words);
}

/* Becomes the package, whose exit status is then the program's; or returns one. */
static int become(const package_line *line)
{
    errmsg error;
    const char **words;
    fflush(stdout);
    if (try_python(line, &error) != SCAN_OK || prepare(line, &words, &error) != SCAN_OK)
        return fail(error.text);
    execvp(*words, (char *const *)(uintptr_t)words);
    lacks_python(line, errno, &error);
    free(words);
    return fail(error.text);
}

int report_main(const options *o)
{
    errmsg error;
    if (o->argument_count == 0 && !o->report.history)
        return fail("report needs a file of results or more: scanbench report out.csv");
    if (command_files_check(o, &error) != SCAN_OK)
        return fail(error.text);
    package_line line = line_of("report", o);
    add_option(&line, "--html", o->report.html);
    add_option(&line, "--claims", o->report.claims);
    add_option(&line, "--color", o->color);
    add_flag(&line, "--markdown", o->compare.markdown);
    add_flag(&line, "--quiet", o->quiet);
    add_option(&line, "--export", o->report.export_to);
    add_option(&line, "--json", o->output.json);
    add_option(&line, "--history", o->report.history);
    add_threshold(&line, o);
    return become(&line);
}

static int compare_files(const options *o)
{
    package_line line = line_of("compare", o);
    if (o->argument_count < 2)
        return fail("compare needs two files of results or more: scanbench compare OLD.csv "
                    "NEW.csv; or two plugins, with --in-run");
    add_threshold(&line, o);
    add_option(&line, "--phase", o->compare.phases);
    add_option(&line, "--json", o->output.json);
    add_flag(&line, "--markdown", o->compare.markdown);
    add_flag(&line, "--quiet", o->quiet);
    return become(&line);
}

int compare_main(const options *o)
{
    errmsg error;
    if (command_files_check(o, &error) != SCAN_OK)
        return fail(error.text);
    if (o->output.json && o->compare.in_run && whole_file_check(o->output.json, &error) != SCAN_OK)
        return fail(error.text);
    return o->compare.in_run ? compare_in_run(o) : compare_files(o);
}

int submit_main(const options *o)
{
    errmsg error;
    if (o->argument_count != 1)
        return fail("submit needs one file of results: scanbench submit out.csv");
    if (command_files_check(o, &error) != SCAN_OK)
        return fail(error.text);
    package_line line = line_of("submit", o);
    add_option(&line, "--output", o->submit.file);
    add_option(&line, "--name", o->submit.name);
    add_option(&line, "--proof", o->submit.proof);
    add_flag(&line, "--foreign", o->submit.foreign);
    add_flag(&line, "--quiet", o->quiet);
    return become(&line);
}

/* ---- beside this process ---- */

/* Without words it only looks whether everything can be imported. */
static scan_status run(const package_line *line, errmsg *error)
{
    const char **words;
    pid_t pid;
    const scan_status status = prepare(line, &words, error);
    if (status != SCAN_OK)
        return status;
    fflush(stdout);
    const int why =
        posix_spawnp(&pid, *words, NULL, NULL, (char *const *)(uintptr_t)words, environ);
    free(words);
    if (why != 0)
        return lacks_python(line, why, error);
    const int ended = await(pid);
    if (ended == 0)
        return SCAN_OK;
    return errmsg_set(error, SCAN_ERROR, ended < 0 ? "a signal ended python3" : "python3 failed");
}

scan_status package_check(errmsg *error)
{
    return run(&(package_line){.word_count = 0}, error);
}

scan_status package_write_page(const char *csv, const char *page, errmsg *error)
{
    const package_line line = {.words = {"report", "--quiet", "--html", page},
                               .word_count = 4,
                               .files = &csv,
                               .file_count = 1};
    return run(&line, error);
}
