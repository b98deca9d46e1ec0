#include "commands/study.h"

#include "output/row.h"
#include "supervisor/interrupt.h"
#include "system/memory.h"
#include "text/comma_list.h"
#include "text/shell_words.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

/* ---- sessions ---- */

enum { CORE_MOST = 1000000 };

static scan_status parse_pin(const char *text, session_config *c, errmsg *error)
{
    c->pinned = strcmp(text, "none") != 0;
    c->core = -1;
    if (!c->pinned || strcmp(text, "auto") == 0)
        return SCAN_OK;
    char *end;
    const long core = strtol(text, &end, 10);
    if (end == text || *end || core < 0 || core > CORE_MOST)
        return errmsg_set(error, SCAN_INVALID,
                          "--pin %s: write auto, none, or the number of a core", text);
    c->core = (int)core;
    return SCAN_OK;
}

/* Is the list without empty items? NULL: the option was not given. */
static scan_status check_list(const char *name, const char *list, errmsg *error)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (at[strspn(at, " ")] == ',' || !at[strspn(at, " ")])
            return errmsg_set(error, SCAN_INVALID, "--%s '%s': %s", name, list,
                              *list ? "an item is empty" : "this is empty; leave the option out");
    return SCAN_OK;
}

static scan_status check_launcher(const char *command, errmsg *error)
{
    char *words[SHELL_WORDS_MOST], *text = strdup(command);
    size_t count;
    errmsg why;
    if (!text)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    const scan_status status = shell_words_split(text, words, &count, &why);
    free(text);
    if (status == SCAN_OK)
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID, "--launcher '%s': %s; write one as mpirun -n {parts}",
                      command, why.text);
}

scan_status session_options_read(const plugin_options *o, bool verbose, session_config *config_p,
                                 errmsg *error)
{
    session_config c = {.plugins = o->list,
                        .device = o->device,
                        .timeout_s = o->timeout_s,
                        .verbose = verbose,
                        .launcher = o->launcher,
                        .python = o->python};
    scan_status status = parse_pin(o->pin, &c, error);
    if (status == SCAN_OK)
        status = check_list("device", o->device, error);
    if (status == SCAN_OK)
        status = check_list("require", o->require, error);
    if (status == SCAN_OK && o->launcher)
        status = check_launcher(o->launcher, error);
    if (status == SCAN_OK)
        *config_p = c;
    return status;
}

void session_options_set_ranks(const settings *s, session_config *config)
{
    const range_list *parts = settings_find(s, SCAN_PARTS_TUNABLE);
    for (size_t i = 0; parts && i < parts->count; i++)
        if (parts->values[i] <= SCAN_PARTS_MOST && parts->values[i] > config->ranks)
            config->ranks = (unsigned)parts->values[i];
}

char *session_options_list(const options *o)
{
    size_t size = 1;
    for (size_t i = 0; i < o->argument_count; i++)
        size += strlen(o->arguments[i]) + 1;
    char *list = o->argument_count > 0 ? malloc(size) : strdup("all");
    if (list && o->argument_count > 0)
        words_join(o->arguments, o->argument_count, ",", ",", list, size);
    return list;
}

/* ---- the study ---- */

/* Is the baseline a plugin that was found, selected or not? The default baseline may be missing;
 * speedups are then empty. */
static bool knows_baseline(const study *s, const char *id, errmsg *error)
{
    const registry *known = &s->session_set.registry;
    const char *names[256];
    size_t count = 0;
    if (strcmp(id, ROW_USUAL_BASELINE) == 0 || registry_find(known, id))
        return true;
    for (size_t i = 0; i < known->count && count < sizeof names / sizeof *names; i++)
        names[count++] = known->plugins[i].id;
    char near[SUGGEST_BYTES];
    errmsg_set(error, SCAN_INVALID, "--baseline: no plugin is called \"%s\"%s", id,
               suggest_text(id, names, count, near, sizeof near));
    return false;
}

int study_open(const options *o, study *study_p, errmsg *error)
{
    study *s = study_p;
    session_config config;
    *s = (study){.in_run = s->in_run,
                 .mem_limit =
                     o->measuring.mem_limit ? o->measuring.mem_limit : memory_available() / 10 * 9};
    if (settings_parse(&o->grid, &s->settings, error) != SCAN_OK ||
        session_options_read(&o->plugins, o->verbose, &config, error) != SCAN_OK)
        return EXIT_USAGE;
    session_options_set_ranks(&s->settings, &config);
    config.calibrated = !s->in_run;
    config.named_only = s->in_run;
    s->settings.race = o->verb == VERB_TUNE;
    s->machine = topology_load(error);
    config.all_known = strcmp(o->output.baseline, ROW_USUAL_BASELINE) != 0;
    if (!s->machine || topology_check_core(s->machine, config.core, error) != SCAN_OK)
        return EXIT_USAGE;
    scan_status status = session_set_open(&config, &s->session_set, error);
    if (status != SCAN_OK && interrupt_requested()) {
        *error->text = '\0';
        return interrupt_status();
    }
    if (status != SCAN_OK || !knows_baseline(s, o->output.baseline, error))
        return EXIT_USAGE;
    if (!session_set_has(&s->session_set, o->plugins.require, error))
        return EXIT_MISSING;
    return plan_make(&o->measuring, &s->settings, &s->session_set, s->mem_limit, &s->plan, error) ==
                   SCAN_OK
               ? EXIT_GOOD
               : EXIT_USAGE;
}

void study_close(study *s)
{
    session_set_close(&s->session_set);
    plan_free(&s->plan);
    topology_free(s->machine);
    settings_free(&s->settings);
}

void study_print_failure(const char *label, row_status status, const fault *f)
{
    if (row_status_is_failure(status)) {
        char reason[FAULT_SENTENCE_BYTES];
        fprintf(stderr, "scanbench: %s: %s: %s\n", label, row_status_word(status),
                fault_text(f, reason, sizeof reason));
    }
}

sweep_options study_sweep_options(const study *s, const options *o)
{
    return (sweep_options){.min_samples = o->measuring.min_samples,
                           .max_samples = o->measuring.max_samples,
                           .mem_limit = s->mem_limit,
                           .calibrators = s->session_set.calibrators ? s->session_set.count : 0,
                           .alone = strcmp(o->measuring.order, "sequential") == 0};
}
