#include "worker/cpu_watch.h"

#include "system/clock.h"
#include "worker/process_state.h"

#include <math.h>
#include <time.h>

/* The share of the clock's time that a run which was not interrupted has of the CPU, at least. */
#define WHOLE 0.98

static double thread_now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The least CPU time, over some tries, of an interval of `wall_ns` in which this thread only
 * reads the clock, less that interval. */
static double least_excess_ns(double wall_ns)
{
    double least = INFINITY;
    for (int i = 0; i < 20; i++) {
        const double cpu = thread_now_ns(), start = clock_now_ns();
        double took = 0;
        do
            took = clock_now_ns() - start;
        while (took < wall_ns);
        const double excess = thread_now_ns() - cpu - took;
        if (excess < least)
            least = excess;
    }
    return least;
}

/* Some systems count CPU time in ticks of milliseconds, which say nothing of a short run. */
static bool is_fine(double overhead_ns)
{
    const double spin_ns = 2e4;
    return overhead_ns > 0 && least_excess_ns(spin_ns) > -spin_ns / 2;
}

static bool has_one_thread(const scan_plugin *plugin)
{
    process_state_usage usage;
    for (size_t i = 0; i < plugin->tunable_count; i++)
        if (plugin->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return false;
    process_state_measure(&usage);
    return !plugin->memory && usage.threads <= 1;
}

void cpu_watch_begin(cpu_watch *w_p, const scan_plugin *plugin)
{
    const double overhead_ns = least_excess_ns(0);
    *w_p = (cpu_watch){.asks = has_one_thread(plugin) && is_fine(overhead_ns),
                       .overhead_ns = overhead_ns};
}

double cpu_watch_now_ns(const cpu_watch *w)
{
    return w->asks ? thread_now_ns() : 0;
}

double cpu_watch_since_ns(const cpu_watch *w, double start_ns)
{
    return w->asks ? thread_now_ns() - start_ns - w->overhead_ns : 0;
}

bool cpu_watch_interrupted(cpu_watch *w, double wall_ns, double cpu_ns)
{
    const bool cut = w->asks && cpu_ns < WHOLE * wall_ns;
    if (!cut)
        w->any_whole = true;
    return cut;
}

void cpu_watch_end_visit(cpu_watch *w)
{
    w->asks = w->asks && w->any_whole;
}
