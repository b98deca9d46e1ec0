#include "sweep/group.h"

#include "problem/dtype.h"
#include "supervisor/interrupt.h"
#include "sweep/circumstances.h"
#include "sweep/physics.h"
#include "system/clock.h"
#include "system/memory.h"
#include "text/array_room.h"

#include <stdlib.h>
#include <string.h>

typedef struct measuring {
    group *g;
    const measure_options *o;
    uint32_t *turns;    /* the members in the order of this round */
    group_entry *asked; /* whose samples come, */
    uint32_t round;     /* of which round */
    uint64_t visits;
    double elapsed_ns;   /* of visits, without what it takes to open */
    group_watch machine; /* during the rounds */
    scan_status status;  /* SCAN_ERROR if interrupted, SCAN_NO_MEMORY */
} measuring;

/* ---- buffers: the configurations of a session use the same, one after the other ---- */

static bool same_device(const session *a, const session *b)
{
    return strcmp(a->device.name, b->device.name) == 0 &&
           strcmp(a->plugin->backend, b->plugin->backend) == 0;
}

/* Do both use the same buffers, one after the other? */
static bool shares(const group_entry *a, const group_entry *b)
{
    return a->configuration.session == b->configuration.session;
}

static bool has_room(const group *g, const group_entry *m, uint64_t host_limit)
{
    const session *device = m->measurement.session;
    plan_memory used = plan_memory_of(&m->configuration, g->sessions);
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *other = &g->members[i];
        const plan_memory more = plan_memory_of(&other->configuration, g->sessions);
        if (other == m || other->state != MEMBER_HOLDS || shares(other, m))
            continue;
        used.host += more.host;
        if (same_device(other->measurement.session, device))
            used.device += more.device;
    }
    const uint64_t device_limit = device->device.memory_bytes;
    return used.host <= host_limit && (device_limit == 0 || used.device <= device_limit);
}

group_entry *room_to_release(const group *g, const group_entry *m, uint64_t host_limit)
{
    group_entry *found = NULL;
    if (m->state == MEMBER_HOLDS || has_room(g, m, host_limit))
        return NULL;
    for (size_t i = 0; i < g->count; i++) {
        group_entry *other = &g->members[i];
        if (other == m || other->state != MEMBER_HOLDS || shares(other, m))
            continue;
        const bool sooner = found && !other->visited && found->visited;
        const bool later = found && other->visited && !found->visited;
        if (!found || later || (!sooner && other->last < found->last))
            found = other;
    }
    return found;
}

/* ---- one request to the worker of a member, and what it answers ---- */

static void on_phase(void *context, const phase_name *name, unsigned batch, const char *samples)
{
    measuring *s = context;
    measurement *m = &s->asked->measurement;
    const measurement_visit v = {
        .round = s->round, .name = *name, .batch = batch, .samples = samples};
    /* A configuration that is opened again is created again: the first counts. */
    if (name->kind == PHASE_CREATE && measurement_find(m, name))
        return;
    if (measurement_add(m, &v) != SCAN_OK)
        s->status = SCAN_NO_MEMORY;
}

static void on_watch(void *context, const watch *seen)
{
    const measuring *s = context;
    circumstances_add(&s->asked->measurement.circumstances, seen);
}

static void on_tick(void *context)
{
    const measuring *s = context;
    const measure_watcher *w = &s->o->watcher;
    if (w->tick)
        w->tick(w->context);
}

static session *session_of(const measuring *s, const group_entry *m)
{
    return &s->g->sessions[m->configuration.session];
}

static bool is_open(const group_entry *m)
{
    return m->state == MEMBER_OPEN || m->state == MEMBER_HOLDS;
}

/* m takes the buffers of its session over. */
static void take_buffers(group *g, group_entry *m)
{
    for (size_t i = 0; i < g->count; i++)
        if (shares(&g->members[i], m) && g->members[i].state == MEMBER_HOLDS)
            g->members[i].state = MEMBER_OPEN;
    m->state = MEMBER_HOLDS;
}

/* Who takes over the buffers of a configuration that was closed. */
static void pass_buffers(group *g, const group_entry *m)
{
    for (size_t i = 0; i < g->count; i++) {
        group_entry *other = &g->members[i];
        if (other != m && is_open(other) && shares(other, m)) {
            other->state = MEMBER_HOLDS;
            return;
        }
    }
}

/* Forgets what was open in a worker that is gone. */
static void notice_lost(const measuring *s)
{
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        const session *one = session_of(s, m);
        if (is_open(m) && (!one->worker.pid || one->starts != m->starts))
            m->state = MEMBER_CLOSED;
    }
}

/* Once at least: its estimate and its pace are known. */
static bool was_opened(const group_entry *m)
{
    return m->pace.every > 0;
}

/* False when interrupted or without memory; else what became of m stands in it. v: that of
 * SESSION_VISIT. */
static bool ask(measuring *s, group_entry *m, session_verb what, const visit *v)
{
    job_result r;
    const session_listener listener = {
        .phase = on_phase, .watch = on_watch, .tick = on_tick, .context = s};
    const session_request request = {.verb = what, .job = &m->configuration.job, .visit = v};
    s->asked = m;
    group_watch_stand(&s->machine, what != SESSION_OPEN);
    if (!session_ask(session_of(s, m), &request, &listener, &r))
        s->status = SCAN_ERROR;
    if (s->status != SCAN_OK)
        return false;
    const bool closes = what == SESSION_CLOSE || what == SESSION_DROP;
    if (closes && r.status == ROW_OK && m->state == MEMBER_HOLDS)
        pass_buffers(s->g, m);
    if (!r.waits)
        m->state = what == SESSION_DROP ? MEMBER_DROPPED : MEMBER_OVER;
    else if (what == SESSION_RELEASE)
        m->state = MEMBER_OPEN;
    else
        take_buffers(s->g, m);
    m->starts = session_of(s, m)->starts;
    if (r.waits && !was_opened(m)) {
        m->estimate = r.estimate;
        m->pace =
            rounds_pace_of(&s->o->rule, &r.estimate, m->measurement.session->plugin->device_memory);
    }
    if (r.waits && what == SESSION_VISIT &&
        measurement_add_spin(&m->measurement, s->round, r.estimate.spin_ns) != SCAN_OK)
        s->status = SCAN_NO_MEMORY;
    if (!r.waits)
        m->measurement.result = r;
    notice_lost(s);
    return true;
}

/* Releases buffers until those of m fit. */
static bool make_room(measuring *s, group_entry *m)
{
    const uint64_t limit =
        s->o->mem_limit > MEMORY_WORKER_BYTES ? s->o->mem_limit - MEMORY_WORKER_BYTES : 0;
    group_entry *other;
    while ((other = room_to_release(s->g, m, limit)) != NULL)
        if (!ask(s, other, SESSION_RELEASE, NULL))
            return false;
    return true;
}

/* Makes m open, with room for its buffers, or over. False as above. */
static bool open_member(measuring *s, group_entry *m)
{
    return make_room(s, m) && (is_open(m) || ask(s, m, SESSION_OPEN, NULL));
}

static void turn_to(const measuring *s, const group_entry *m)
{
    const measure_watcher *w = &s->o->watcher;
    if (w->turn)
        w->turn(w->context, m);
}

static bool open_all(measuring *s)
{
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        turn_to(s, m);
        if (!group_entry_is_over(m) && !open_member(s, m))
            return false;
    }
    return true;
}

static bool note_visit(measuring *s, uint32_t member)
{
    group *g = s->g;
    uint32_t *visits = array_room(g->visits, &g->visit_capacity, g->visit_count, 1, sizeof *visits);
    if (!visits) {
        s->status = SCAN_NO_MEMORY;
        return false;
    }
    g->visits = visits;
    g->visits[g->visit_count++] = member;
    g->members[member].last = ++s->visits;
    g->members[member].visited = true;
    return true;
}

static const measurement_phase *run_of(const group_entry *m)
{
    return measurement_run(&m->measurement);
}

/* How many trips fit into this visit. */
static uint32_t trips_of(const measuring *s, const group_entry *m, const visit *v)
{
    const measurement_phase *trip =
        measurement_find(&m->measurement, &(phase_name){.kind = PHASE_E2E});
    if (v->trips == 0 || !trip || trip->count == 0)
        return v->trips;
    return rounds_trips(&s->o->rule, v, s->round, trip->count, trip->samples[trip->count - 1]);
}

/* Is the member left out of this round? One of a pair never is: its other would be alone. */
static bool is_resting(const measuring *s, const group_entry *m)
{
    const bool paired = s->o->pair_half_width > 0;
    return !paired && was_opened(m) && s->round % m->pace.every != 0;
}

/* One visit, if the member needs one in this round. */
static bool visit_member(measuring *s, uint32_t index)
{
    group_entry *m = &s->g->members[index];
    if (group_entry_is_over(m) || m->spent || is_resting(s, m))
        return true;
    turn_to(s, m);
    if (!open_member(s, m))
        return false;
    const measurement_phase *run = run_of(m);
    visit v = rounds_visit(&s->o->rule, &m->estimate, &m->pace, run ? run->count : 0);
    /* Who has used up its time is visited for its run alone, which others are compared by. */
    if (s->o->run_only || m->visits_ns > 1e9 * s->o->rule.time_limit_s)
        v.recorded = v.trips = 0;
    v.trips = trips_of(s, m, &v);
    if (group_entry_is_over(m) || v.samples == 0)
        return true;
    const double start = clock_now_ns();
    if (!note_visit(s, index) || !ask(s, m, SESSION_VISIT, &v))
        return false;
    const double took = clock_now_ns() - start;
    m->visits_ns += took;
    if (m->role != MEMBER_CALIBRATOR)
        s->elapsed_ns += took;
    return true;
}

/* How many members share the time: those that were ever ready, in a race those that are left. What
 * was ruled out before leaves its time to nobody. */
static size_t sharers_of(const measuring *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->g->count - s->g->calibrators; i++)
        count += was_opened(&s->g->members[i]) || !group_entry_is_over(&s->g->members[i]);
    return s->o->race ? group_left(s->g) : count;
}

/* Adds one configuration to the state. */
static scan_status add_state(const measuring *s, group_entry *m, rounds_state *state)
{
    const measurement_phase *run = run_of(m);
    stats_rounds interval = {.n = 0};
    scan_status status =
        run ? stats_rounds_summarize(run->values, run->value_count, &interval) : SCAN_OK;
    m->spent = rounds_are_spent(&s->o->rule, interval.n, m->visits_ns * 1e-9);
    if (group_entry_is_over(m) || m->spent || !run || m->role == MEMBER_CALIBRATOR)
        return status;
    state->left++;
    if (run->count < state->fewest_samples)
        state->fewest_samples = run->count;
    if (interval.n < state->fewest_rounds)
        state->fewest_rounds = interval.n;
    state->precise &= interval.precise;
    return status;
}

/* Is the ratio of each pair of which both are visited precise? */
static bool pairs_are_precise(const measuring *s)
{
    for (size_t i = 0; i + 1 < s->g->count; i += 2) {
        const group_entry *one = &s->g->members[i], *other = one + 1;
        if (group_entry_is_over(one) || one->spent || group_entry_is_over(other) || other->spent ||
            !run_of(one) || !run_of(other))
            continue;
        const stats_rounds ratio = measurement_ratio(run_of(other), run_of(one));
        if (!ratio.has_ci || ratio.hi - ratio.lo > 2 * s->o->pair_half_width * ratio.median)
            return false;
    }
    return true;
}

static rounds_state state_of(measuring *s)
{
    rounds_state state = {.rounds = s->round,
                          .configurations = sharers_of(s),
                          .fewest_rounds = s->round,
                          .fewest_samples = SIZE_MAX,
                          .precise = true,
                          .elapsed_s = s->elapsed_ns * 1e-9};
    for (size_t i = 0; i < s->g->count && s->status == SCAN_OK; i++)
        s->status = add_state(s, &s->g->members[i], &state);
    if (s->o->pair_half_width > 0 && state.left > 0)
        state.precise = pairs_are_precise(s);
    return state;
}

/* Waits until the round may begin; less where a signal arrives. */
static void await_round(const measuring *s, double start_ns)
{
    const double earliest_ns =
        start_ns + 1e9 * rounds_earliest_s(&s->o->rule, sharers_of(s), s->round);
    if (s->round < ROUNDS_MOST)
        clock_sleep_ns(earliest_ns - clock_now_ns());
}

/* Ends what lost its race in this round. Who has lost is decided before anyone leaves. */
static bool drop_losers(measuring *s)
{
    size_t losers = 0;
    for (size_t i = 0; i < s->g->count; i++)
        if (race_loses(s->g, &s->g->members[i]))
            s->turns[losers++] = (uint32_t)i; /* this round's turns are over */
    for (size_t i = 0; i < losers; i++) {
        group_entry *m = &s->g->members[s->turns[i]];
        if (is_open(m) && !ask(s, m, SESSION_DROP, NULL))
            return false;
        m->state = MEMBER_DROPPED;
    }
    return true;
}

/* Rounds between two allocations of arrays in host memory, from RENEW_LEAST to RENEW_MOST bytes:
 * one that a core's cache holds is as fast anywhere, a large one takes too long to make. */
enum { RENEW_EVERY = 4, RENEW_LEAST = 1 << 20, RENEW_MOST = 128 << 20 };

static bool is_renewed(const group_entry *m)
{
    const job *j = &m->configuration.job;
    const uint64_t bytes = job_out_bytes(j);
    return m->state == MEMBER_HOLDS && !*j->measure.shared &&
           !m->measurement.session->plugin->device_memory && bytes >= RENEW_LEAST &&
           bytes <= RENEW_MOST;
}

/* The time of a process depends on where its pages lie, and luck has put each plugin's elsewhere.
 * So buffers are given back now and then, and the next visits allocate new ones. */
static bool renew_buffers(measuring *s)
{
    if (s->o->race || s->round == 0 || s->round % RENEW_EVERY != 0)
        return true;
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        if (is_renewed(m) && !ask(s, m, SESSION_RELEASE, NULL))
            return false;
    }
    return true;
}

/* One round after the other, until they are enough or nobody is left. */
static bool visit_all(measuring *s)
{
    group *g = s->g;
    rounds_order order = rounds_order_of(&g->members[0].configuration.job);
    const double start_ns = clock_now_ns();
    while (g->stop == STOP_NOT_YET && group_left(g) > 0) {
        await_round(s, start_ns);
        if (interrupt_requested())
            return s->status = SCAN_ERROR, false;
        if (!renew_buffers(s))
            return false;
        rounds_shuffle(&order, s->turns, g->count);
        for (size_t i = 0; i < g->count; i++)
            g->members[i].visited = false;
        for (size_t i = 0; i < g->count; i++)
            if (!visit_member(s, s->turns[i]))
                return false;
        s->round++;
        if (s->o->race && !drop_losers(s))
            return false;
        const rounds_state state = state_of(s);
        g->stop = rounds_check(&s->o->rule, &state);
        if (s->status != SCAN_OK)
            return false;
    }
    return true;
}

/* The same, with an eye on the machine. */
static bool visit_watched(measuring *s)
{
    group_watch_begin(&s->machine, s->g);
    const bool good = visit_all(s);
    group_watch_end(&s->machine, s->g);
    return good;
}

/* Who is closed next: those that hold buffers first, so that others have room for theirs. */
static group_entry *next_to_close(const group *g)
{
    group_entry *next = NULL;
    for (size_t i = 0; i < g->count; i++) {
        group_entry *m = &g->members[i];
        if (!group_entry_is_over(m) &&
            (!next || (m->state == MEMBER_HOLDS && next->state != MEMBER_HOLDS)))
            next = m;
    }
    return next;
}

static bool close_all(measuring *s)
{
    group_entry *m;
    while ((m = next_to_close(s->g)) != NULL) {
        turn_to(s, m);
        if (!open_member(s, m) || (!group_entry_is_over(m) && !ask(s, m, SESSION_CLOSE, NULL)))
            return false;
    }
    return true;
}

static scan_status summarize_all(group *g)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < g->count && status == SCAN_OK; i++) {
        measurement *m = &g->members[i].measurement;
        status = measurement_summarize(m, g->stop);
        if (status == SCAN_OK)
            physics_judge(m);
    }
    return status;
}

scan_status measure_group(group *g, const measure_options *o)
{
    measuring s = {.g = g, .o = o, .turns = calloc(g->count + 1, sizeof *s.turns)};
    if (!s.turns)
        return SCAN_NO_MEMORY;
    if (o->watcher.begin)
        o->watcher.begin(o->watcher.context, g);
    if (group_left(g) > 0 && open_all(&s) && visit_watched(&s) && close_all(&s))
        s.status = summarize_all(g);
    if (o->watcher.end)
        o->watcher.end(o->watcher.context);
    free(s.turns);
    return s.status;
}
