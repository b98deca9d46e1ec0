#include "sweep/group_watch.h"

#include "system/machine_load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ticks, of 10 ms as a rule, in which a share of them means something. */
enum { LEAST_TICKS = 20, BINDING_BYTES = sizeof((session *)NULL)->binding };

static bool read_load(double *load_p)
{
    char *text = machine_text("/proc/loadavg");
    const bool known = text && machine_load_read(text, load_p);
    free(text);
    return known;
}

void group_watch_begin(group_watch *w_p)
{
    group_watch w = {.stat = machine_text("/proc/stat")};
    w.has_load = read_load(&w.load);
    *w_p = w;
}

const char *group_watch_pus(const char *binding, char *pus, size_t size)
{
    static const char name[] = "pu:";
    const char *at = strstr(binding, name);
    if (!at)
        return NULL;
    at += sizeof name - 1;
    const size_t length = strcspn(at, " ");
    if (length == 0 || length >= size)
        return NULL;
    memcpy(pus, at, length);
    pus[length] = '\0';
    return pus;
}

static void set_steal(circumstances *c, const char *before, const char *after, const char *pus)
{
    cpu_times begin, end;
    if (!before || !after || !cpu_times_read(before, pus, &begin) ||
        !cpu_times_read(after, pus, &end) || end.total < begin.total + LEAST_TICKS ||
        end.stolen < begin.stolen)
        return;
    c->has_steal = true;
    c->steal_pct = 100 * (double)(end.stolen - begin.stolen) / (double)(end.total - begin.total);
}

/* Threads that may run for a session: one that waits for a device, or as many as it may use. */
static unsigned threads_of(const session *one)
{
    const bool device =
        one->plugin->device_memory && !(one->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY);
    return device || one->places == 0 ? 1 : one->places;
}

void group_watch_end(group_watch *w, group *g)
{
    char *stat = machine_text("/proc/stat");
    double load = 0;
    const bool has_load = w->has_load && read_load(&load);
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned most = 1;
    for (size_t i = 0; i < g->count; i++) {
        const unsigned threads = threads_of(g->members[i].measurement.session);
        most = threads > most ? threads : most;
    }
    for (size_t i = 0; i < g->count; i++) {
        circumstances *c = &g->members[i].measurement.circumstances;
        char pus[BINDING_BYTES];
        c->threads = threads_of(g->members[i].measurement.session);
        c->cpus = cpus > 0 ? (unsigned)cpus : 1;
        c->has_load = has_load;
        c->load = (w->load + load) / 2;
        c->others = c->load - most;
        set_steal(c, w->stat, stat,
                  group_watch_pus(g->members[i].measurement.session->binding, pus, sizeof pus));
    }
    free(stat);
    free(w->stat);
    *w = (group_watch){0};
}
