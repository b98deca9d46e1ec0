#include "worker/sampling.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/changer.h"
#include "worker/core_use.h"
#include "worker/frozen.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- the time of a run --------------------------------------------------------- */

/* How often a run is timed at most, until one is not interrupted. */
enum { TRIES = 3 };

/* The supervisor, which waits for a sign of life, is told of every try that takes longer. */
#define LONG_NS 1e8

/* What two readings of the clock cost, at best. */
static double clock_overhead_ns(void)
{
    double best = 1e9;
    for (int i = 0; i < 200; i++) {
        double start = clock_now_ns();
        double took = clock_now_ns() - start;
        if (took < best)
            best = took;
    }
    return best > 1 ? best : 1;
}

/* What a measurement of runs gives. */
typedef struct run_time {
    double before_ns; /* displacing the caches */
    double wall_ns;
    double cpu_ns; /* watch.h */
    uint64_t waits;
} run_time;

/* The state of the caches in which runs are timed. */
typedef enum timed_caches {
    AS_THEY_ARE,
    AS_ASKED /* by the job */
} timed_caches;

static bool displace_before(trial *t, run_time *time)
{
    if (t->job->cache == CACHE_HOT)
        return true;
    const double start = clock_now_ns();
    const bool good = displace(t);
    time->before_ns += clock_now_ns() - start;
    return good;
}

static uint64_t waits_of(trial *t)
{
    return t->job->measure.processor_time ? cpu_watch_waits(&t->cpu_watch) : 0;
}

/* Neither inlined nor compiled twice. */
#ifdef __clang__
#define ONE_CALL_SITE __attribute__((noinline))
#else
#define ONE_CALL_SITE __attribute__((noipa))
#endif

/* Runs `batch` times in one interval, and adds that. false if a run failed. Runs that are looked at
 * are called from here, too, so that a plugin cannot tell them by its return address. */
ONE_CALL_SITE static bool add_interval(trial *t, unsigned batch, timed_caches caches,
                                       run_time *time)
{
    scan_buffer in = buffers_in(&t->buffers), out = buffers_out(&t->buffers);
    const trial_call call = trial_call_of(t);
    if (caches == AS_ASKED && !displace_before(t, time))
        return false;
    const uint64_t waits = waits_of(t);
    const double cpu = cpu_watch_now_ns(&t->cpu_watch);
    atomic_store_explicit(&t->notes.begun, true, memory_order_release);
    const double start = clock_now_ns();
    for (unsigned i = 0; i < batch; i++) {
        atomic_store_explicit(&t->notes.run, i, memory_order_relaxed);
        scan_status status = call.run(call.self, in, out);
        trial_alone(t);
        if (status != SCAN_OK)
            return !trial_failed(t, status, STEP_RUN);
    }
    time->wall_ns += clock_now_ns() - start;
    time->cpu_ns += cpu_watch_since_ns(&t->cpu_watch, cpu);
    time->waits += waits_of(t) - waits;
    return true;
}

/* Where a plugin works in place only, the input is put back before each run, outside the timing. */
static bool take_time(trial *t, unsigned batch, timed_caches caches, run_time *time_p)
{
    *time_p = (run_time){0};
    if (!(t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY))
        return add_interval(t, batch, caches, time_p);
    for (unsigned i = 0; i < batch; i++)
        if (!trial_restore(t) || !add_interval(t, 1, caches, time_p))
            return false;
    return true;
}

double timed_run(trial *t, unsigned batch)
{
    run_time time;
    return take_time(t, batch, AS_THEY_ARE, &time) ? time.wall_ns / batch : -1;
}

/* The same for a sample, in the state of the caches that its job asks for; one that was interrupted
 * is taken again, twice at most. */
static double timed_sample(trial *t, unsigned batch)
{
    run_time time = {0};
    for (int tries = 0; tries < TRIES; tries++) {
        if (time.wall_ns > LONG_NS)
            trial_step(t, STEP_SAMPLE);
        if (!take_time(t, batch, AS_ASKED, &time))
            return -1;
        if (!cpu_watch_interrupted(&t->cpu_watch, time.wall_ns, time.cpu_ns))
            return time.wall_ns / batch;
    }
    if (!t->job->measure.processor_time || time.waits > 0)
        return time.wall_ns / batch;
    cpu_watch_not_waiting(&t->cpu_watch);
    trial_flag(t, JOB_BY_PROCESSOR_FLAG);
    return time.cpu_ns / batch;
}

/* An interval of runs, in the middle of which another thread changes the input; untimed. *seen_p:
 * did a run begin after that? false if a run failed. */
static bool changed_interval(trial *t, unsigned batch, double ns, const spot_check *check,
                             bool *seen_p)
{
    changer c;
    run_time time;
    *seen_p = false;
    if (!changer_start(&c, t, check, 1e-3 * (double)(50 + unpredictable_below(700)) * ns))
        return true;
    const bool good = take_time(t, batch, AS_THEY_ARE, &time);
    *seen_p = changer_end(&c) < batch;
    return good;
}

/* How often a change comes too late, because the other thread got no core, before this thread makes
 * it between two intervals. Where all of a look came too late, the next look tries it once. */
enum { CHANGE_TRIES = 20 };

/* Fewer runs leave few behind the change; that there are more of them is seen when they are over.
 */
enum { CHANGE_RUNS = 16 };

/* Runs on changed input that belong to no sample; of the host. They take `ns` together. */
static bool timed_run_changed(trial *t, unsigned batch, double ns, spot_check *check)
{
    const bool restored = t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    const unsigned runs = batch > CHANGE_RUNS ? batch : CHANGE_RUNS;
    const int tries = restored ? 0 : t->changes_late ? 1 : CHANGE_TRIES;
    double told_ns = clock_now_ns();
    bool seen = false;
    for (int i = 0; !seen && i < tries; i++) {
        if (!changed_interval(t, runs, ns, check, &seen) || (!seen && !spot_undo(t, check)))
            return false;
        trial_show_life(t, STEP_SAMPLE, &told_ns);
    }
    t->changes_late = !seen;
    if (seen)
        return true;
    const unsigned others = (unsigned)unpredictable_below(batch);
    if (others > 0 && timed_run(t, others) < 0)
        return false;
    spot_store(check, true);
    return timed_run(t, 1) >= 0;
}

/* Runs behind the first of a batch find their data where that left it, so that a cold run is
 * timed alone, even where that is too short for the clock. */
static unsigned batch_of(trial *t, double run_ns)
{
    const double needed = 200 * clock_overhead_ns() / (run_ns > 1 ? run_ns : 1);
    if (needed <= 1)
        return 1;
    if (t->job->cache == CACHE_HOT)
        return (unsigned)ceil(needed);
    trial_flag(t, "coarse_clock");
    return 1;
}

bool timed_run_estimate(trial *t, double limit_s, visit_estimate *estimate_p)
{
    const double end_ns = clock_now_ns() + limit_s * 1e9;
    visit_estimate shortest = {.run_ns = INFINITY, .before_ns = INFINITY};
    do {
        run_time time;
        if (!take_time(t, 1, AS_ASKED, &time))
            return false;
        shortest.run_ns = fmin(shortest.run_ns, time.wall_ns);
        shortest.before_ns = fmin(shortest.before_ns, time.before_ns);
    } while (clock_now_ns() < end_ns);
    shortest.batch = batch_of(t, shortest.run_ns);
    *estimate_p = shortest;
    return true;
}

/* ---- the samples of a visit ---------------------------------------------------- */

enum { SERIES = HOST_PHASES + 3 };

/* Untimed runs fill the caches, wake the core and the device; this long at least, because two
 * runs of a microsecond do not. A random number follows: times that alternate from run to run would
 * else have the same order in every visit. */
#define WARM_NS 1e5

/* The samples of one phase. */
typedef struct series {
    phase_name name;
    size_t count;
    double *ns;
} series;

/* The samples of phases that are taken together. */
typedef struct sampling {
    trial *t;
    size_t capacity; /* samples of a phase */
    double last_step_ns;
    series series[SERIES];
    size_t count;
    unsigned batch;
    uint32_t level;     /* SCAN_RECORD_*, or 0: nothing is recorded */
    spot_check *check;  /* of one sample, */
    uint32_t looked_at; /* which of the samples */
    bool checked;       /* is the output of the sample at hand looked at? */
    /* A run right after the copies of a look, and the shortest of the others; 0: none. */
    double changed_ns, same_ns;
} sampling;

static void keep_pace(sampling *s, bool changed, double ns)
{
    if (changed)
        s->changed_ns = ns;
    else if (ns > 0 && !(s->same_ns > 0 && s->same_ns <= ns))
        s->same_ns = ns;
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
        return trial_failed(s->t, SCAN_NO_MEMORY, STEP_STORE), false;
    if (to->count < s->capacity)
        to->ns[to->count++] = ns;
    return true;
}

static void send_series(const sampling *s)
{
    FILE *out = s->t->out;
    for (size_t i = 0; i < s->count; i++) {
        const series *one = &s->series[i];
        char name[PHASE_TEXT_BYTES];
        trial_message(s->t, "phase");
        message_put_text(out, "name", phase_print(&one->name, name));
        message_put_u64(out, "batch", s->batch);
        fputs("\tsamples=", out);
        for (size_t k = 0; k < one->count; k++)
            fprintf(out, "%s%.6g", k ? "," : "", one->ns[k]);
        message_end(out);
    }
}

static void free_series(sampling *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->series[i].ns);
}

static bool warm_up(sampling *s, const visit *v)
{
    const double end_ns = clock_now_ns() + WARM_NS;
    uint64_t more = v->untimed ? unpredictable_below(UINT64_C(2) * v->untimed) : 0;
    for (uint32_t i = 0; v->untimed; i++) {
        if (i >= v->untimed && clock_now_ns() >= end_ns && more-- == 0)
            break;
        if (timed_run(s->t, v->batch) < 0)
            return false;
        trial_show_life(s->t, STEP_SAMPLE, &s->last_step_ns);
    }
    return true;
}

/* The times of a look at a run. */
static void keep_look(sampling *s, double run_ns)
{
    spot_keep_run(s->t, s->check, run_ns);
    keep_pace(s, true, run_ns);
}

/* Runs of an interval that are looked at and belong to no sample. On the host the change comes at a
 * random moment of it, and each run as soon after the one before as every other: a plugin that
 * works only where it has not been called for a while would not see it. */
static bool look_in_batch(sampling *s, double run_ns)
{
    trial *t = s->t;
    const unsigned others = (unsigned)unpredictable_below(s->batch);
    double ns;
    if (!trial_copies_elements(t))
        return timed_run_changed(t, s->batch, s->batch * run_ns, s->check) && spot_end(t, s->check);
    if ((others > 0 && timed_run(t, others) < 0) || !spot_begin(t, s->check) ||
        (ns = timed_run(t, 1)) < 0 || !spot_end(t, s->check))
        return false;
    keep_look(s, ns);
    return true;
}

/* A sample whose output is looked at. In a batch no run can be looked at without adding to its
 * time. */
static double sample_checked(sampling *s)
{
    trial *t = s->t;
    if (s->batch > 1) {
        const double ns = timed_sample(t, s->batch);
        keep_pace(s, false, ns);
        return ns >= 0 && look_in_batch(s, ns) ? ns : -1;
    }
    if (!spot_begin(t, s->check))
        return -1;
    const double ns = timed_sample(t, 1);
    if (ns < 0 || !spot_end(t, s->check))
        return -1;
    keep_look(s, ns);
    return ns;
}

static bool sample_run(sampling *s)
{
    static const phase_name run = {.kind = PHASE_RUN};
    /* The same stores as before a run that is looked at, but of what is there. */
    if (!s->checked && s->batch == 1 && !trial_copies_elements(s->t))
        spot_store(s->check, false);
    const double ns = s->checked ? sample_checked(s) : timed_sample(s->t, s->batch);
    if (!s->checked)
        keep_pace(s, false, ns);
    return ns >= 0 && add_sample(s, &run, ns);
}

/* Adds what the plugin has recorded of a run. */
static bool add_recorded(sampling *s, double run_ns)
{
    trial *t = s->t;
    if (t->host->phase_unknown)
        trial_flag(t, PHASE_UNKNOWN_FLAG);
    if (t->host->time_bad)
        trial_flag(t, "bad_time");
    for (size_t i = 0; i < t->host->phase_count; i++) {
        double ns = t->host->phases[i].ns;
        if (!add_sample(s, &t->host->phases[i].name, ns))
            return false;
        /* Device clocks tick coarsely: a microsecond is no contradiction. */
        if (ns > run_ns * 1.01 + 1000)
            trial_flag(t, "device_exceeds_run");
    }
    return true;
}

/* One run with what the plugin records of it. */
static bool sample_recorded(sampling *s)
{
    trial *t = s->t;
    if ((s->checked && !spot_begin(t, s->check)) || !trial_restore(t) || !displace(t))
        return false;
    const trial_call call = trial_call_of(t);
    double start = clock_now_ns();
    worker_host_record(t->host, s->level);
    scan_status status = call.run(call.self, buffers_in(&t->buffers), buffers_out(&t->buffers));
    double run_ns = clock_now_ns() - start;
    worker_host_record(t->host, 0);
    trial_alone(t);
    if (trial_failed(t, status, STEP_RUN) || (s->checked && !spot_end(t, s->check)))
        return false;
    keep_pace(s, s->checked, run_ns);
    return add_recorded(s, run_ns);
}

/* Copy in, run, copy out. */
static bool sample_trip(sampling *s)
{
    static const phase_name e2e = {.kind = PHASE_E2E}, h2d = {.kind = PHASE_H2D},
                            d2h = {.kind = PHASE_D2H};
    trial *t = s->t;
    if ((s->checked && !spot_begin(t, s->check)) || !displace_for_copies(t))
        return false;
    const trial_call call = trial_call_of(t);
    double start = clock_now_ns();
    if (trial_failed(t, buffers_copy_in(&t->buffers), STEP_COPY_IN))
        return false;
    double ran = clock_now_ns();
    scan_status status = call.run(call.self, buffers_in(&t->buffers), buffers_out(&t->buffers));
    double done = clock_now_ns();
    trial_alone(t);
    if (trial_failed(t, status, STEP_RUN) ||
        trial_failed(t, buffers_copy_out(&t->buffers), STEP_COPY_OUT))
        return false;
    double stop = clock_now_ns();
    if (s->checked && !spot_end(t, s->check))
        return false;
    return add_sample(s, &e2e, stop - start) && add_sample(s, &h2d, ran - start) &&
           add_sample(s, &d2h, stop - done);
}

/* `count` samples of one sort. To record nothing is not a failure. */
static bool take_samples(sampling *s, uint32_t count, bool (*sample)(sampling *))
{
    bool good = true;
    s->last_step_ns = clock_now_ns();
    s->capacity = count;
    trial_step(s->t, STEP_SAMPLE);
    for (uint32_t i = 0; good && i < count; i++) {
        s->checked = i == s->looked_at;
        good = sample(s);
        trial_show_life(s->t, STEP_SAMPLE, &s->last_step_ns);
    }
    return good;
}

static bool take_runs(trial *t, const visit *v, spot_check *check)
{
    sampling s = {.t = t,
                  .batch = v->batch,
                  .last_step_ns = clock_now_ns(),
                  .check = check,
                  .looked_at = (uint32_t)unpredictable_below(v->samples)};
    trial_step(t, STEP_SAMPLE);
    const visit_spin before = spin_take();
    bool good = warm_up(&s, v) && watch_begin(t);
    const core_use start = core_use_now();
    good = good && take_samples(&s, v->samples, sample_run) && watch_end(t);
    core_use_keep(t, &start);
    const visit_spin after = spin_take();
    t->spin = spin_mean(&before, &after);
    cpu_watch_end_visit(&t->cpu_watch);
    good = good && spot_judge_outputs(t, check);
    spot_keep_pace(t, 0, s.changed_ns, s.same_ns);
    if (good) {
        watch_send(t, (uint64_t)v->samples * v->batch);
        send_series(&s);
    }
    free_series(&s);
    return good;
}

/* Looks at the same places as the look at a run did: that has put the input back. */
static bool take_others(sampling *s, uint32_t count, bool (*sample)(sampling *))
{
    trial *t = s->t;
    s->check->looked = false;
    s->looked_at = count ? (uint32_t)unpredictable_below(count) : 0;
    const bool good =
        count == 0 || (take_samples(s, count, sample) && spot_judge_outputs(t, s->check));
    if (good)
        send_series(s);
    free_series(s);
    return good;
}

/* What the plugin records at one level, unless it has recorded nothing before. */
static bool take_recorded(trial *t, const visit *v, uint32_t level, spot_check *check)
{
    const uint32_t bit = UINT32_C(1) << level;
    sampling s = {.t = t, .batch = 1, .level = level, .check = check};
    if (t->unrecorded & bit || v->recorded == 0)
        return true;
    const bool good = take_others(&s, v->recorded, sample_recorded);
    spot_keep_pace(t, level, s.changed_ns, s.same_ns);
    if (s.count == 0)
        t->unrecorded |= bit;
    return good;
}

bool sampling_visit(trial *t, const visit *v)
{
    spot_check check;
    sampling trips = {.t = t, .batch = 1, .check = &check};
    t->batch = v->batch;
    return spot_plan(t, &check) && take_runs(t, v, &check) &&
           take_recorded(t, v, SCAN_RECORD_DEVICE, &check) &&
           take_recorded(t, v, SCAN_RECORD_KERNELS, &check) &&
           (!t->plugin->memory || take_others(&trips, v->trips, sample_trip)) &&
           trial_guards_intact(t) && !trial_trespassed(t);
}

void sampling_send_create(const trial *t)
{
    trial_message(t, "phase");
    message_put_text(t->out, "name", phase_word(PHASE_CREATE));
    message_put_u64(t->out, "batch", 1);
    message_put_double(t->out, "samples", t->create_ns);
    message_end(t->out);
}
