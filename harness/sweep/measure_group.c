#include "sweep/measure_group.h"

#include "problem/dtype.h"
#include "supervisor/interrupt.h"
#include "sweep/group_watch.h"
#include "sweep/race.h"
#include "sweep/room.h"
#include "system/clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Shares of the work, for the progress bar. */
#define SHARE_OPEN 0.2
#define SHARE_ROUNDS (MEASURE_GROUP_CLOSES - SHARE_OPEN)

typedef struct measuring {
    group *g;
    const measure_options *o;
    uint32_t *turns; /* of this round */
    uint32_t round;
    uint64_t visits;
    double elapsed_ns; /* of visits, without what it takes to open */
    double share;
    scan_status status;
} measuring;

/* The member that is asked, for the listener. */
typedef struct asked {
    measuring *s;
    group_entry *m;
} asked;

static void on_phase(void *context, const phase_name *name, unsigned batch, const char *samples)
{
    const asked *a = context;
    const measurement_visit v = {
        .round = a->s->round, .name = *name, .batch = batch, .samples = samples};
    /* A configuration that is opened again is created again: the first counts. */
    if (name->kind == PHASE_CREATE && measurement_find(&a->m->measurement, name))
        return;
    if (measurement_add(&a->m->measurement, &v) != SCAN_OK)
        a->s->status = SCAN_NO_MEMORY;
}

static void on_watch(void *context, const watch *seen)
{
    const asked *a = context;
    circumstances_add(&a->m->measurement.circumstances, seen);
}

static void on_tick(void *context)
{
    const asked *a = context;
    if (a->s->o->tick)
        a->s->o->tick(a->s->o->context);
}

static session *session_of(const measuring *s, const group_entry *m)
{
    return &s->g->sessions[m->configuration.session];
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

/* One request of a member; false when interrupted or without memory. */
static bool ask(measuring *s, group_entry *m, session_verb what, const visit *v)
{
    asked a = {.s = s, .m = m};
    job_result r;
    const session_listener listener = {
        .phase = on_phase, .watch = on_watch, .tick = on_tick, .context = &a};
    const session_request request = {.verb = what, .job = &m->configuration.job, .visit = v};
    const double start = clock_now_ns();
    if (!session_ask(session_of(s, m), &request, &listener, &r))
        s->status = SCAN_ERROR;
    if (s->status != SCAN_OK)
        return false;
    if (what != SESSION_VISIT)
        m->opening_ns += clock_now_ns() - start;
    if ((what == SESSION_CLOSE || what == SESSION_DROP) && r.status == ROW_OK && m->holds)
        pass_buffers(s->g, m);
    m->open = r.waits;
    note_buffers(s->g, m, r.waits && what != SESSION_RELEASE);
    m->starts = session_of(s, m)->starts;
    if (r.waits && !m->estimated) {
        m->estimate = r.estimate;
        m->pace =
            rounds_pace_of(&s->o->rule, &r.estimate, m->measurement.session->plugin->device_memory);
        m->estimated = true;
    }
    if (r.waits && what == SESSION_VISIT &&
        measurement_add_spin(&m->measurement, s->round, &r.spin) != SCAN_OK)
        s->status = SCAN_NO_MEMORY;
    if (!r.waits) {
        m->measurement.result = r;
        m->over = true;
    }
    return true;
}

/* Forgets what was open in a worker that is gone. */
static void notice_lost(const measuring *s)
{
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        const session *one = session_of(s, m);
        if (m->open && (!one->worker.pid || one->starts != m->starts))
            m->open = m->holds = false;
    }
}

/* Releases buffers until those of m fit. */
static bool make_room(measuring *s, group_entry *m)
{
    group_entry *other;
    while ((other = room_to_release(s->g, m, s->o->mem_limit)) != NULL) {
        if (!ask(s, other, SESSION_RELEASE, NULL))
            return false;
        notice_lost(s);
    }
    return true;
}

/* Makes it open, with room for its buffers, or over. */
static bool make_open(measuring *s, group_entry *m)
{
    if (!make_room(s, m) || (!m->open && !ask(s, m, SESSION_OPEN, NULL)))
        return false;
    notice_lost(s);
    return true;
}

static void turn_to(const measuring *s, const group_entry *m)
{
    if (s->o->turn)
        s->o->turn(s->o->context, m, s->share < 1 ? s->share : 1);
}

static bool open_all(measuring *s)
{
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        turn_to(s, m);
        if (!m->over && !make_open(s, m))
            return false;
        s->share += SHARE_OPEN / (double)s->g->count;
    }
    return true;
}

static bool note_visit(measuring *s, uint32_t member)
{
    group *g = s->g;
    if (g->visit_count == g->visit_capacity) {
        const size_t capacity = g->visit_capacity ? 2 * g->visit_capacity : 256;
        uint32_t *visits = realloc(g->visits, capacity * sizeof *visits);
        if (!visits) {
            s->status = SCAN_NO_MEMORY;
            return false;
        }
        g->visits = visits;
        g->visit_capacity = capacity;
    }
    g->visits[g->visit_count++] = member;
    g->members[member].last = ++s->visits;
    g->members[member].visited = true;
    return true;
}

static const measurement_phase *run_of(const group_entry *m)
{
    return measurement_find(&m->measurement, &(phase_name){.kind = PHASE_RUN});
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

/* One visit, if the member needs one in this round. */
static bool visit_member(measuring *s, uint32_t index)
{
    group_entry *m = &s->g->members[index];
    if (m->over || m->spent || (m->estimated && s->round % m->pace.every != 0))
        return true;
    turn_to(s, m);
    if (!make_open(s, m))
        return false;
    const measurement_phase *run = run_of(m);
    visit v = rounds_visit(&s->o->rule, &m->estimate, &m->pace, run ? run->count : 0);
    /* Who has used up its time is visited for its run alone, which others are compared by. */
    if (s->o->run_only || m->visits_ns > 1e9 * s->o->rule.time_limit_s)
        v.recorded = v.trips = 0;
    v.trips = trips_of(s, m, &v);
    if (m->over || v.samples == 0)
        return true;
    const double start = clock_now_ns();
    if (!note_visit(s, index) || !ask(s, m, SESSION_VISIT, &v))
        return false;
    const double took = clock_now_ns() - start;
    m->visits_ns += took;
    if (!m->calibrator)
        s->elapsed_ns += took;
    notice_lost(s);
    return true;
}

static size_t left_of(const group *g)
{
    size_t left = 0;
    for (size_t i = 0; i < g->count - g->calibrators; i++)
        left += !g->members[i].over;
    return left;
}

/* How many members share the time: in a race those that are left. */
static size_t compared(const measuring *s)
{
    const size_t count = s->g->count - s->g->calibrators;
    return s->o->race ? left_of(s->g) : count;
}

/* Adds one configuration to the state. */
static scan_status add_state(const measuring *s, group_entry *m, rounds_state *state)
{
    const measurement_phase *run = run_of(m);
    stats_rounds interval = {.n = 0};
    scan_status status =
        run ? stats_rounds_summarize(run->values, run->value_count, &interval) : SCAN_OK;
    m->spent = rounds_are_spent(&s->o->rule, interval.n, m->visits_ns * 1e-9);
    if (m->over || m->spent || !run || m->calibrator)
        return status;
    state->left++;
    if (run->count < state->fewest_samples)
        state->fewest_samples = run->count;
    if (interval.n < state->fewest_rounds)
        state->fewest_rounds = interval.n;
    state->precise &= interval.precise;
    return status;
}

static rounds_state state_of(measuring *s)
{
    rounds_state state = {.rounds = s->round,
                          .configurations = compared(s),
                          .fewest_rounds = s->round,
                          .fewest_samples = SIZE_MAX,
                          .precise = true,
                          .elapsed_s = s->elapsed_ns * 1e-9};
    for (size_t i = 0; i < s->g->count && s->status == SCAN_OK; i++)
        s->status = add_state(s, &s->g->members[i], &state);
    return state;
}

/* Waits until the round may begin; less where a signal arrives. */
static void await_round(const measuring *s, double start_ns)
{
    const double earliest_ns =
        start_ns + 1e9 * rounds_earliest_s(&s->o->rule, compared(s), s->round);
    const double left_ns = earliest_ns - clock_now_ns();
    if (left_ns <= 0 || s->round >= ROUNDS_MOST)
        return;
    const struct timespec pause = {.tv_sec = (time_t)(left_ns / 1e9),
                                   .tv_nsec = (long)fmod(left_ns, 1e9)};
    nanosleep(&pause, NULL);
}

/* Ends what lost its race in this round. Who has lost is decided before anyone leaves. */
static bool drop_losers(measuring *s)
{
    for (size_t i = 0; i < s->g->count; i++)
        s->g->members[i].loses = race_loses(s->g, &s->g->members[i]);
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        if (!m->loses)
            continue;
        m->dropped = true;
        if (m->open && !ask(s, m, SESSION_DROP, NULL))
            return false;
        m->over = true;
        notice_lost(s);
    }
    return true;
}

/* Rounds between two allocations of arrays in host memory, from RENEW_LEAST to RENEW_MOST bytes:
 * one that a core's cache holds is as fast anywhere, a large one takes too long to make. */
enum { RENEW_EVERY = 4, RENEW_LEAST = 1 << 20, RENEW_MOST = 128 << 20 };

static bool is_renewed(const group_entry *m)
{
    const job *j = &m->configuration.job;
    const uint64_t element = dtype_bytes(j->dtype);
    return m->holds && !m->over && !m->measurement.session->plugin->device_memory &&
           j->n >= RENEW_LEAST / element && j->n <= RENEW_MOST / element;
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
        notice_lost(s);
    }
    return true;
}

/* One round after the other, until they are enough or nobody is left. */
static bool visit_all(measuring *s)
{
    group *g = s->g;
    rounds_order order = rounds_order_of(&g->members[0].configuration.job);
    const double start_ns = clock_now_ns();
    while (g->stop == STOP_NOT_YET && left_of(g) > 0) {
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
        if (s->round < ROUNDS_MOST)
            s->share = SHARE_OPEN + SHARE_ROUNDS * (double)s->round / ROUNDS_MOST;
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
    group_watch machine;
    group_watch_begin(&machine);
    const bool good = visit_all(s);
    group_watch_end(&machine, s->g);
    return good;
}

/* Who is closed next: those that hold buffers first, so that others have room for theirs. */
static group_entry *next_to_close(const group *g)
{
    group_entry *next = NULL;
    for (size_t i = 0; i < g->count; i++) {
        group_entry *m = &g->members[i];
        if (!m->over && (!next || (m->holds && !next->holds)))
            next = m;
    }
    return next;
}

static bool close_all(measuring *s)
{
    group_entry *m;
    s->share = MEASURE_GROUP_CLOSES;
    while ((m = next_to_close(s->g)) != NULL) {
        turn_to(s, m);
        if (!make_open(s, m) || (!m->over && !ask(s, m, SESSION_CLOSE, NULL)))
            return false;
        notice_lost(s);
    }
    return true;
}

scan_status measure_group(group *g, const measure_options *o)
{
    measuring s = {.g = g, .o = o, .turns = calloc(g->count + 1, sizeof *s.turns)};
    if (!s.turns)
        return SCAN_NO_MEMORY;
    if (left_of(g) > 0 && open_all(&s) && visit_watched(&s) && close_all(&s))
        for (size_t i = 0; i < g->count && s.status == SCAN_OK; i++)
            s.status = measurement_summarize(&g->members[i].measurement, g->stop);
    free(s.turns);
    return s.status;
}
