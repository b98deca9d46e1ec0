/*
 * behaviour_process.c - tests that the process is left as it was
 */
#include "protocol/channel.h"
#include "worker/behaviour.h"

#include "worker/process_state.h"

#include <string.h>

/* Did `step` leave everything as it was before? */
static bool is_unchanged(trial *e, const process_state *before, worker_step step)
{
    process_state after;
    process_state_read(&after);
    const fault_part changed = process_state_changed(before, &after);
    if (changed == FAULT_NO_PART)
        return true;
    return trial_fault(e, (fault){.code = FAULT_CHANGED_PROCESS, .step = step, .part = changed});
}

/* What loading the file changed. That happened before the first state was read. */
static bool check_load(trial *e, const process_state *now)
{
    if (!process_state_float_is_default(now))
        return trial_fault(e, (fault){.code = FAULT_CHANGED_FLOAT_MODE});
    if (e->load_changed != FAULT_NO_PART)
        return trial_fault(
            e, (fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_LOAD, .part = e->load_changed});
    return true;
}

static void watch_calls(trial *e)
{
    process_state before;
    process_state_read(&before);
    if (!check_load(e, &before))
        return;
    if (!e->plugin->memory && e->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        trial_step(e, STEP_PROBE);
        e->plugin->probe(&e->host->host, e->exported, 0, &device);
        if (!is_unchanged(e, &before, STEP_PROBE))
            return;
    }
    if (!trial_supports(e) || !is_unchanged(e, &before, STEP_SUPPORTS))
        return;
    if (!trial_begin(e) || !is_unchanged(e, &before, STEP_CREATE))
        return;
    if (!trial_check(e, e->job->pattern, 1) || !is_unchanged(e, &before, STEP_RUN))
        return;
    trial_end(e);
    is_unchanged(e, &before, STEP_DESTROY);
}

void behave_process(trial *e)
{
    char text[WORKER_PRINTED_BYTES];
    int captured = process_state_capture();
    watch_calls(e);
    process_state_printed(captured, text, sizeof text);
    if (!trial_is_good(e))
        return;
    text[strcspn(text, "\n")] = '\0';
    if (*text)
        trial_fault(e, fault_with_text(FAULT_PRINTED, text));
    else if (process_state_has_children())
        trial_fault(e, (fault){.code = FAULT_LEFT_PROCESS});
}
