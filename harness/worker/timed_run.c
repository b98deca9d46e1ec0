#include "worker/timed_run.h"

#include "system/clock.h"

#include <math.h>
#include <string.h>

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
    double cpu_ns; /* cpu_watch.h */
    uint64_t waits;
} run_time;

/* The state of the caches in which runs are timed. */
typedef enum timed_caches {
    AS_THEY_ARE,
    AS_ASKED /* by the job */
} timed_caches;

static bool displace_before(trial *e, run_time *time)
{
    if (e->job->cache == CACHE_HOT)
        return true;
    const double start = clock_now_ns();
    const bool good = displace(e);
    time->before_ns += clock_now_ns() - start;
    return good;
}

static uint64_t waits_of(trial *e)
{
    return e->job->processor_time ? cpu_watch_waits(&e->cpu_watch) : 0;
}

/* Runs `batch` times in one interval, and adds that. false if a run failed. */
static bool add_interval(trial *e, unsigned batch, timed_caches caches, run_time *time)
{
    scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    const trial_call call = trial_call_of(e);
    if (caches == AS_ASKED && !displace_before(e, time))
        return false;
    const uint64_t waits = waits_of(e);
    const double cpu = cpu_watch_now_ns(&e->cpu_watch);
    const double start = clock_now_ns();
    for (unsigned i = 0; i < batch; i++) {
        scan_status status = call.run(call.self, in, out);
        trial_alone(e);
        if (status != SCAN_OK)
            return !trial_failed(e, status, STEP_RUN);
    }
    time->wall_ns += clock_now_ns() - start;
    time->cpu_ns += cpu_watch_since_ns(&e->cpu_watch, cpu);
    time->waits += waits_of(e) - waits;
    return true;
}

/* The same in place: the input is put back before each run, outside the timing. */
static bool add_restored(trial *e, unsigned batch, timed_caches caches, run_time *time)
{
    for (unsigned i = 0; i < batch; i++)
        if (trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE) ||
            !add_interval(e, 1, caches, time))
            return false;
    return true;
}

static bool take(trial *e, unsigned batch, timed_caches caches, run_time *time_p)
{
    const bool restores = e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    *time_p = (run_time){0};
    return restores ? add_restored(e, batch, caches, time_p)
                    : add_interval(e, batch, caches, time_p);
}

double timed_run(trial *e, unsigned batch)
{
    run_time time;
    return take(e, batch, AS_THEY_ARE, &time) ? time.wall_ns / batch : -1;
}

double timed_sample(trial *e, unsigned batch)
{
    run_time time = {0};
    for (int tries = 0; tries < TRIES; tries++) {
        if (time.wall_ns > LONG_NS)
            trial_step(e, STEP_SAMPLE);
        if (!take(e, batch, AS_ASKED, &time))
            return -1;
        if (!cpu_watch_interrupted(&e->cpu_watch, time.wall_ns, time.cpu_ns))
            return time.wall_ns / batch;
    }
    if (!e->job->processor_time || time.waits > 0)
        return time.wall_ns / batch;
    cpu_watch_not_waiting(&e->cpu_watch);
    if (!strstr(e->flags, JOB_BY_PROCESSOR_FLAG))
        trial_flag(e, JOB_BY_PROCESSOR_FLAG);
    return time.cpu_ns / batch;
}

bool timed_run_changed(trial *e, unsigned others, const spot_stores *stores)
{
    const bool restores = e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    const scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    const trial_call call = trial_call_of(e);
    for (unsigned i = 0; i <= others; i++) {
        if (i == others)
            spot_stores_make(stores);
        if (restores && trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE))
            return false;
        const scan_status status = call.run(call.self, in, out);
        trial_alone(e);
        if (status != SCAN_OK)
            return !trial_failed(e, status, STEP_RUN);
    }
    return true;
}

/* Runs behind the first of a batch find their data where that left it, so that a cold run is
 * timed alone, even where that is too short for the clock. */
static unsigned batch_of(trial *e, double run_ns)
{
    const double needed = 200 * clock_overhead_ns() / (run_ns > 1 ? run_ns : 1);
    if (needed <= 1)
        return 1;
    if (e->job->cache == CACHE_HOT)
        return (unsigned)ceil(needed);
    trial_flag(e, "coarse_clock");
    return 1;
}

bool timed_run_estimate(trial *e, double limit_s, visit_estimate *estimate_p)
{
    const double end_ns = clock_now_ns() + limit_s * 1e9;
    visit_estimate shortest = {.run_ns = INFINITY, .before_ns = INFINITY};
    do {
        run_time time;
        if (!take(e, 1, AS_ASKED, &time))
            return false;
        shortest.run_ns = fmin(shortest.run_ns, time.wall_ns);
        shortest.before_ns = fmin(shortest.before_ns, time.before_ns);
    } while (clock_now_ns() < end_ns);
    shortest.batch = batch_of(e, shortest.run_ns);
    *estimate_p = shortest;
    return true;
}
