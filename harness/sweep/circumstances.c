#include "sweep/circumstances.h"

#include "sweep/group.h"
#include "system/machine_state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of the flags. */
#define MOST_STEAL_PCT 1.0
#define VISITS_PER_SWITCH 10    /* more than one involuntary switch in this many visits and */
#define SWITCHES_PER_SECOND 20. /* more than this many a second and thread: someone else ran */
#define FAULTS_PER_VISIT 2
#define VISITS_PER_THROTTLE 10

const char *circumstance_flag_word(circumstance_flag r)
{
    static const char *const flags[FLAGS] = {
#define X(name, flag) flag,
        CIRCUMSTANCE_FLAG_MAP(X)
#undef X
    };
    return flags[r];
}

void circumstances_add(circumstances *c, const watch *seen)
{
    c->visits++;
    c->switches += seen->switches;
    c->faults += seen->faults;
    c->ns += seen->ns;
    for (int i = 0; i < WATCH_VALUES; i++) {
        const watch_value v = seen->values[i];
        circumstance *one = &c->values[i];
        if (!v.known)
            continue;
        one->visits++;
        one->sum += v.value;
        one->nonzero += v.value > 0;
        one->bits |= v.value;
        if (v.value > one->most)
            one->most = v.value;
    }
}

/* The kernel's own threads interrupt a long run a few times a second. */
static bool is_interrupted(const circumstances *c)
{
    const double threads = c->threads ? c->threads : 1;
    return c->switches * VISITS_PER_SWITCH > c->visits &&
           (double)c->switches > SWITCHES_PER_SECOND * threads * c->ns * 1e-9;
}

/* Do others keep more than half of the machine busy? */
static bool is_loaded(const circumstances *c)
{
    return c->has_load && c->others > c->cpus / 2.0;
}

/* Did twice as many threads compute as there were cores, or did a plugin that had one core ask how
 * many it may use, as libraries do before they start threads? */
static bool lacks_cores(const circumstances *c)
{
    const unsigned cores = circumstances_mean(c, WATCH_CORES);
    return cores > 0 && (circumstances_mean(c, WATCH_THREADS) >= 2 * cores ||
                         (cores == 1 && c->values[WATCH_CORES_ASKED].most > 0));
}

bool circumstances_are(const circumstances *c, circumstance_flag r)
{
    const circumstance *throttle = &c->values[WATCH_GPU_THROTTLE];
    switch (r) {
    case FLAG_BUSY:
        return is_interrupted(c) || is_loaded(c) || (c->has_steal && c->steal_pct > MOST_STEAL_PCT);
    case FLAG_FAULTS:
        return c->faults > FAULTS_PER_VISIT * c->visits;
    case FLAG_THROTTLED:
        return throttle->nonzero * VISITS_PER_THROTTLE > throttle->visits;
    case FLAG_GPU_SHARED:
        return c->values[WATCH_GPU_PROCESSES].most > 0;
    case FLAG_THREADS:
        return lacks_cores(c);
    case FLAGS:
        break;
    }
    return false;
}

unsigned circumstances_mean(const circumstances *c, watch_value_name name)
{
    const circumstance *one = &c->values[name];
    return one->visits ? (unsigned)((one->sum + one->visits / 2) / one->visits) : 0;
}

/* ---- the machine during the rounds of a group ---- */

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
