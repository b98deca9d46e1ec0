/*
 * run_resume.c - parses the command line of an earlier run again. resume_check_origin
 * has made sure that the same build of scanbench ran it, so an option that it leaves out had the
 * same default.
 */
#include "commands/run_resume.h"

#include "commands/study.h"
#include "output/metadata.h"
#include "text/array_room.h"
#include "text/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct command_line {
    char **words;
    size_t count, capacity;
} command_line;

static void free_line(command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->words[i]);
    free(line->words);
}

/* false without memory. */
static bool read_line(json_value argv, command_line *line)
{
    for (json_walk w = json_begin(argv); json_next(&w);) {
        char **words = array_room(line->words, &line->capacity, line->count, 1, sizeof *words);
        if (words)
            line->words = words;
        if (!words || !(words[line->count] = json_text(w.value)))
            return false;
        line->count++;
    }
    return true;
}

static scan_status differs(const char *path, const char *option, const char *then, const char *now,
                           errmsg *error)
{
    return errmsg_set(error, SCAN_INVALID,
                      "--resume: %s has rows measured with %s %.200s, and this run has %s %.200s; "
                      "give the same, or measure into another file, which scanbench compare "
                      "compares with it",
                      path, option, then, option, now);
}

static bool pins_differ(const options *then, const options *now)
{
    session_config a, b;
    errmsg why;
    return session_options_read(&then->plugins, false, &a, &why) != SCAN_OK ||
           session_options_read(&now->plugins, false, &b, &why) != SCAN_OK ||
           a.pinned != b.pinned || a.core != b.core;
}

/* Does the run add rows of a plugin with ranks to rows of it that stay? */
static bool has_ranks(const resume *r, const session_set *set, json_value run_id)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->sessions[i].plugin->in_ranks &&
            resume_has_plugin(r, set->sessions[i].plugin->id, run_id))
            return true;
    return false;
}

static scan_status compare(const options *then, const options *now, bool with_ranks, errmsg *error)
{
    const char *path = now->output.csv;
    if (then->verb != now->verb)
        return errmsg_set(error, SCAN_INVALID,
                          "--resume: %s has rows of another command than run, which measures "
                          "otherwise; measure into another file",
                          path);
    if (strcmp(then->output.baseline, now->output.baseline) != 0)
        return differs(path, "--baseline", then->output.baseline, now->output.baseline, error);
    if (strcmp(then->measuring.order, now->measuring.order) != 0)
        return differs(path, "--order", then->measuring.order, now->measuring.order, error);
    if (pins_differ(then, now))
        return differs(path, "--pin", then->plugins.pin, now->plugins.pin, error);
    if (with_ranks && strcmp(then->plugins.launcher, now->plugins.launcher) != 0)
        return differs(path, "--launcher", then->plugins.launcher, now->plugins.launcher, error);
    return SCAN_OK;
}

/* *unknown_p: the run does not say what it was measured with. */
static scan_status check_run(const resume *r, json_value run, const options *o,
                             const session_set *set, bool *unknown_p, errmsg *error)
{
    command_line line = {.count = 0};
    options then;
    errmsg why;
    scan_status status = SCAN_OK;
    if (!read_line(json_member(run, "argv"), &line))
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    else if (line.count == 0 || options_parse((int)line.count, line.words, &then, &why) != SCAN_OK)
        *unknown_p = true;
    else
        status = compare(&then, o, has_ranks(r, set, json_member(run, "run_id")), error);
    free_line(&line);
    return status;
}

/* Compares this command line with those of the runs whose rows stay. */
static scan_status check_runs(const resume *r, const char *before, const options *o,
                              const session_set *set, errmsg *error)
{
    const char *text = before ? before : "";
    metadata_walk w = metadata_begin(text, strlen(text));
    scan_status status = SCAN_OK;
    bool warned = false;
    for (json_value run; status == SCAN_OK && metadata_next(&w, &run);) {
        const json_value id = json_member(run, "run_id");
        bool unknown = false;
        if (!resume_has_run(r, id))
            continue;
        status = check_run(r, run, o, set, &unknown, error);
        if (status == SCAN_OK && unknown && !warned)
            fprintf(stderr,
                    "scanbench: warning: %s-metadata.json does not say with which --baseline, "
                    "--order and --pin the run %.*s was measured\n",
                    o->output.csv, (int)id.bytes, id.text);
        warned |= unknown;
    }
    return status;
}

scan_status run_resume_check(const output_options *o, errmsg *error)
{
    if (o->resume && (!o->csv || strcmp(o->csv, "-") == 0))
        return errmsg_set(error, SCAN_INVALID, "--resume needs --csv FILE, the file to go on with");
    if (o->retry && !o->resume)
        return errmsg_set(
            error, SCAN_INVALID,
            "--retry needs --resume: it measures again what failed or was skipped in that file");
    if (o->overwrite && o->resume)
        return errmsg_set(
            error, SCAN_INVALID,
            "--overwrite discards the rows that --resume goes on with; leave one out");
    return SCAN_OK;
}

scan_status run_resume_read(const options *o, const study *s, resume **resume_p, char **before_p,
                            errmsg *error)
{
    const session_set *set = &s->session_set;
    const output_options *to = &o->output;
    scan_status status = resume_read(to->csv, resume_p, error);
    if (status == SCAN_OK)
        *before_p = metadata_read(to->csv);
    if (status == SCAN_OK && to->samples && strcmp(to->samples, "-") != 0)
        status = resume_samples_check(to->samples, *resume_p, *before_p, error);
    for (size_t i = 0; status == SCAN_OK && i < s->plan.count; i++) {
        const configuration c = plan_get(&s->plan, i);
        const measurement m = {.session = &set->sessions[c.session], .configuration = &c};
        resume_consider(*resume_p, &m, to->retry);
    }
    if (status != SCAN_OK)
        return status;
    status = resume_check_origin(*resume_p, *before_p, set, error);
    return status == SCAN_OK ? check_runs(*resume_p, *before_p, o, set, error) : status;
}
