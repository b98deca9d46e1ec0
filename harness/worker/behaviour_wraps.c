/*
 * behaviour_wraps.c - more runs of one instance than a counter of 8, 15 or 16 bits can tell apart
 *
 * Algorithms tag what a run leaves in scratch with the number of the run. Where the tag is too
 * narrow, the run whose number comes around takes what an old one left. Only the runs around those
 * numbers are compared, and some between, so that the others are quick.
 */
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/buffers_compare.h"
#include "worker/process_state.h"

static bool is_compared(uint64_t run)
{
    enum { AROUND = 8, NOW_AND_THEN = 1021 };
    static const uint64_t numbers[] = {UINT64_C(1) << 8, UINT64_C(1) << 15, UINT64_C(1) << 16};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (run + AROUND >= numbers[i] && run <= numbers[i] + AROUND)
            return true;
    return run % NOW_AND_THEN == 0;
}

/* Compares one run, with an input that no run before had. Without messages: they would take longer
 * than a run. */
static bool compare_run(trial *e, uint64_t run)
{
    fault found = {.code = FAULT_NONE};
    input_spec spec = job_input(e->job, e->job->pattern);
    spec.seed += run;
    const buffers_question question = {
        .spec = &spec, .kind = (scan_kind)e->job->kind, .rule = trial_rule(e)};
    if (trial_failed(e, buffers_write_input(&e->buffers, &spec), STEP_WRITE_INPUT) ||
        trial_failed(e, buffers_poison(&e->buffers, &spec), STEP_POISON) || !trial_run(e) ||
        trial_failed(e, buffers_compare(&e->buffers, &question, &e->last, &found), STEP_COMPARE))
        return false;
    found.place = FAULT_AT_LATER_RUN;
    return found.code == FAULT_NONE ? !trial_trespassed(e) : trial_fault(e, found);
}

/* What many runs would take from everybody if each left some. */
typedef struct possessions {
    process_state_usage usage;
    uint64_t files[PROCESS_STATE_FOLDERS];
} possessions;

static void count(possessions *p_p)
{
    process_state_measure(&p_p->usage);
    process_state_count_files(p_p->files);
}

/* Did runs leave much behind? The claim about leaks says so; this one ends before memory, names or
 * descriptors run out. */
static bool left_much(const possessions *before)
{
    enum { MANY = 32, MANY_BYTES = 1 << 26 };
    possessions now;
    count(&now);
    bool much = now.usage.descriptors > before->usage.descriptors + MANY ||
                now.usage.threads > before->usage.threads + MANY ||
                now.usage.timers > before->usage.timers + MANY ||
                now.usage.segments > before->usage.segments + MANY ||
                now.usage.mapped_bytes > before->usage.mapped_bytes + MANY_BYTES;
    for (int i = 0; i < PROCESS_STATE_FOLDERS; i++)
        much |= now.files[i] > before->files[i] + MANY;
    return much;
}

void behave_wraps(trial *e)
{
    enum { FIRST_COUNT = 64, COUNT_EACH = 4096 };
    possessions before;
    const double start = clock_now_ns(), end = start + e->job->time_limit_s * 1e9;
    double told = start;
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    e->input_known = false;
    trial_step(e, STEP_RUN);
    count(&before);
    for (uint32_t run = 2; run <= e->job->repeat; run++) { /* trial_check made the first */
        e->runs = run;
        if (is_compared(run) ? !compare_run(e, run) : !trial_run(e))
            return;
        const double now = clock_now_ns();
        if (now > end || ((run == FIRST_COUNT || run % COUNT_EACH == 0) && left_much(&before)))
            return;
        if (now - told > 2e8) {
            trial_step(e, STEP_RUN);
            told = now;
        }
    }
}
