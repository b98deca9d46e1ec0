#include "sweep/circumstances.h"

#include "sweep/group.h"
#include "system/clock.h"
#include "system/machine_state.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of the flags. */
#define MOST_STEAL_PCT 1.0
#define MOST_OTHERS 0.2 /* processing units' worth of time that others had of the plugin's */
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

/* Had others a part of the plugin's cores, or more than half of the machine? Involuntary switches
 * say less: a message that wakes another process causes one. */
static bool is_loaded(const circumstances *c)
{
    return c->others > MOST_OTHERS || c->others_anywhere > c->cpus / 2.0;
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
        return is_loaded(c) || (c->has_steal && c->steal_pct > MOST_STEAL_PCT);
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

/* The ticks between two texts of /proc/stat. false if they are not known. */
static bool ticks_between(const char *before, const char *after, const char *pus,
                          cpu_times *passed_p)
{
    cpu_times begin, end;
    if (!before || !after || !cpu_times_read(before, pus, &begin) ||
        !cpu_times_read(after, pus, &end) || end.total < begin.total || end.busy < begin.busy ||
        end.stolen < begin.stolen)
        return false;
    *passed_p = (cpu_times){.total = end.total - begin.total,
                            .stolen = end.stolen - begin.stolen,
                            .busy = end.busy - begin.busy,
                            .units = end.units};
    return true;
}

static void set_steal(circumstances *c, const char *before, const char *after, const char *pus)
{
    cpu_times passed;
    c->has_steal = ticks_between(before, after, pus, &passed) && passed.total >= LEAST_TICKS;
    if (c->has_steal)
        c->steal_pct = 100 * (double)passed.stolen / (double)passed.total;
}

/* ---- where this process runs ---- */

/* The processing units of a session that is bound to some, or NULL. */
static const char *pus_of(const session *one, char pus[BINDING_BYTES])
{
    return group_watch_pus(one->binding, pus, BINDING_BYTES);
}

/* The hardware threads of the cores that a session is bound to, or NULL. What runs on one of a core
 * slows the others down; a session of several cores is bound to all of theirs. */
static const char *core_pus_of(const session *one, char cores[BINDING_BYTES])
{
    char pus[BINDING_BYTES];
    const char *list = pus_of(one, pus);
    if (list && one->places == 1 && cpu_list_of_cores(list, CPU_FOLDER, cores, BINDING_BYTES))
        return cores;
    return pus_of(one, cores);
}

static void find_place(group_watch *w, const group *g)
{
    if (sched_getaffinity(0, sizeof w->everywhere, &w->everywhere) != 0)
        return;
    w->aside = w->everywhere;
    for (size_t i = 0; i < g->count; i++) {
        const session *one = g->members[i].measurement.session;
        char pus[BINDING_BYTES];
        const char *list = one->places == 1 ? core_pus_of(one, pus) : NULL;
        for (unsigned pu = 0; list && pu < CPU_SETSIZE; pu++)
            if (cpu_list_has(list, pu))
                CPU_CLR(pu, &w->aside);
    }
    w->stands_aside = CPU_COUNT(&w->aside) > 0;
}

void group_watch_stand(const group_watch *w, bool aside)
{
    if (w->stands_aside)
        sched_setaffinity(0, sizeof w->aside, aside ? &w->aside : &w->everywhere);
}

/* ---- other programs ---- */

double others_on(const char *before, const char *after, const char *pus, double own_ns)
{
    cpu_times passed;
    const long tick_hz = sysconf(_SC_CLK_TCK), cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (tick_hz <= 0 || cpus <= 0 || !ticks_between(before, after, pus, &passed))
        return 0;
    const double units = passed.units ? passed.units : (double)cpus;
    const double total = (double)passed.total, busy = (double)passed.busy;
    if (total < LEAST_TICKS * units || busy > total)
        return 0;
    const double noise = 2 * sqrt(busy * (1 - busy / total));
    return fmax(0, busy - own_ns * 1e-9 * (double)tick_hz - noise) * units / total;
}

/* How long the visits of a session took. */
static double visits_ns(const group *g, size_t which)
{
    double sum_ns = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->members[i].configuration.session == which)
            sum_ns += g->members[i].measurement.circumstances.ns;
    return sum_ns;
}

/* The CPU time of all workers of the group, and what this process used besides; pus: as much of
 * theirs as may have been used there. A worker with several units may have kept each busy as long
 * as its visits took, and somewhat longer. Less than 0 if it is not all known. */
static double own_ns_on(const group *g, double process_ns, const char *pus, unsigned cpus)
{
    const double somewhat = 1.25;
    double sum_ns = process_ns;
    for (size_t i = 0; i < g->count; i++) {
        const measurement *m = &g->members[i].measurement;
        char its[BINDING_BYTES];
        const char *list = core_pus_of(m->session, its);
        const double own_ns = m->circumstances.own_ns;
        unsigned common = 0;
        if (own_ns < 0)
            return -1;
        for (unsigned pu = 0; pu < cpus; pu++)
            common += (!list || cpu_list_has(list, pu)) && (!pus || cpu_list_has(pus, pu));
        const double most_ns = somewhat * visits_ns(g, g->members[i].configuration.session);
        sum_ns += m->session->places == 1 || !pus ? own_ns * (common > 0)
                                                  : fmin(own_ns, most_ns * common);
    }
    return sum_ns;
}

/* This process keeps off a core that a worker is bound to alone, where there are others. */
static bool keeps_off(const group_watch *w, const session *one)
{
    return w->stands_aside && one->places == 1;
}

/* Is it the first of its session? The CPU time of a session counts once. */
static bool is_first(const group *g, size_t member)
{
    for (size_t i = 0; i < member; i++)
        if (g->members[i].configuration.session == g->members[member].configuration.session)
            return false;
    return true;
}

void group_watch_begin(group_watch *w_p, group *g)
{
    group_watch w = {.own_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID)};
    w.has_load = read_load(&w.load);
    find_place(&w, g);
    for (size_t i = 0; i < g->count; i++)
        g->members[i].measurement.circumstances.own_ns =
            session_cpu_ns(&g->sessions[g->members[i].configuration.session]);
    w.stat = machine_text("/proc/stat");
    group_watch_stand(&w, true);
    *w_p = w;
}

void group_watch_end(group_watch *w, group *g)
{
    char *stat = machine_text("/proc/stat");
    double load = 0;
    const bool has_load = w->has_load && read_load(&load);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned cpus = online > 0 ? (unsigned)online : 1;
    const double process_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - w->own_ns;
    group_watch_stand(w, false);
    for (size_t i = 0; i < g->count; i++) {
        const session *one = &g->sessions[g->members[i].configuration.session];
        circumstances *c = &g->members[i].measurement.circumstances;
        const double used_ns = session_cpu_ns(one) - c->own_ns;
        /* The ranks of a launcher are no children of ours. */
        c->own_ns = one->launcher ? -1 : is_first(g, i) ? used_ns : 0;
    }
    const double all_ns = own_ns_on(g, process_ns, NULL, cpus);
    for (size_t i = 0; i < g->count; i++) {
        circumstances *c = &g->members[i].measurement.circumstances;
        const session *one = g->members[i].measurement.session;
        char text[BINDING_BYTES], of_cores[BINDING_BYTES];
        const char *pus = core_pus_of(one, of_cores);
        c->cpus = cpus;
        c->has_load = has_load;
        c->load = (w->load + load) / 2;
        if (all_ns >= 0) {
            c->others_anywhere = others_on(w->stat, stat, NULL, all_ns);
            const double own_ns = own_ns_on(g, keeps_off(w, one) ? 0 : process_ns, pus, cpus);
            c->others = pus ? others_on(w->stat, stat, pus, own_ns) : 0;
        }
        set_steal(c, w->stat, stat, pus_of(one, text));
    }
    free(stat);
    free(w->stat);
    *w = (group_watch){0};
}
