#include "worker/watch.h"

#include "system/clock.h"
#include "system/machine_state.h"
#include "system/process_tree.h"
#include "worker/measure.h"
#include "worker/process_state.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- was a run interrupted? ---------------------------------------------------- */

/* The share of the clock's time that a run which was not interrupted has of the CPU, at least. */
#define WHOLE 0.98

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
        const double cpu = clock_read_ns(CLOCK_THREAD_CPUTIME_ID), start = clock_now_ns();
        double took = 0;
        do
            took = clock_now_ns() - start;
        while (took < wall_ns);
        excess_ns[i] = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - cpu - took;
    }
    qsort(excess_ns, TRIES, sizeof *excess_ns, by_value);
}

static bool has_one_thread(const trial *t)
{
    pid_t other;
    for (size_t i = 0; i < t->plugin->tunable_count; i++)
        if (t->plugin->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return false;
    return !t->plugin->memory && !t->host->python && process_state_others(&other, 1) == 0;
}

void cpu_watch_begin(cpu_watch *w_p, const trial *t)
{
    const double spin_ns = 2e4;
    double excess_ns[TRIES];
    take_excess_ns(0, excess_ns);
    /* What asking costs. Where the thread was interrupted, the interval had less CPU time. */
    *w_p = (cpu_watch){.overhead_ns = excess_ns[TRIES / 4]};
    if (!has_one_thread(t) || w_p->overhead_ns <= 0)
        return;
    /* Some systems count CPU time in ticks of milliseconds, which say nothing of a short run. */
    take_excess_ns(spin_ns, excess_ns);
    if (excess_ns[TRIES / 2] > -spin_ns / 2)
        w_p->state = CPU_WATCH_TRIES;
}

double cpu_watch_now_ns(const cpu_watch *w)
{
    return w->state ? clock_read_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
}

bool cpu_watch_interrupted(cpu_watch *w, double wall_ns, double cpu_ns)
{
    const bool cut = w->state && cpu_ns < WHOLE * wall_ns;
    if (w->state && !cut)
        w->state = CPU_WATCH_GOES_ON;
    return cut;
}

uint64_t cpu_watch_waits(const cpu_watch *w)
{
    struct rusage usage;
    return w->state && getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
}

void cpu_watch_end_visit(cpu_watch *w)
{
    if (w->state == CPU_WATCH_TRIES)
        w->state = CPU_WATCH_OFF;
}

/* ---- the GPU, by NVIDIA's management library (NVML) ---------------------------- */

/* NVML's interface, as far as it is used here. Every function returns 0 if it succeeds. */
typedef struct nvml_device *nvml_device;
enum { NVML_SM_CLOCK = 1, NVML_GPU_TEMPERATURE = 0 };

/* One process; the third version of the call and the second have the same struct. */
typedef struct nvml_process {
    unsigned pid;
    unsigned long long memory_bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;

/* Reasons for a lower clock. Those left out are none of the machine's trouble: idle, a clock that
 * somebody set, boards that keep in step. */
static const struct {
    unsigned long long nvml;
    throttle_reason reason;
} reasons[] = {
    {0x04, THROTTLE_POWER_CAP}, {0x08, THROTTLE_SLOWDOWN}, {0x20, THROTTLE_THERMAL},
    {0x40, THROTTLE_THERMAL},   {0x80, THROTTLE_BRAKE},
};

enum { MOST_PROCESSES = 256 };

typedef struct gpu_watch {
    void *library;
    nvml_device device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*find)(const char *pci, nvml_device *device_p);
    int (*clock)(nvml_device device, int type, unsigned *mhz_p);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius_p);
    int (*throttle)(nvml_device device, unsigned long long *reasons_p);
    int (*processes)(nvml_device device, unsigned *count_p, nvml_process *processes);
} gpu_watch;

/* The function by one of two names: drivers differ in age. NULL is kept where there is neither. */
static bool look_up(const gpu_watch *g, const char *name, const char *older, void *function_p)
{
    void *found = dlsym(g->library, name);
    if (!found && older)
        found = dlsym(g->library, older);
    memcpy(function_p, &found, sizeof found); /* ISO C has no cast from data to functions */
    return found != NULL;
}

static bool load(gpu_watch *g)
{
    g->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!g->library || !look_up(g, "nvmlInit_v2", NULL, &g->init) ||
        !look_up(g, "nvmlShutdown", NULL, &g->shutdown) ||
        !look_up(g, "nvmlDeviceGetHandleByPciBusId_v2", NULL, &g->find))
        return false;
    look_up(g, "nvmlDeviceGetClockInfo", NULL, &g->clock);
    look_up(g, "nvmlDeviceGetTemperature", NULL, &g->temperature);
    look_up(g, "nvmlDeviceGetCurrentClocksEventReasons",
            "nvmlDeviceGetCurrentClocksThrottleReasons", &g->throttle);
    look_up(g, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
            &g->processes);
    return true;
}

/* NULL where there is no library, or no GPU of that PCI address is known to it. */
static gpu_watch *gpu_watch_open(const char *pci)
{
    gpu_watch *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    const bool usable = load(g) && g->init() == 0;
    if (usable && g->find(pci, &g->device) == 0)
        return g;
    if (usable)
        g->shutdown();
    if (g->library)
        dlclose(g->library);
    free(g);
    return NULL;
}

static void gpu_watch_close(gpu_watch *g)
{
    if (!g)
        return;
    g->shutdown();
    dlclose(g->library);
    free(g);
}

/* Counts the processes outside this run of scanbench: the supervisor's other workers hold contexts
 * too. Unknown where this process is not in the list: then the numbers are those of another
 * namespace, and nobody can be told apart. */
static void count_processes(const gpu_watch *g, watch *w)
{
    nvml_process all[MOST_PROCESSES];
    unsigned count = MOST_PROCESSES;
    uint32_t others = 0;
    bool found = false;
    if (!g->processes || g->processes(g->device, &count, all) != 0 || count > MOST_PROCESSES)
        return;
    for (unsigned i = 0; i < count; i++) {
        found |= (pid_t)all[i].pid == getpid();
        others += !process_tree_descends((pid_t)all[i].pid, getppid());
    }
    if (found)
        watch_set(w, WATCH_GPU_PROCESSES, others);
}

/* Sets what the library says now: clock, temperature, throttling, other processes. */
static void gpu_watch_read(gpu_watch *g, watch *w)
{
    unsigned value;
    unsigned long long nvml;
    if (g->clock && g->clock(g->device, NVML_SM_CLOCK, &value) == 0)
        watch_set(w, WATCH_GPU_MHZ, value);
    if (g->throttle && g->throttle(g->device, &nvml) == 0) {
        uint32_t bits = 0;
        for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
            if (nvml & reasons[i].nvml)
                bits |= UINT32_C(1) << reasons[i].reason;
        watch_set(w, WATCH_GPU_THROTTLE, bits);
    }
    if (g->temperature && g->temperature(g->device, NVML_GPU_TEMPERATURE, &value) == 0)
        watch_set(w, WATCH_GPU_TEMPERATURE, value);
    count_processes(g, w);
}

/* ---- threads and their cores --------------------------------------------------- */

/* Threads lacked cores only if they computed for more than these shares of the time: */
#define LEAST_SHARE 0.05 /* all, of the time of the cores; else they waited for something else */
#define LEAST_AWAKE_SHARE 0.01 /* those besides the calling one, of all CPU time */
#define LEAST_COLD_SHARE 0.001 /* the same, of a time that includes displacing the caches */

static double time_before(const watch_moment *m, pid_t thread)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->others[i].id == thread)
            return m->others[i].ns;
    return 0;
}

/* The cores that the configuration has, and whether the plugin declares how many threads it uses.
 */
static uint32_t cores_of(const trial *t, bool *declared_p)
{
    const uint32_t places = t->host->host.places;
    *declared_p = false;
    for (uint32_t i = 0; i < t->plugin->tunable_count && i < t->job->tunable_count; i++) {
        const int64_t value = t->job->tunables[i];
        if (!(t->plugin->tunables[i].flags & SCAN_TUNABLE_THREADS))
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
static double ended_at_once(const worker_watch *w, uint64_t runs)
{
    const uint64_t begun = w->end.threads.started - w->start.threads.started;
    const uint64_t each = runs > 0 ? (begun + runs / 2) / runs : 0;
    const uint64_t threads = each < w->end.threads.most ? each : w->end.threads.most;
    return threads > 1 ? (double)threads : 1;
}

/* All threads but the calling one. */
static spread others_of(const worker_watch *w, uint64_t runs)
{
    const watch_moment *a = &w->start, *b = &w->end;
    double ended_ns = b->process_ns - a->process_ns - (b->main_ns - a->main_ns);
    spread others = {0};
    for (size_t i = 0; i < b->count; i++) {
        const double ns = b->others[i].ns - time_before(a, b->others[i].id);
        ended_ns -= ns;
        add(&others, ns, 1);
    }
    if (b->threads.started > a->threads.started)
        add(&others, ended_ns, ended_at_once(w, runs));
    return others;
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

/* Does the plugin compute on the CPU, for this process alone? */
static bool is_watched(const trial *t)
{
    return !t->plugin->memory && !t->ranks;
}

/* Are its threads this process's? */
static bool has_threads_here(const trial *t)
{
    return is_watched(t) && !t->host->python;
}

/* Sets what was seen of threads while the plugin ran `runs` times. */
static void tell_threads(const trial *t, uint64_t runs)
{
    const worker_watch *w = t->watch;
    watch *seen = &t->watch->seen;
    bool declared;
    if (!has_threads_here(t))
        return;
    const uint32_t cores = cores_of(t, &declared);
    const double main_ns = w->end.main_ns - w->start.main_ns;
    const spread others = others_of(w, runs);
    const bool computed = main_ns + others.sum > LEAST_SHARE * cores * seen->ns;
    double threads = 1;
    if (t->job->cache == CACHE_HOT)
        threads = threads_when_hot(&others, main_ns, declared);
    else if (others.sum > LEAST_COLD_SHARE * seen->ns) /* displacing is most of the calling one's */
        threads = equal_threads(&others);
    watch_set(seen, WATCH_CORES, cores);
    watch_set(seen, WATCH_THREADS, computed && threads > 1 ? (uint32_t)(threads + 0.5) : 1);
    watch_set(seen, WATCH_CORES_ASKED, !declared && thread_hook_counts().asked > w->asked_before);
}

/* ---- more cores than declared --------------------------------------------------- */

/* The system counts the time of other threads in ticks of some milliseconds. */
#define EXCESS_NS 4e6
#define INTERVAL_NS 2e7
#define INTERVALS_NS 1e9
#define REST_NS 1.1e9

/* Cores more than so many times the declared ones. */
#define MORE 1.25

/* The CPU time of the process beyond the clock's time of the declared cores: the work of others. */
static double excess_of(const trial *t, const watch_moment *from, const watch_moment *to)
{
    bool declared;
    return to->process_ns - from->process_ns -
           MORE * cores_of(t, &declared) * (to->wall_ns - from->wall_ns);
}

/* ---- the visit ----------------------------------------------------------------- */

/* Asking the system may take milliseconds: this often at most, and for a twentieth of the time. */
#define ASK_EVERY_NS 5e7
#define ASK_SHARE 20

void watch_open(trial *t)
{
    worker_watch *w = t->watch;
    if (w->plugin == t->plugin && w->device == t->device)
        return;
    gpu_watch_close(w->gpu);
    *w = (worker_watch){.plugin = t->plugin, .device = t->device};
    w->asked_before = thread_hook_counts().asked;
    scan_device device = {.struct_size = sizeof device};
    if (!t->plugin->probe)
        return;
    if (t->plugin->probe(&t->host->host, t->exported, t->device, &device) != SCAN_OK) {
        t->host->reason[0] = '\0'; /* it is no reason for anything later */
        return;
    }
    device.pci[sizeof device.pci - 1] = '\0';
    if (*device.pci)
        w->gpu = gpu_watch_open(device.pci);
}

static void read_threads(watch_moment *m)
{
    pid_t others[WATCH_THREADS_MOST];
    m->count = process_state_others(others, WATCH_THREADS_MOST);
    for (size_t i = 0; i < m->count; i++) {
        /* the clock of a thread's CPU time, as Linux numbers them */
        const clockid_t clock = (clockid_t)(~(unsigned)others[i] << 3 | 6u);
        m->others[i].id = others[i];
        m->others[i].ns = clock_read_ns(clock);
    }
    m->threads = thread_hook_counts();
}

static void read_clocks(const trial *t, watch_moment *m)
{
    m->usage = (struct rusage){0};
    /* Of the calling thread where the plugin has no other. */
    getrusage(topology_places(t->host->machine) == 1 ? RUSAGE_THREAD : RUSAGE_SELF, &m->usage);
    m->process_ns =
        t->host->python ? python_cpu_ns(t->host->python) : clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
    m->main_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    m->wall_ns = clock_now_ns();
}

void watch_begin(trial *t)
{
    worker_watch *w = t->watch;
    if (has_threads_here(t)) {
        read_threads(&w->start);
        thread_hook_begin();
    }
    read_clocks(t, &w->start);
}

void watch_end(trial *t)
{
    worker_watch *w = t->watch;
    const struct rusage *before = &w->start.usage, *after = &w->end.usage;
    read_clocks(t, &w->end);
    if (has_threads_here(t))
        read_threads(&w->end);
    w->seen.ns = w->end.wall_ns - w->start.wall_ns;
    w->seen.switches = (uint64_t)(after->ru_nivcsw - before->ru_nivcsw);
    w->seen.faults = (uint64_t)(after->ru_minflt - before->ru_minflt) +
                     (uint64_t)(after->ru_majflt - before->ru_majflt);
    t->excess_ns += fmax(0, excess_of(t, &w->start, &w->end));
}

void watch_leave_out(trial *t, double cpu_ns)
{
    t->watch->start.process_ns += cpu_ns;
    t->watch->start.threads.started++;
}

/* The GPU first: its clock falls when it has nothing to do. */
static void ask(worker_watch *w)
{
    const double start = clock_now_ns();
    if (start < w->next_ns)
        return;
    memset(w->seen.values, 0, sizeof w->seen.values);
    if (w->gpu)
        gpu_watch_read(w->gpu, &w->seen);
    const int pu = sched_getcpu();
    const unsigned mhz = pu < 0 ? 0 : cpu_clock_mhz((unsigned)pu);
    if (mhz)
        watch_set(&w->seen, WATCH_CPU_MHZ, mhz);
    const double end = clock_now_ns(), wait = (end - start) * ASK_SHARE;
    w->next_ns = end + (wait > ASK_EVERY_NS ? wait : ASK_EVERY_NS);
}

void watch_send(trial *t, uint64_t runs)
{
    ask(t->watch);
    tell_threads(t, runs);
    message_answer(t->out, "watch", *t->serial);
    watch_put(t->out, &t->watch->seen);
    message_end(t->out);
}

/* ---- does it use more cores than it declares? ------------------------------------ */

/* *found_p: does one of many intervals have an excess? */
static bool look_for_excess(trial *t, bool *found_p)
{
    const double end_ns = clock_now_ns() + INTERVALS_NS;
    *found_p = false;
    trial_step(t, STEP_SAMPLE);
    while (!*found_p && clock_now_ns() < end_ns) {
        watch_moment start, end;
        read_clocks(t, &start);
        while (clock_now_ns() < start.wall_ns + INTERVAL_NS)
            if (timed_run(t, 1) < 0)
                return false;
        read_clocks(t, &end);
        *found_p = excess_of(t, &start, &end) > 0;
        trial_show_life(t, STEP_SAMPLE);
    }
    return true;
}

static void rest(trial *t)
{
    const double end_ns = clock_now_ns() + REST_NS;
    while (clock_now_ns() < end_ns) {
        clock_sleep_ns(INTERVAL_NS);
        trial_show_life(t, STEP_SAMPLE);
    }
}

/* Where it declares no threads, it has the cores of this thread alone: may another one of it run
 * elsewhere? That is so on a busy machine, too, where nothing runs at the same time. */
static bool has_left_its_core(const trial *t)
{
    pid_t others[WATCH_THREADS_MOST];
    cpu_set_t own, theirs, shared;
    bool declared;
    cores_of(t, &declared);
    if (!declared && t->host->python)
        return python_has_left(t->host->python);
    if (declared || sched_getaffinity(0, sizeof own, &own) != 0)
        return false;
    const size_t count = process_state_others(others, WATCH_THREADS_MOST);
    for (size_t i = 0; i < count; i++) {
        if (sched_getaffinity(others[i], sizeof theirs, &theirs) != 0)
            continue;
        CPU_AND(&shared, &own, &theirs);
        if (!CPU_EQUAL(&shared, &theirs))
            return true;
    }
    return false;
}

bool watch_judge_cores(trial *t)
{
    bool declared, found = has_left_its_core(t);
    if (!is_watched(t) || (!found && t->excess_ns < EXCESS_NS))
        return true;
    if (!found && !look_for_excess(t, &found))
        return false;
    if (found && !has_left_its_core(t)) {
        rest(t);
        if (!look_for_excess(t, &found))
            return false;
    }
    return !found || trial_fault(t, (fault){.code = FAULT_UNDECLARED_THREADS,
                                            .count = cores_of(t, &declared)});
}
