#include "worker/cpu_watch.h"

#include "system/clock.h"
#include "worker/process_state.h"

#include <stdlib.h>
#include <sys/resource.h>
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

enum { TRIES = 20 };

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* The CPU times of intervals of `wall_ns` in which this thread only reads the clock, less those
 * intervals, in order. */
static void take_excess_ns(double wall_ns, double excess_ns[TRIES])
{
    for (int i = 0; i < TRIES; i++) {
        const double cpu = thread_now_ns(), start = clock_now_ns();
        double took = 0;
        do
            took = clock_now_ns() - start;
        while (took < wall_ns);
        excess_ns[i] = thread_now_ns() - cpu - took;
    }
    qsort(excess_ns, TRIES, sizeof *excess_ns, by_value);
}

/* What asking costs. Where the thread was interrupted, the interval had less CPU time. */
static double overhead_ns(void)
{
    double excess_ns[TRIES];
    take_excess_ns(0, excess_ns);
    return excess_ns[TRIES / 4];
}

/* Some systems count CPU time in ticks of milliseconds, which say nothing of a short run. */
static bool is_fine(double least_ns)
{
    const double spin_ns = 2e4;
    double excess_ns[TRIES];
    take_excess_ns(spin_ns, excess_ns);
    return least_ns > 0 && excess_ns[TRIES / 2] > -spin_ns / 2;
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
    const double costs_ns = overhead_ns();
    *w_p =
        (cpu_watch){.asks = has_one_thread(plugin) && is_fine(costs_ns), .overhead_ns = costs_ns};
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

void cpu_watch_not_waiting(cpu_watch *w)
{
    w->any_whole = true;
}

uint64_t cpu_watch_waits(const cpu_watch *w)
{
    struct rusage usage;
    return w->asks && getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
}

void cpu_watch_end_visit(cpu_watch *w)
{
    w->asks = w->asks && w->any_whole;
}
