#include "worker/measure.h"

#include "system/nvtx.h"
#include "system/unpredictable.h"

#include <stdio.h>

/* The share of the time limit that a configuration is run for, to estimate its time. */
#define ESTIMATE_SHARE 0.02

/* That creating one more instance may take. */
#define RENEWAL_SHARE 0.002

/* A first run that takes longer than others and so much does what belongs to create: it compiles.
 */
#define SLOW_FIRST_NS 1e8
#define SLOW_FIRST_TIMES 10

static input_spec input_of(const trial *t)
{
    return job_input(t->job, input_default(t->job->op));
}

/* The pages of what is copied back into must be there before copies are timed. */
static void touch_pages(trial *t)
{
    if (t->plugin->memory)
        buffers_each(&t->buffers, part_touch_host);
}

static bool prove(trial *t)
{
    const input_spec spec = input_of(t);
    /* Random float sums are compared within a bound; that the algorithm is right
     * is proved first, bit for bit. */
    if (!input_is_exact(&spec) && !trial_check(t, INPUT_EXACT, 1))
        return false;
    t->timed = true;
    const bool good = trial_check(t, spec.pattern, 1);
    t->timed = false;
    return good;
}

/* Creates the instance and its buffers, and compares its output in full (not in a race). */
static bool begin(trial *t)
{
    const input_spec spec = input_of(t);
    /* Most of a race drop out; whoever is left is compared at its end. */
    if (!trial_begin(t) || !displace_prepare(t) ||
        !(t->job->measure.in_race ? trial_write_input(t, &spec) : prove(t)))
        return false;
    touch_pages(t);
    return true;
}

bool measure_open(trial *t)
{
    if (!begin(t))
        return false;
    if (!buffers_are_near(&t->buffers))
        trial_flag(t, "remote_memory");
    if (t->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN)
        trial_flag(t, "allocates_in_run");
    trial_step(t, STEP_SAMPLE);
    if (!timed_run_estimate(t, t->job->time_limit_s * ESTIMATE_SHARE))
        return false;
    if (t->first_run_ns > SLOW_FIRST_NS && t->first_run_ns > SLOW_FIRST_TIMES * t->estimate.run_ns)
        trial_flag(t, "slow_first_run");
    cpu_watch_begin(&t->cpu_watch, t);
    sampling_send_create(t);
    return true;
}

/* Buffers, but not their input. */
static bool hold_buffers(trial *t)
{
    if (t->holds)
        return true;
    if (!trial_allocate_all(t))
        return false;
    touch_pages(t);
    return true;
}

/* Visits leave the input as it was, but whoever was closed before has left another one in memory
 * that is shared. */
static void forget_shared(trial *t)
{
    if (*t->job->measure.shared && t->holds)
        t->holds = HOLDS_BUFFERS;
}

/* A time may hang on what create found: where scratch lies, which thread is bound where. So now and
 * then another instance is measured, where creating some takes a small part of the time limit. */
static bool renew_instance(trial *t)
{
    enum { EVERY = 4 };
    const double most_ns = RENEWAL_SHARE * t->job->time_limit_s * 1e9;
    if (++t->visits % EVERY != 0 || trial_layout(t).parts > 1 || t->ranks || t->create_ns > most_ns)
        return true;
    return trial_renew(t);
}

bool measure_visit(trial *t, const visit *v)
{
    const input_spec spec = input_of(t);
    return renew_instance(t) && hold_buffers(t) && trial_write_input(t, &spec) &&
           sampling_visit(t, v);
}

bool measure_release(trial *t)
{
    const input_spec spec = input_of(t);
    if (!t->holds)
        return true;
    forget_shared(t);
    /* After the last run the input may have been changed and put back (spot_check.h). */
    if (!trial_write_input(t, &spec) || !trial_compare(t, &spec))
        return false;
    trial_release(t);
    return true;
}

/* Is the other input in the buffers, because it was compared last? */
static bool holds_other(const trial *t)
{
    return t->holds == HOLDS_INPUT && t->written.seed != t->job->seed;
}

/* Compares a run on the measured input, or on another one, whose answer differs from any kept from
 * before, or known by heart. */
static bool compare(trial *t, bool other)
{
    const job *measured = t->job;
    const double error = t->last.max_rel_error, ulps = t->last.max_ulps;
    job changed = *measured;
    if (other)
        changed.seed =
            holds_other(t) ? t->written.seed : unpredictable() >> 1; /* as --seed takes */
    t->job = &changed;
    /* Random float sums grow so evenly that a guess lies within their bound; exact ones are given
     * by nothing but the sum. */
    input_spec spec = input_of(t);
    if (other && !input_is_exact(&spec))
        spec = job_input(t->job, INPUT_EXACT);
    const bool good = trial_write_input(t, &spec) && trial_compare(t, &spec);
    t->job = measured;
    if (other) {
        t->last.max_rel_error = error;
        t->last.max_ulps = ulps;
    }
    if (other && !good)
        t->fault.seed = changed.seed;
    return good;
}

bool measure_close(trial *t)
{
    if (t->batch > 1) {
        char flag[32];
        snprintf(flag, sizeof flag, "batch=%u", t->batch);
        trial_flag(t, flag);
    }
    if (t->job->measure.processor_time && t->cpu_watch.state == CPU_WATCH_OFF)
        trial_flag(t, JOB_BY_CLOCK_FLAG);
    if (!hold_buffers(t))
        return false;
    forget_shared(t);
    /* The next trial finds the input that this one leaves, and begins with it. */
    const bool other = holds_other(t);
    return compare(t, other) && compare(t, !other) && watch_judge_cores(t) && spot_judge_times(t);
}

/* ---- a run for a profiler ------------------------------------------------------ */

bool measure_in_range(trial *t)
{
    if (!begin(t))
        return false;
    trial_step(t, STEP_RUN);
    if (!trial_restore(t) || !trial_run(t) || !trial_restore(t) || !displace(t))
        return false;
    nvtx_push(t->job->label);
    const bool good = trial_run(t);
    nvtx_pop();
    return good && measure_close(t);
}
