#include "sweep/members.h"

#include "sweep/room.h"
#include "system/clock.h"
#include "system/memory.h"

/* The member that is asked, for the listener. */
typedef struct asked {
    members *all;
    group_entry *m;
} asked;

static void on_phase(void *context, const phase_name *name, unsigned batch, const char *samples)
{
    const asked *a = context;
    const measurement_visit v = {
        .round = a->all->round, .name = *name, .batch = batch, .samples = samples};
    /* A configuration that is opened again is created again: the first counts. */
    if (name->kind == PHASE_CREATE && measurement_find(&a->m->measurement, name))
        return;
    if (measurement_add(&a->m->measurement, &v) != SCAN_OK)
        a->all->status = SCAN_NO_MEMORY;
}

static void on_watch(void *context, const watch *seen)
{
    const asked *a = context;
    circumstances_add(&a->m->measurement.circumstances, seen);
}

static void on_tick(void *context)
{
    const asked *a = context;
    if (a->all->tick)
        a->all->tick(a->all->context);
}

static session *session_of(const members *all, const group_entry *m)
{
    return &all->g->sessions[m->configuration.session];
}

/* The configurations of a session use the same buffers, one after the other. */
static void note_buffers(group *g, group_entry *m, bool holds)
{
    for (size_t i = 0; i < g->count && holds; i++)
        if (g->members[i].configuration.session == m->configuration.session)
            g->members[i].holds = false;
    m->holds = holds;
}

/* Who takes over the buffers of a configuration that was closed. */
static void pass_buffers(group *g, const group_entry *m)
{
    for (size_t i = 0; i < g->count; i++) {
        group_entry *other = &g->members[i];
        if (other != m && other->open && other->configuration.session == m->configuration.session) {
            other->holds = true;
            return;
        }
    }
}

/* Forgets what was open in a worker that is gone. */
static void notice_lost(const members *all)
{
    for (size_t i = 0; i < all->g->count; i++) {
        group_entry *m = &all->g->members[i];
        const session *one = session_of(all, m);
        if (m->open && (!one->worker.pid || one->starts != m->starts))
            m->open = m->holds = false;
    }
}

bool members_ask(members *all, group_entry *m, session_verb what, const visit *v)
{
    asked a = {.all = all, .m = m};
    job_result r;
    const session_listener listener = {
        .phase = on_phase, .watch = on_watch, .tick = on_tick, .context = &a};
    const session_request request = {.verb = what, .job = &m->configuration.job, .visit = v};
    const double start = clock_now_ns();
    if (!session_ask(session_of(all, m), &request, &listener, &r))
        all->status = SCAN_ERROR;
    if (all->status != SCAN_OK)
        return false;
    if (what != SESSION_VISIT)
        m->opening_ns += clock_now_ns() - start;
    if ((what == SESSION_CLOSE || what == SESSION_DROP) && r.status == ROW_OK && m->holds)
        pass_buffers(all->g, m);
    m->open = r.waits;
    note_buffers(all->g, m, r.waits && what != SESSION_RELEASE);
    m->starts = session_of(all, m)->starts;
    if (r.waits && !m->estimated) {
        m->estimate = r.estimate;
        m->pace =
            rounds_pace_of(all->rule, &r.estimate, m->measurement.session->plugin->device_memory);
        m->estimated = true;
    }
    if (r.waits && what == SESSION_VISIT &&
        measurement_add_spin(&m->measurement, all->round, &r.spin) != SCAN_OK)
        all->status = SCAN_NO_MEMORY;
    if (!r.waits) {
        m->measurement.result = r;
        m->over = true;
    }
    notice_lost(all);
    return true;
}

/* Releases buffers until those of m fit. */
static bool make_room(members *all, group_entry *m)
{
    const uint64_t limit =
        all->mem_limit > MEMORY_WORKER_BYTES ? all->mem_limit - MEMORY_WORKER_BYTES : 0;
    group_entry *other;
    while ((other = room_to_release(all->g, m, limit)) != NULL)
        if (!members_ask(all, other, SESSION_RELEASE, NULL))
            return false;
    return true;
}

bool members_open(members *all, group_entry *m)
{
    return make_room(all, m) && (m->open || members_ask(all, m, SESSION_OPEN, NULL));
}
