/*
 * behaviour_manners.c - the behaviour that the process is left as it was
 */
#include "behaviour.h"

#include "manners.h"

#include <string.h>

/* Did `step` change what it must not? */
static bool behaved(execution *e, const manners *before, const char *step)
{
    manners after;
    manners_read(&after);
    const char *changed = manners_changed(before, &after);
    if (changed)
        execution_fault(e, "error", "%s changed %s", step, changed);
    return !changed;
}

static void watch_calls(execution *e)
{
    manners before;
    manners_read(&before);
    if (!manners_float_is_default(&before)) {
        execution_fault(e, "error",
                        "loading it changed the floating-point mode; link without -ffast-math");
        return;
    }
    if (e->load_changed) {
        execution_fault(e, "error", "loading it changed %s", e->load_changed);
        return;
    }
    if (!e->plugin->memory && e->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        execution_step(e, "probe");
        e->plugin->probe(&e->host->host, 0, &device);
        if (!behaved(e, &before, "probe"))
            return;
    }
    if (!execution_begin(e) || !behaved(e, &before, "supports or create"))
        return;
    if (!execution_check(e, e->job->pattern, 1) || !behaved(e, &before, "run"))
        return;
    execution_end(e);
    behaved(e, &before, "destroy");
}

void behave_manners(execution *e)
{
    char text[MANNERS_TEXT_BYTES];
    int captured = manners_capture();
    watch_calls(e);
    manners_printed(captured, text, sizeof text);
    if (strcmp(e->status, "ok") != 0)
        return;
    if (*text)
        execution_fault(e, "error", "it printed to stdout: \"%.*s\"", (int)strcspn(text, "\n"),
                        text);
    else if (manners_has_children())
        execution_fault(e, "error", "it left a process behind");
}
