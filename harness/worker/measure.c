#include "worker/measure.h"

#include "worker/timed_run.h"
#include "worker/visit_trial.h"

#include <stdio.h>

/* The share of the time limit that a configuration is run for, to estimate its time. */
#define ESTIMATE_SHARE 0.02

static input_spec input_of(const trial *e)
{
    return job_input(e->job, input_default(e->job->op));
}

/* The pages of what is copied back into must be there before copies are timed. */
static void touch_pages(trial *e)
{
    if (e->plugin->memory)
        poison_fill(e->buffers.host_out.data, e->buffers.bytes);
}

static bool prove(trial *e)
{
    const input_spec spec = input_of(e);
    /* Random float sums are compared within a bound; that the algorithm is right
     * is proved first, bit for bit. */
    if (!input_is_exact(&spec) && !trial_check(e, INPUT_EXACT, 1))
        return false;
    return trial_check(e, spec.pattern, 1);
}

bool measure_begin(trial *e)
{
    if (!trial_begin(e) || !displace_prepare(e) || !prove(e))
        return false;
    touch_pages(e);
    return true;
}

bool measure_open(trial *e, visit_estimate *estimate_p)
{
    if (!measure_begin(e))
        return false;
    if (!topology_memory_is_local(e->host->machine, e->buffers.host_in.data, e->buffers.bytes))
        trial_flag(e, "remote_memory");
    if (e->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN)
        trial_flag(e, "allocates_in_run");
    trial_step(e, STEP_SAMPLE);
    if (!timed_run_estimate(e, e->job->time_limit_s * ESTIMATE_SHARE, estimate_p))
        return false;
    cpu_watch_begin(&e->watch, e->plugin);
    visit_send_create(e);
    return true;
}

/* Buffers that hold the input. */
static bool hold_buffers(trial *e)
{
    const input_spec spec = input_of(e);
    if (e->buffers_live)
        return true;
    if (!trial_allocate_all(e))
        return false;
    trial_step(e, STEP_WRITE_INPUT);
    if (trial_failed(e, buffers_write_input(&e->buffers, &spec), STEP_WRITE_INPUT))
        return false;
    touch_pages(e);
    return true;
}

bool measure_visit(trial *e, const visit *v)
{
    return hold_buffers(e) && visit_trial(e, v);
}

bool measure_release(trial *e)
{
    const input_spec spec = input_of(e);
    if (!e->buffers_live)
        return true;
    if (!trial_compare_last(e, &spec))
        return false;
    buffers_destroy(&e->buffers);
    e->buffers_live = false;
    return true;
}

/* The same buffers with another input, whose answer differs from any kept from before. */
static bool check_anew(trial *e)
{
    const job *measured = e->job;
    const double error = e->last.max_rel_error;
    job other = *measured;
    other.seed++;
    e->job = &other;
    bool good = trial_check(e, input_default(other.op), 1);
    e->job = measured;
    e->last.max_rel_error = error;
    return good;
}

bool measure_close(trial *e)
{
    const input_spec spec = input_of(e);
    if (e->batch > 1) {
        char flag[32];
        snprintf(flag, sizeof flag, "batch=%u", e->batch);
        trial_flag(e, flag);
    }
    return hold_buffers(e) && trial_compare(e, &spec) && check_anew(e);
}
