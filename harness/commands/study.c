#include "commands/study.h"

#include "commands/session_options.h"
#include "supervisor/interrupt.h"
#include "system/memory.h"
#include "text/suggest.h"

#include <string.h>

/* Is the baseline a plugin that was found, selected or not? The default baseline may be missing;
 * speedups are then empty. */
static bool knows_baseline(const study *s, const char *id, errmsg *error)
{
    const registry *known = &s->session_set.registry;
    const char *names[256];
    size_t count = 0;
    if (strcmp(id, "cpu_serial") == 0 || registry_find(known, id))
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
    *s = (study){.in_duel = s->in_duel,
                 .mem_limit =
                     o->measuring.mem_limit ? o->measuring.mem_limit : memory_available() / 10 * 9};
    if (settings_parse(&o->grid, &s->settings, error) != SCAN_OK ||
        session_options_read(&o->plugins, o->verbose, &config, error) != SCAN_OK)
        return EXIT_USAGE;
    session_options_set_ranks(&s->settings, &config);
    config.calibrated = !s->in_duel;
    config.named_only = s->in_duel;
    s->settings.race = o->verb == VERB_TUNE;
    s->machine = topology_load(error);
    config.all_known = strcmp(o->output.baseline, "cpu_serial") != 0;
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

sweep_options study_sweep_options(const study *s, const options *o)
{
    return (sweep_options){.min_samples = o->measuring.min_samples,
                           .max_samples = o->measuring.max_samples,
                           .mem_limit = s->mem_limit,
                           .calibrators = s->session_set.calibrators ? s->session_set.count : 0,
                           .alone = strcmp(o->measuring.order, "sequential") == 0};
}
