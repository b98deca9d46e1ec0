#include "worker/watch_visit.h"

#include "system/clock.h"
#include "system/machine_state.h"

#include <sched.h>
#include <string.h>

/* Asking the system may take milliseconds: this often at most, and for a twentieth of the time. */
#define ASK_EVERY_NS 5e7
#define ASK_SHARE 20

void watch_open(trial *e)
{
    worker_watch *w = e->watch;
    if (w->plugin == e->plugin && w->device == e->device)
        return;
    gpu_watch_close(w->gpu);
    *w = (worker_watch){.plugin = e->plugin, .device = e->device};
    thread_watch_open(&w->threads);
    scan_device device = {.struct_size = sizeof device};
    if (!e->plugin->probe)
        return;
    if (e->plugin->probe(&e->host->host, e->exported, e->device, &device) != SCAN_OK) {
        e->host->reason[0] = '\0'; /* it is no reason for anything later */
        return;
    }
    device.pci[sizeof device.pci - 1] = '\0';
    if (*device.pci)
        w->gpu = gpu_watch_open(device.pci);
}

/* Of the calling thread where the plugin has no other. */
static void read_usage(const trial *e, struct rusage *usage_p)
{
    *usage_p = (struct rusage){0};
    getrusage(topology_places(e->host->machine) == 1 ? RUSAGE_THREAD : RUSAGE_SELF, usage_p);
}

bool watch_begin(trial *e)
{
    thread_watch_begin(&e->watch->threads, e);
    read_usage(e, &e->watch->start);
    e->watch->start_ns = clock_now_ns();
    return true;
}

bool watch_end(trial *e)
{
    worker_watch *w = e->watch;
    struct rusage end;
    w->seen.ns = clock_now_ns() - w->start_ns;
    read_usage(e, &end);
    w->seen.switches = (uint64_t)(end.ru_nivcsw - w->start.ru_nivcsw);
    w->seen.faults = (uint64_t)(end.ru_minflt - w->start.ru_minflt) +
                     (uint64_t)(end.ru_majflt - w->start.ru_majflt);
    thread_watch_end(&w->threads, e);
    return true;
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

void watch_send(trial *e, uint64_t runs)
{
    ask(e->watch);
    thread_watch_tell(&e->watch->threads, e, runs, &e->watch->seen);
    trial_message(e, "watch");
    watch_put(e->out, &e->watch->seen);
    message_end(e->out);
}
