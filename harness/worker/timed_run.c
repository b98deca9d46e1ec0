#include "worker/timed_run.h"

#include "system/clock.h"

#include <math.h>

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

/* The time of runs by the clock, and by that of the thread's CPU time (cpu_watch.h). */
typedef struct run_time {
    double wall_ns, cpu_ns;
} run_time;

/* Runs `batch` times in one interval, and adds that. false if a run failed. */
static bool add_interval(trial *e, unsigned batch, run_time *time)
{
    scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    const double cpu = cpu_watch_now_ns(&e->watch);
    const double start = clock_now_ns();
    for (unsigned i = 0; i < batch; i++) {
        scan_status status = e->plugin->run(e->self, in, out);
        trial_alone(e);
        if (status != SCAN_OK)
            return !trial_failed(e, status, STEP_RUN);
    }
    time->wall_ns += clock_now_ns() - start;
    time->cpu_ns += cpu_watch_since_ns(&e->watch, cpu);
    return true;
}

/* The same in place: the input is put back before each run, outside the timing. */
static bool add_restored(trial *e, unsigned batch, run_time *time)
{
    for (unsigned i = 0; i < batch; i++)
        if (trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE) ||
            !add_interval(e, 1, time))
            return false;
    return true;
}

static bool take(trial *e, unsigned batch, run_time *time_p)
{
    const bool restores = e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    *time_p = (run_time){0};
    return restores ? add_restored(e, batch, time_p) : add_interval(e, batch, time_p);
}

double timed_run(trial *e, unsigned batch)
{
    run_time time;
    return take(e, batch, &time) ? time.wall_ns / batch : -1;
}

double timed_sample(trial *e, unsigned batch)
{
    run_time time = {0};
    for (int tries = 0; tries < TRIES; tries++) {
        if (time.wall_ns > LONG_NS)
            trial_step(e, STEP_SAMPLE);
        if (!take(e, batch, &time))
            return -1;
        if (!cpu_watch_interrupted(&e->watch, time.wall_ns, time.cpu_ns))
            break;
    }
    return time.wall_ns / batch;
}

bool timed_run_estimate(trial *e, double limit_s, visit_estimate *estimate_p)
{
    const double end_ns = clock_now_ns() + limit_s * 1e9;
    double shortest = INFINITY;
    do {
        double ns = timed_run(e, 1);
        if (ns < 0)
            return false;
        if (ns < shortest)
            shortest = ns;
    } while (clock_now_ns() < end_ns);
    const double needed = 200 * clock_overhead_ns() / (shortest > 1 ? shortest : 1);
    *estimate_p =
        (visit_estimate){.run_ns = shortest, .batch = needed > 1 ? (unsigned)ceil(needed) : 1};
    return true;
}
