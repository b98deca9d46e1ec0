#include "worker/visit_trial.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/spin.h"
#include "worker/spot_judge.h"
#include "worker/spot_plan.h"
#include "worker/timed_run.h"
#include "worker/trial_check.h"
#include "worker/watch_visit.h"

#include <stdlib.h>
#include <string.h>

enum { SERIES = HOST_PHASES + 3 };

/* Untimed runs fill the caches, wake the core and the device; this long at least, because two
 * runs of a microsecond do not. */
#define WARM_NS 1e5

/* The samples of one phase. */
typedef struct series {
    phase_name name;
    size_t count;
    double *ns;
} series;

/* The samples of phases that are taken together. */
typedef struct sampling {
    trial *e;
    size_t capacity; /* samples of a phase */
    double last_step_ns;
    series series[SERIES];
    size_t count;
    unsigned batch;
    uint32_t level;      /* SCAN_RECORD_*, or 0: nothing is recorded */
    spot_check *check;   /* of one sample */
    uint32_t check_left; /* after this many others */
    /* A run right after the copies of a look, and the shortest of the others; 0: none. */
    double changed_ns, same_ns;
} sampling;

/* Is the output of this sample looked at? */
static bool is_checked(sampling *s)
{
    return s->check_left-- == 0;
}

static void keep_pace(sampling *s, bool changed, double ns)
{
    if (changed)
        s->changed_ns = ns;
    else
        spot_times_least(&s->same_ns, ns);
}

static series *series_named(sampling *s, const phase_name *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (phase_equal(&s->series[i].name, name))
            return &s->series[i];
    if (s->count == SERIES)
        return NULL;
    series *new_one = &s->series[s->count];
    new_one->ns = calloc(s->capacity, sizeof *new_one->ns);
    if (!new_one->ns)
        return NULL;
    new_one->name = *name;
    s->count++;
    return new_one;
}

static bool add_sample(sampling *s, const phase_name *name, double ns)
{
    series *to = series_named(s, name);
    if (!to)
        return trial_failed(s->e, SCAN_NO_MEMORY, STEP_STORE), false;
    if (to->count < s->capacity)
        to->ns[to->count++] = ns;
    return true;
}

static void send_series(const sampling *s)
{
    FILE *out = s->e->out;
    for (size_t i = 0; i < s->count; i++) {
        const series *one = &s->series[i];
        char name[PHASE_TEXT_BYTES];
        trial_message(s->e, "phase");
        message_put_text(out, "name", phase_print(&one->name, name));
        message_put_u64(out, "batch", s->batch);
        fputs("\tsamples=", out);
        for (size_t k = 0; k < one->count; k++)
            fprintf(out, "%s%.6g", k ? "," : "", one->ns[k]);
        message_end(out);
    }
}

static void end(sampling *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->series[i].ns);
}

static bool warm_up(sampling *s, const visit *v)
{
    const double end_ns = clock_now_ns() + WARM_NS;
    for (uint32_t i = 0; v->untimed && (i < v->untimed || clock_now_ns() < end_ns); i++) {
        if (timed_run(s->e, v->batch) < 0)
            return false;
        trial_show_life(s->e, STEP_SAMPLE, &s->last_step_ns);
    }
    return true;
}

/* The times of a look at a run. */
static void keep_look(sampling *s, double run_ns)
{
    s->check->times.run_ns = run_ns;
    spot_times_keep(&s->e->spot_times, &s->check->times);
    keep_pace(s, true, run_ns);
}

/* One run that is looked at and belongs to no sample. It comes at a random place of a batch, as
 * soon after the run before as every other: a plugin that works only where it has not been called
 * for a while would work in that run alone. */
static bool look_in_batch(sampling *s)
{
    trial *e = s->e;
    const unsigned others = (unsigned)unpredictable_below(s->batch);
    double ns;
    if (!trial_copies_elements(e))
        return timed_run_changed(e, others, &s->check->stores) && spot_check_end(e, s->check);
    if ((others > 0 && timed_run(e, others) < 0) || !spot_check_begin(e, s->check) ||
        (ns = timed_run(e, 1)) < 0 || !spot_check_end(e, s->check))
        return false;
    keep_look(s, ns);
    return true;
}

/* A sample whose output is looked at. In a batch no run can be looked at without adding to its
 * time. */
static double sample_checked(sampling *s)
{
    trial *e = s->e;
    if (s->batch > 1) {
        const double ns = timed_sample(e, s->batch);
        keep_pace(s, false, ns);
        return ns >= 0 && look_in_batch(s) ? ns : -1;
    }
    if (!spot_check_begin(e, s->check))
        return -1;
    const double ns = timed_sample(e, 1);
    if (ns < 0 || !spot_check_end(e, s->check))
        return -1;
    keep_look(s, ns);
    return ns;
}

static bool sample_run(sampling *s)
{
    static const phase_name run = {.kind = PHASE_RUN};
    if (is_checked(s)) {
        const double ns = sample_checked(s);
        return ns >= 0 && add_sample(s, &run, ns);
    }
    const double ns = timed_sample(s->e, s->batch);
    keep_pace(s, false, ns);
    return ns >= 0 && add_sample(s, &run, ns);
}

/* Adds what the plugin has recorded of a run. */
static bool add_recorded(sampling *s, double run_ns)
{
    trial *e = s->e;
    if (e->host->phase_unknown && !strstr(e->flags, PHASE_UNKNOWN_FLAG))
        trial_flag(e, PHASE_UNKNOWN_FLAG);
    if (e->host->time_bad && !strstr(e->flags, "bad_time"))
        trial_flag(e, "bad_time");
    for (size_t i = 0; i < e->host->phase_count; i++) {
        double ns = e->host->phases[i].ns;
        if (!add_sample(s, &e->host->phases[i].name, ns))
            return false;
        /* Device clocks tick coarsely: a microsecond is no contradiction. */
        if (ns > run_ns * 1.01 + 1000 && !strstr(e->flags, "device_exceeds_run"))
            trial_flag(e, "device_exceeds_run");
    }
    return true;
}

/* One run with what the plugin records of it. */
static bool sample_recorded(sampling *s)
{
    trial *e = s->e;
    const bool checked = is_checked(s);
    if (checked && !spot_check_begin(e, s->check))
        return false;
    if (e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY &&
        trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE))
        return false;
    if (!displace(e))
        return false;
    const trial_call call = trial_call_of(e);
    double start = clock_now_ns();
    worker_host_record(e->host, s->level);
    scan_status status = call.run(call.self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double run_ns = clock_now_ns() - start;
    worker_host_record(e->host, 0);
    trial_alone(e);
    if (trial_failed(e, status, STEP_RUN) || (checked && !spot_check_end(e, s->check)))
        return false;
    keep_pace(s, checked, run_ns);
    return add_recorded(s, run_ns);
}

/* Copy in, run, copy out. */
static bool sample_trip(sampling *s)
{
    static const phase_name e2e = {.kind = PHASE_E2E}, h2d = {.kind = PHASE_H2D},
                            d2h = {.kind = PHASE_D2H};
    trial *e = s->e;
    const bool checked = is_checked(s);
    if ((checked && !spot_check_begin(e, s->check)) || !displace_for_copies(e))
        return false;
    const trial_call call = trial_call_of(e);
    double start = clock_now_ns();
    if (trial_failed(e, buffers_copy_in(&e->buffers), STEP_COPY_IN))
        return false;
    double ran = clock_now_ns();
    scan_status status = call.run(call.self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double done = clock_now_ns();
    trial_alone(e);
    if (trial_failed(e, status, STEP_RUN) ||
        trial_failed(e, buffers_copy_out(&e->buffers), STEP_COPY_OUT))
        return false;
    double stop = clock_now_ns();
    if (checked && !spot_check_end(e, s->check))
        return false;
    return add_sample(s, &e2e, stop - start) && add_sample(s, &h2d, ran - start) &&
           add_sample(s, &d2h, stop - done);
}

/* `count` samples of one sort. To record nothing is not a failure. */
static bool take(sampling *s, uint32_t count, bool (*sample)(sampling *))
{
    bool good = true;
    s->last_step_ns = clock_now_ns();
    s->capacity = count;
    trial_step(s->e, STEP_SAMPLE);
    for (uint32_t i = 0; good && i < count; i++) {
        good = sample(s);
        trial_show_life(s->e, STEP_SAMPLE, &s->last_step_ns);
    }
    return good;
}

static bool take_runs(trial *e, const visit *v, spot_check *check)
{
    sampling s = {.e = e,
                  .batch = v->batch,
                  .last_step_ns = clock_now_ns(),
                  .check = check,
                  .check_left = (uint32_t)unpredictable_below(v->samples)};
    trial_step(e, STEP_SAMPLE);
    const visit_spin before = spin_take();
    bool good =
        warm_up(&s, v) && watch_begin(e) && take(&s, v->samples, sample_run) && watch_end(e);
    const visit_spin after = spin_take();
    e->spin = spin_mean(&before, &after);
    cpu_watch_end_visit(&e->cpu_watch);
    good = good && spot_judge_outputs(e, check);
    spot_pace_keep(&e->spot_times.paces[0], s.changed_ns, s.same_ns);
    if (good) {
        watch_send(e, (uint64_t)v->samples * v->batch);
        send_series(&s);
    }
    end(&s);
    return good;
}

/* Looks at the same places as the look at a run did: that has put the input back. */
static bool take_others(sampling *s, uint32_t count, bool (*sample)(sampling *), bool *any_p)
{
    trial *e = s->e;
    s->check->looked = false;
    s->check_left = count ? (uint32_t)unpredictable_below(count) : 0;
    const bool good = count == 0 || (take(s, count, sample) && spot_judge_outputs(e, s->check));
    if (good)
        send_series(s);
    *any_p = s->count > 0;
    end(s);
    return good;
}

/* What the plugin records at one level, unless it has recorded nothing before. */
static bool take_recorded(trial *e, const visit *v, uint32_t level, spot_check *check)
{
    const uint32_t bit = UINT32_C(1) << level;
    sampling s = {.e = e, .batch = 1, .level = level, .check = check};
    bool any = true;
    if (e->unrecorded & bit || v->recorded == 0)
        return true;
    const bool good = take_others(&s, v->recorded, sample_recorded, &any);
    spot_pace_keep(&e->spot_times.paces[level], s.changed_ns, s.same_ns);
    if (!any)
        e->unrecorded |= bit;
    return good;
}

static bool take_trips(trial *e, const visit *v, spot_check *check)
{
    sampling s = {.e = e, .batch = 1, .check = check};
    bool any;
    return !e->plugin->memory || take_others(&s, v->trips, sample_trip, &any);
}

bool visit_trial(trial *e, const visit *v)
{
    spot_check check;
    e->batch = v->batch;
    return spot_plan(e, &check) && take_runs(e, v, &check) &&
           take_recorded(e, v, SCAN_RECORD_DEVICE, &check) &&
           take_recorded(e, v, SCAN_RECORD_KERNELS, &check) && take_trips(e, v, &check) &&
           trial_guards_intact(e) && !trial_trespassed(e);
}

void visit_send_create(const trial *e)
{
    trial_message(e, "phase");
    message_put_text(e->out, "name", phase_word(PHASE_CREATE));
    message_put_u64(e->out, "batch", 1);
    message_put_double(e->out, "samples", e->create_ns);
    message_end(e->out);
}
