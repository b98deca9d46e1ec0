/*
 * behaviour_process.c - tests that the process is left as it was
 */
#include "protocol/message.h"
#include "system/clock.h"
#include "worker/behaviour.h"

#include "worker/process_state.h"

#include <stdlib.h>
#include <string.h>

/* Did `step` leave everything as it was before? */
static bool is_unchanged(trial *e, const process_state *before, worker_step step)
{
    process_state *after = malloc(sizeof *after); /* the stack may be small */
    if (!after)
        return !trial_failed(e, SCAN_NO_MEMORY, STEP_STORE);
    process_state_read(after);
    const fault_part changed = process_state_changed(before, after);
    free(after);
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

/* More runs, as long as they are quick: some state changes only after a few. */
static bool run_again(trial *e)
{
    enum { RUNS = 50 };
    const double limit_ns = 2e8, start = clock_now_ns();
    trial_step(e, STEP_RUN);
    for (int i = 0; i < RUNS && clock_now_ns() - start < limit_ns; i++)
        if (!trial_run(e))
            return false;
    return true;
}

/* On the host: did run place its buffers elsewhere? */
static bool placement_is_unchanged(trial *e, const memory_policy before[2])
{
    const local_buffers *b = buffers_undivided(&e->buffers);
    memory_policy after[2];
    memory_policy_read(b->host_in.data, &after[0]);
    memory_policy_read(b->host_out.data, &after[1]);
    if (memory_policy_same(&before[0], &after[0]) && memory_policy_same(&before[1], &after[1]))
        return true;
    return trial_fault(
        e, (fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_RUN, .part = FAULT_MEMORY_POLICY});
}

static bool watch_runs(trial *e, const process_state *before)
{
    const local_buffers *b = buffers_undivided(&e->buffers);
    memory_policy placed[2];
    memory_policy_read(b->host_in.data, &placed[0]);
    memory_policy_read(b->host_out.data, &placed[1]);
    return trial_check(e, e->job->pattern, 1) && is_unchanged(e, before, STEP_RUN) &&
           run_again(e) && is_unchanged(e, before, STEP_RUN) && placement_is_unchanged(e, placed);
}

/* A plugin that makes its process adopt orphans is seen only where the worker does not do so
 * itself. */
static bool watch_without_adopting(trial *e)
{
    process_state before;
    process_settings_adopt(false);
    process_state_read(&before);
    const bool good = trial_begin(e) && trial_run(e) && is_unchanged(e, &before, STEP_RUN);
    trial_end(e);
    process_settings_adopt(true);
    return good;
}

static void watch_calls(trial *e, process_state *before)
{
    process_state_usage held, left;
    process_state_read(before);
    process_state_measure(&held);
    if (!check_load(e, before))
        return;
    if (!e->plugin->memory && e->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        trial_step(e, STEP_PROBE);
        e->plugin->probe(&e->host->host, e->exported, 0, &device);
        if (!is_unchanged(e, before, STEP_PROBE))
            return;
    }
    if (!trial_supports(e) || !is_unchanged(e, before, STEP_SUPPORTS))
        return;
    if (!trial_begin(e) || !is_unchanged(e, before, STEP_CREATE))
        return;
    if (!watch_runs(e, before))
        return;
    trial_end(e);
    if (!is_unchanged(e, before, STEP_DESTROY))
        return;
    process_state_measure(&left);
    if (left.timers > held.timers)
        trial_fault(
            e, (fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_DESTROY, .part = FAULT_TIMERS});
    else if (left.locked_kib > held.locked_kib && !e->plugin->memory)
        trial_fault(e, (fault){.code = FAULT_CHANGED_PROCESS,
                               .step = STEP_DESTROY,
                               .part = FAULT_LOCKED_MEMORY});
    else if (!process_state_has_children())
        watch_without_adopting(e);
}

void behave_process(trial *e)
{
    char text[WORKER_PRINTED_BYTES];
    process_state *before = malloc(sizeof *before); /* the stack may be small */
    if (!before) {
        trial_failed(e, SCAN_NO_MEMORY, STEP_STORE);
        return;
    }
    int captured = process_state_capture();
    watch_calls(e, before);
    free(before);
    process_state_printed(captured, text, sizeof text);
    if (!trial_is_good(e))
        return;
    text[strcspn(text, "\n")] = '\0';
    if (*text)
        trial_fault(e, fault_with_text(FAULT_PRINTED, text));
    else if (process_state_has_children())
        trial_fault(e, (fault){.code = FAULT_LEFT_PROCESS});
}
