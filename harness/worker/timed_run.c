#include "worker/timed_run.h"

#include "system/clock.h"

#include <math.h>

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

/* The time of one run in place, without that of restoring its input; negative if it
 * failed. */
static double restored_run(trial *e)
{
    scan_status status = buffers_restore(&e->buffers);
    if (trial_failed(e, status, STEP_RESTORE))
        return -1;
    double start = clock_now_ns();
    status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double took = clock_now_ns() - start;
    trial_alone(e);
    return trial_failed(e, status, STEP_RUN) ? -1 : took;
}

static double restored_runs(trial *e, unsigned batch)
{
    double sum = 0;
    for (unsigned i = 0; i < batch; i++) {
        double ns = restored_run(e);
        if (ns < 0)
            return ns;
        sum += ns;
    }
    return sum / batch;
}

double timed_run(trial *e, unsigned batch)
{
    scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    if (e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY)
        return restored_runs(e, batch);
    double start = clock_now_ns();
    for (unsigned i = 0; i < batch; i++) {
        scan_status status = e->plugin->run(e->self, in, out);
        trial_alone(e);
        if (status != SCAN_OK)
            return trial_failed(e, status, STEP_RUN), -1.0;
    }
    return (clock_now_ns() - start) / batch;
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
