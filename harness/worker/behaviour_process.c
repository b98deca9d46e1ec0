/*
 * behaviour_manners.c - the behaviour that the process is left as it was
 */
#include "protocol/channel.h"
#include "worker/behaviour.h"

#include "worker/process_state.h"

#include <string.h>

/* Did `step` change what it must not? */
static bool behaved(trial *e, const process_state *before, const char *step)
{
    process_state after;
    process_state_read(&after);
    const char *changed = process_state_changed(before, &after);
    if (changed)
        trial_fault(e, ROW_ERROR, "%s changed %s", step, changed);
    return !changed;
}

static void watch_calls(trial *e)
{
    process_state before;
    process_state_read(&before);
    if (!process_state_float_is_default(&before)) {
        trial_fault(e, ROW_ERROR,
                    "loading it changed the floating-point mode; link without -ffast-math");
        return;
    }
    if (e->load_changed) {
        trial_fault(e, ROW_ERROR, "loading it changed %s", e->load_changed);
        return;
    }
    if (!e->plugin->memory && e->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        trial_step(e, "probe");
        e->plugin->probe(&e->host->host, e->exported, 0, &device);
        if (!behaved(e, &before, "probe"))
            return;
    }
    if (!trial_begin(e) || !behaved(e, &before, "supports or create"))
        return;
    if (!trial_check(e, e->job->pattern, 1) || !behaved(e, &before, "run"))
        return;
    trial_end(e);
    behaved(e, &before, "destroy");
}

void behave_manners(trial *e)
{
    char text[WORKER_PRINTED_BYTES];
    int captured = process_state_capture();
    watch_calls(e);
    process_state_printed(captured, text, sizeof text);
    if (e->status != ROW_OK)
        return;
    if (*text)
        trial_fault(e, ROW_ERROR, "it printed to stdout: \"%.*s\"", (int)strcspn(text, "\n"), text);
    else if (process_state_has_children())
        trial_fault(e, ROW_ERROR, "it left a process behind");
}
