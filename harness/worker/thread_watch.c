#include "worker/thread_watch.h"

#include "worker/thread_hook.h"

#include <dirent.h>
#include <stdlib.h>
#include <time.h>

/* Threads lacked cores only if they computed for more than these shares of the time: */
#define LEAST_SHARE 0.05 /* all, of the time of the cores; else they waited for something else */
#define LEAST_AWAKE_SHARE 0.01 /* those besides the calling one, of all CPU time */
#define LEAST_COLD_SHARE 0.001 /* the same, of a time that includes displacing the caches */

static double clock_ns(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The clock of a thread's CPU time, as Linux numbers them. */
static clockid_t clock_of(pid_t thread)
{
    return (clockid_t)(~(unsigned)thread << 3 | 6u);
}

static void read_others(thread_times *t)
{
    DIR *tasks = opendir("/proc/self/task");
    const pid_t self = gettid();
    t->count = 0;
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        const pid_t thread = (pid_t)strtol(task->d_name, NULL, 10);
        if (thread <= 0 || thread == self || t->count == THREAD_WATCH_MOST)
            continue;
        t->others[t->count].id = thread;
        t->others[t->count++].ns = clock_ns(clock_of(thread));
    }
    if (tasks)
        closedir(tasks);
}

static void read_times(thread_times *t)
{
    read_others(t);
    t->started = thread_hook_started();
    t->process_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    t->main_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static double time_before(const thread_times *t, pid_t thread)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->others[i].id == thread)
            return t->others[i].ns;
    return 0;
}

/* The cores that the configuration has, and whether the plugin declares how many threads it uses.
 */
static uint32_t cores_of(const trial *e, bool *declared_p)
{
    const uint32_t places = e->host->host.places;
    *declared_p = false;
    for (uint32_t i = 0; i < e->plugin->tunable_count && i < e->job->tunable_count; i++) {
        const int64_t value = e->job->tunables[i];
        if (!(e->plugin->tunables[i].flags & SCAN_TUNABLE_THREADS))
            continue;
        *declared_p = true;
        return value > 0 && value < (int64_t)places ? (uint32_t)value : places;
    }
    return places;
}

/* CPU times of threads. */
typedef struct spread {
    double sum, squares;
} spread;

/* The time of so many threads together. */
static void add(spread *s, double ns, double threads)
{
    if (ns <= 0)
        return;
    s->sum += ns;
    s->squares += ns * ns / threads;
}

/* How many threads, each computing equally long, would have the same sums. A thread that only hands
 * work to others so counts little. */
static double equal_threads(const spread *s)
{
    return s->squares > 0 ? s->sum * s->sum / s->squares : 0;
}

/* How many of the threads that ended meanwhile a run had at once. For threads that are never joined
 * only their number per run is known. */
static double ended_at_once(const thread_watch *w, uint64_t runs)
{
    const uint64_t begun = w->end.started - w->start.started;
    const uint64_t each = runs > 0 ? (begun + runs / 2) / runs : 0;
    const uint64_t threads = each < w->most ? each : w->most;
    return threads > 1 ? (double)threads : 1;
}

/* All threads but the calling one. */
static spread others_of(const thread_watch *w, uint64_t runs)
{
    const thread_times *a = &w->start, *b = &w->end;
    double ended_ns = b->process_ns - a->process_ns - (b->main_ns - a->main_ns);
    spread others = {0};
    for (size_t i = 0; i < b->count; i++) {
        const double ns = b->others[i].ns - time_before(a, b->others[i].id);
        ended_ns -= ns;
        add(&others, ns, 1);
    }
    if (b->started > a->started)
        add(&others, ended_ns, ended_at_once(w, runs));
    return others;
}

/* Where caches are displaced between the samples, that is most of what the calling thread does. */
static double threads_when_cold(const spread *others, double ns)
{
    return others->sum > LEAST_COLD_SHARE * ns ? equal_threads(others) : 1;
}

/* On one core, threads that wake find that the calling one has done most of the work. Where a
 * plugin declares how many it uses, different ones may wake in different runs. */
static double threads_when_hot(const spread *others, double main_ns, bool declared)
{
    spread all = *others;
    add(&all, main_ns, 1);
    const double threads = equal_threads(&all), awake = equal_threads(others);
    return !declared && awake >= 1.5 && others->sum > LEAST_AWAKE_SHARE * all.sum && awake > threads
               ? awake
               : threads;
}

static bool is_watched(const trial *e)
{
    return !e->plugin->memory && !e->ranks;
}

void thread_watch_open(thread_watch *w)
{
    w->asked_before = thread_hook_asked();
}

void thread_watch_begin(thread_watch *w, const trial *e)
{
    if (!is_watched(e))
        return;
    read_times(&w->start);
    thread_hook_begin();
}

void thread_watch_end(thread_watch *w, const trial *e)
{
    if (!is_watched(e))
        return;
    read_times(&w->end);
    w->most = thread_hook_most();
}

void thread_watch_tell(const thread_watch *w, const trial *e, uint64_t runs, watch *seen)
{
    bool declared;
    if (!is_watched(e))
        return;
    const uint32_t cores = cores_of(e, &declared);
    const double main_ns = w->end.main_ns - w->start.main_ns;
    const spread others = others_of(w, runs);
    const bool computed = main_ns + others.sum > LEAST_SHARE * cores * seen->ns;
    const double threads = e->job->cache == CACHE_HOT ? threads_when_hot(&others, main_ns, declared)
                                                      : threads_when_cold(&others, seen->ns);
    watch_set(seen, WATCH_CORES, cores);
    watch_set(seen, WATCH_THREADS, computed && threads > 1 ? (uint32_t)(threads + 0.5) : 1);
    watch_set(seen, WATCH_CORES_ASKED, !declared && thread_hook_asked() > w->asked_before);
}
