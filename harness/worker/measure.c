#include "worker/measure.h"

#include "system/unpredictable.h"
#include "worker/spot_judge.h"
#include "worker/timed_run.h"
#include "worker/trial_check.h"
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
        buffers_touch_host(&e->buffers);
}

static bool prove(trial *e)
{
    const input_spec spec = input_of(e);
    /* Random float sums are compared within a bound; that the algorithm is right
     * is proved first, bit for bit. */
    if (!input_is_exact(&spec) && !trial_check(e, INPUT_EXACT, 1))
        return false;
    e->timed = true;
    const bool good = trial_check(e, spec.pattern, 1);
    e->timed = false;
    return good;
}

/* Most of a race drop out; whoever is left is compared at its end. */
static bool begin_unproved(trial *e)
{
    const input_spec spec = input_of(e);
    return trial_write_input(e, &spec);
}

bool measure_begin(trial *e)
{
    if (!trial_begin(e) || !displace_prepare(e) ||
        !(e->job->in_race ? begin_unproved(e) : prove(e)))
        return false;
    touch_pages(e);
    return true;
}

bool measure_open(trial *e, visit_estimate *estimate_p)
{
    if (!measure_begin(e))
        return false;
    if (!buffers_are_local(&e->buffers, e->host->machine))
        trial_flag(e, "remote_memory");
    if (e->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN)
        trial_flag(e, "allocates_in_run");
    trial_step(e, STEP_SAMPLE);
    if (!timed_run_estimate(e, e->job->time_limit_s * ESTIMATE_SHARE, estimate_p))
        return false;
    cpu_watch_begin(&e->cpu_watch, e->plugin);
    visit_send_create(e);
    return true;
}

/* Buffers, but not their input. */
static bool hold_buffers(trial *e)
{
    if (e->buffers_live)
        return true;
    if (!trial_allocate_all(e))
        return false;
    touch_pages(e);
    return true;
}

/* Visits leave the input as it was, but whoever was closed before has left another one in memory
 * that is shared. */
static void forget_shared(trial *e)
{
    if (*e->job->shared)
        e->input_known = false;
}

bool measure_visit(trial *e, const visit *v)
{
    const input_spec spec = input_of(e);
    return hold_buffers(e) && trial_write_input(e, &spec) && visit_trial(e, v);
}

bool measure_release(trial *e)
{
    const input_spec spec = input_of(e);
    if (!e->buffers_live)
        return true;
    forget_shared(e);
    /* After the last run the input may have been changed and put back (spot_check.h). */
    if (!trial_write_input(e, &spec) || !trial_compare(e, &spec))
        return false;
    buffers_destroy(&e->buffers);
    e->buffers_live = e->input_known = false;
    return true;
}

/* Is the other input in the buffers, because it was compared last? */
static bool holds_other(const trial *e)
{
    return e->input_known && e->written.seed != e->job->seed;
}

/* Another input, whose answer differs from any kept from before. Random float sums grow so evenly
 * that a guess lies within their bound; these are exact, and nothing but the sum gives them. */
static input_spec other_input_of(const trial *e)
{
    const input_spec spec = input_of(e);
    return input_is_exact(&spec) ? spec : job_input(e->job, INPUT_EXACT);
}

/* Compares a run on the measured input, or on another one, whose answer differs from any kept from
 * before, or known by heart. */
static bool compare(trial *e, bool other)
{
    const job *measured = e->job;
    const double error = e->last.max_rel_error;
    job changed = *measured;
    if (other)
        changed.seed =
            holds_other(e) ? e->written.seed : unpredictable() >> 1; /* as --seed takes */
    e->job = &changed;
    const input_spec spec = other ? other_input_of(e) : input_of(e);
    const bool good = trial_write_input(e, &spec) && trial_compare(e, &spec);
    e->job = measured;
    if (other)
        e->last.max_rel_error = error;
    if (other && !good)
        e->fault.seed = changed.seed;
    return good;
}

bool measure_close(trial *e)
{
    if (e->batch > 1) {
        char flag[32];
        snprintf(flag, sizeof flag, "batch=%u", e->batch);
        trial_flag(e, flag);
    }
    if (e->job->processor_time && !e->cpu_watch.asks)
        trial_flag(e, JOB_BY_CLOCK_FLAG);
    if (!hold_buffers(e))
        return false;
    forget_shared(e);
    /* The next trial finds the input that this one leaves, and begins with it. */
    const bool other = holds_other(e);
    return compare(e, other) && compare(e, !other) && spot_judge_times(e);
}
