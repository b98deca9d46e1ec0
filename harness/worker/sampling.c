#include "worker/measure.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/frozen.h"
#include "worker/process_state.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

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
    time->cpu_ns += cpu_watch_now_ns(&t->cpu_watch) - cpu - t->cpu_watch.overhead_ns;
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
    t->cpu_watch.state = CPU_WATCH_GOES_ON; /* it was interrupted, but did not wait */
    trial_flag(t, JOB_BY_PROCESSOR_FLAG);
    return time.cpu_ns / batch;
}

/* ---- a change in the middle of an interval -------------------------------------- */

/*
 * A thread that changes the input in the middle of an interval of runs: a change between two of
 * them would make a pause, which a plugin could tell by the clock. So another thread, on another
 * processing unit, changes the input and poisons outputs at a random moment. The thread that runs
 * notes which run begins, in every interval (interval_notes); it reads nothing that the other one
 * writes, because waiting for that would be a pause, too. The other one reads that note when its
 * changes are made. It lives for one interval.
 */
typedef struct changer {
    trial *t;
    const spot_check *check;
    double after_ns; /* from the first run of the interval to the changes */
    pthread_t thread;
    atomic_bool ready;
    unsigned begun; /* the run that had begun last when they were made */
    double cpu_ns;  /* that the thread took */
} changer;

/* Waits for the other thread without sleeping; where that has no core it gets this one, after some
 * microseconds. */
static void spin_until(const atomic_bool *done)
{
    enum { SPINS = 1 << 14 };
    for (unsigned i = 1; !atomic_load_explicit(done, memory_order_acquire); i++)
        if (i % SPINS == 0)
            sched_yield();
}

static void *change(void *context)
{
    changer *c = context;
    atomic_store(&c->ready, true);
    spin_until(&c->t->notes.begun);
    const double end_ns = clock_now_ns() + c->after_ns;
    while (clock_now_ns() < end_ns)
        ;
    spot_store(c->check, true);
    atomic_thread_fence(memory_order_seq_cst);
    c->begun = atomic_load_explicit(&c->t->notes.run, memory_order_relaxed);
    c->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

/* A unit that this process may use, but not the one that this thread is on. */
static bool choose_unit(const cpu_topology *machine, cpu_set_t *unit_p)
{
    cpu_set_t others = topology_units(machine);
    const int here = sched_getcpu();
    if (here < 0)
        return false;
    CPU_CLR((size_t)here, &others);
    return topology_pick_unit(&others, unpredictable(), unit_p);
}

/* Starts the thread, which waits for the next interval. false where this process may use no other
 * processing unit, or there is no thread to be had. Ended by end_changer. */
static bool start_changer(changer *c_p, trial *t, const spot_check *check, double after_ns)
{
    cpu_set_t unit;
    pthread_attr_t attributes;
    atomic_store(&t->notes.run, 0);
    atomic_store(&t->notes.begun, false);
    *c_p = (changer){.t = t, .check = check, .after_ns = after_ns};
    if (!choose_unit(t->host->machine, &unit) || pthread_attr_init(&attributes) != 0)
        return false;
    const bool started = pthread_attr_setaffinity_np(&attributes, sizeof unit, &unit) == 0 &&
                         pthread_create(&c_p->thread, &attributes, change, c_p) == 0;
    pthread_attr_destroy(&attributes);
    /* Both must be running when the interval begins: who sleeps here may come back too late. */
    if (started)
        spin_until(&c_p->ready);
    return started;
}

/* Stores that a core has made and others do not see yet: more than any has room for. */
#define UNSEEN_STORES 128
/* Of a run besides its outputs, at least: the return address, what is saved, which run it is. */
#define RUN_STORES 3
/* Of outputs, at most. */
#define STORE_BYTES 64

/* Waits until they are made and ends the thread. Returns the number, in the interval, of the first
 * run that is certain to have found all of them. */
static uint64_t end_changer(changer *c)
{
    pthread_join(c->thread, NULL);
    watch_leave_out(c->t, c->cpu_ns);
    const uint64_t bytes = job_out_bytes(c->t->job);
    /* What is said to be the last run may lag behind by runs whose stores are on their way: behind
     * a store to a word that was poisoned, which has to come from the other core. */
    return c->begun + 2 + UNSEEN_STORES / (bytes / STORE_BYTES + RUN_STORES);
}

/* An interval of runs, in the middle of which another thread changes the input; untimed. *seen_p:
 * did a run begin after that? false if a run failed. */
static bool changed_interval(trial *t, unsigned batch, double ns, const spot_check *check,
                             bool *seen_p)
{
    changer c;
    run_time time;
    *seen_p = false;
    if (!start_changer(&c, t, check, 1e-3 * (double)(50 + unpredictable_below(700)) * ns))
        return true;
    const bool good = take_time(t, batch, AS_THEY_ARE, &time);
    *seen_p = end_changer(&c) < batch;
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
    bool seen = false;
    for (int i = 0; !seen && i < tries; i++) {
        if (!changed_interval(t, runs, ns, check, &seen) ||
            (!seen && !spot_put_all(t, check, true)))
            return false;
        trial_show_life(t, STEP_SAMPLE);
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

/* ---- how long one takes --------------------------------------------------------- */

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

bool timed_run_estimate(trial *t, double limit_s)
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
    t->estimate = shortest;
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
    double ns[VISIT_SAMPLES_MOST];
} series;

/* The samples of a visit; of the phases that are taken together: */
typedef struct sampling {
    trial *t;
    spot_check check; /* of one sample, */
    series series[SERIES];
    size_t count;
    unsigned batch;
    uint32_t level;     /* SCAN_RECORD_*, or 0: nothing is recorded */
    uint32_t looked_at; /* which of the samples that is */
    bool checked;       /* is the output of the sample at hand looked at? */
} sampling;

static bool add_sample(sampling *s, const phase_name *name, double ns)
{
    size_t i = 0;
    while (i < s->count && !phase_equal(&s->series[i].name, name))
        i++;
    if (i == SERIES)
        return !trial_failed(s->t, SCAN_NO_MEMORY, STEP_STORE);
    series *to = &s->series[i];
    if (i == s->count) {
        to->name = *name;
        to->count = 0;
        s->count++;
    }
    if (to->count < VISIT_SAMPLES_MOST)
        to->ns[to->count++] = ns;
    return true;
}

static void send_series(const sampling *s)
{
    FILE *out = s->t->out;
    for (size_t i = 0; i < s->count; i++) {
        const series *one = &s->series[i];
        char name[PHASE_TEXT_BYTES];
        message_answer(out, "phase", *s->t->serial);
        message_put_text(out, "name", phase_print(&one->name, name));
        message_put_u64(out, "batch", s->batch);
        fputs("\tsamples=", out);
        for (size_t k = 0; k < one->count; k++)
            fprintf(out, "%s%.6g", k ? "," : "", one->ns[k]);
        message_end(out);
    }
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
        trial_show_life(s->t, STEP_SAMPLE);
    }
    return true;
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
        return timed_run_changed(t, s->batch, s->batch * run_ns, &s->check) &&
               spot_end(t, &s->check);
    if ((others > 0 && timed_run(t, others) < 0) || !spot_begin(t, &s->check) ||
        (ns = timed_run(t, 1)) < 0 || !spot_end(t, &s->check))
        return false;
    spot_keep_run(t, &s->check, ns);
    return true;
}

/* A sample whose output is looked at. In a batch no run can be looked at without adding to its
 * time. */
static double sample_checked(sampling *s)
{
    trial *t = s->t;
    if (s->batch > 1) {
        const double ns = timed_sample(t, s->batch);
        spot_keep_least(&s->check.same_ns, ns);
        return ns >= 0 && look_in_batch(s, ns) ? ns : -1;
    }
    if (!spot_begin(t, &s->check))
        return -1;
    const double ns = timed_sample(t, 1);
    if (ns < 0 || !spot_end(t, &s->check))
        return -1;
    spot_keep_run(t, &s->check, ns);
    return ns;
}

static bool sample_run(sampling *s)
{
    static const phase_name run = {.kind = PHASE_RUN};
    /* The same stores as before a run that is looked at, but of what is there. */
    if (!s->checked && s->batch == 1 && !trial_copies_elements(s->t))
        spot_store(&s->check, false);
    const double ns = s->checked ? sample_checked(s) : timed_sample(s->t, s->batch);
    if (!s->checked)
        spot_keep_least(&s->check.same_ns, ns);
    return ns >= 0 && add_sample(s, &run, ns);
}

/* Adds what the plugin has recorded of a run. */
static bool add_recorded(sampling *s, double run_ns)
{
    trial *t = s->t;
    if (t->host->mistakes[HOST_BAD_PHASE].code != FAULT_NONE)
        trial_flag(t, PHASE_UNKNOWN_FLAG);
    if (t->host->mistakes[HOST_BAD_TIME].code != FAULT_NONE)
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
    if ((s->checked && !spot_begin(t, &s->check)) || !trial_restore(t) || !displace(t))
        return false;
    const trial_call call = trial_call_of(t);
    double start = clock_now_ns();
    worker_host_record(t->host, s->level);
    scan_status status = call.run(call.self, buffers_in(&t->buffers), buffers_out(&t->buffers));
    double run_ns = clock_now_ns() - start;
    worker_host_record(t->host, 0);
    trial_alone(t);
    if (trial_failed(t, status, STEP_RUN) || (s->checked && !spot_end(t, &s->check)))
        return false;
    if (s->checked)
        s->check.changed_ns = run_ns;
    else
        spot_keep_least(&s->check.same_ns, run_ns);
    return add_recorded(s, run_ns);
}

/* Copy in, run, copy out. */
static bool sample_trip(sampling *s)
{
    static const phase_name e2e = {.kind = PHASE_E2E}, h2d = {.kind = PHASE_H2D},
                            d2h = {.kind = PHASE_D2H};
    trial *t = s->t;
    if ((s->checked && !spot_begin(t, &s->check)) || !displace_for_copies(t))
        return false;
    const trial_call call = trial_call_of(t);
    double start = clock_now_ns();
    if (trial_failed(t, buffers_each(&t->buffers, part_copy_in), STEP_COPY_IN))
        return false;
    double ran = clock_now_ns();
    scan_status status = call.run(call.self, buffers_in(&t->buffers), buffers_out(&t->buffers));
    double done = clock_now_ns();
    trial_alone(t);
    if (trial_failed(t, status, STEP_RUN) ||
        trial_failed(t, buffers_each(&t->buffers, part_copy_out), STEP_COPY_OUT))
        return false;
    double stop = clock_now_ns();
    if (s->checked && !spot_end(t, &s->check))
        return false;
    return add_sample(s, &e2e, stop - start) && add_sample(s, &h2d, ran - start) &&
           add_sample(s, &d2h, stop - done);
}

/* Begins the phases that are taken together, which `count` samples have. */
static void begin_series(sampling *s, unsigned batch, uint32_t level, uint32_t count)
{
    s->count = 0;
    s->batch = batch;
    s->level = level;
    s->looked_at = count ? (uint32_t)unpredictable_below(count) : 0;
    s->check.changed_ns = s->check.same_ns = 0;
}

/* `count` samples of one sort. To record nothing is not a failure. */
static bool take_samples(sampling *s, uint32_t count, bool (*sample)(sampling *))
{
    bool good = true;
    trial_step(s->t, STEP_SAMPLE);
    for (uint32_t i = 0; good && i < count; i++) {
        s->checked = i == s->looked_at;
        good = sample(s);
        trial_show_life(s->t, STEP_SAMPLE);
    }
    return good;
}

static bool take_runs(sampling *s, const visit *v)
{
    trial *t = s->t;
    begin_series(s, v->batch, 0, v->samples);
    trial_step(t, STEP_SAMPLE);
    const double before_ns = spin_take_ns();
    bool good = warm_up(s, v);
    watch_begin(t);
    good = good && take_samples(s, v->samples, sample_run);
    watch_end(t);
    t->estimate.spin_ns = (before_ns + spin_take_ns()) / 2;
    cpu_watch_end_visit(&t->cpu_watch);
    good = good && spot_judge_outputs(t, &s->check);
    spot_keep_pace(t, 0, &s->check);
    if (good) {
        watch_send(t, (uint64_t)v->samples * v->batch);
        send_series(s);
    }
    return good;
}

/* Looks at the same places as the look at a run did: that has put the input back. */
static bool take_others(sampling *s, uint32_t level, uint32_t count, bool (*sample)(sampling *))
{
    s->check.looked = false;
    begin_series(s, 1, level, count);
    if (count > 0 && !(take_samples(s, count, sample) && spot_judge_outputs(s->t, &s->check)))
        return false;
    send_series(s);
    return true;
}

/* What the plugin records at one level, unless it has recorded nothing before. */
static bool take_recorded(sampling *s, const visit *v, uint32_t level)
{
    trial *t = s->t;
    const uint32_t bit = UINT32_C(1) << level;
    if (t->unrecorded & bit || v->recorded == 0)
        return true;
    const bool good = take_others(s, level, v->recorded, sample_recorded);
    spot_keep_pace(t, level, &s->check);
    if (s->count == 0)
        t->unrecorded |= bit;
    return good;
}

/* A graph holds many runs, behind the first of which the caches are hot; and may leave an instance
 * in another state than runs do, so that this one is measured no more. */
static bool take_graphs(sampling *s, const visit *v)
{
    enum { GRAPHS = 2 };
    trial *t = s->t;
    const uint32_t bit = UINT32_C(1) << SCAN_RECORD_GRAPH;
    if (v->recorded == 0 || !trial_knows_graphs(t) || t->job->cache != CACHE_HOT ||
        t->unrecorded & bit)
        return true;
    const uint32_t count = v->recorded < GRAPHS ? v->recorded : GRAPHS;
    if (!take_others(s, SCAN_RECORD_GRAPH, count, sample_recorded))
        return false;
    if (s->count == 0)
        t->unrecorded |= bit;
    return trial_guards_intact(t) && trial_renew(t);
}

bool sampling_visit(trial *t, const visit *v)
{
    sampling s = {.t = t};
    t->batch = v->batch;
    return spot_plan(t, &s.check) && take_runs(&s, v) && take_recorded(&s, v, SCAN_RECORD_DEVICE) &&
           take_recorded(&s, v, SCAN_RECORD_KERNELS) &&
           (!t->plugin->memory || take_others(&s, 0, v->trips, sample_trip)) &&
           trial_guards_intact(t) && take_graphs(&s, v) && !trial_trespassed(t);
}

void sampling_send_create(const trial *t)
{
    message_answer(t->out, "phase", *t->serial);
    message_put_text(t->out, "name", phase_word(PHASE_CREATE));
    message_put_u64(t->out, "batch", 1);
    message_put_double(t->out, "samples", t->create_ns);
    message_end(t->out);
}
