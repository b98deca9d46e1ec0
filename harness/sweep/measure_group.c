#include "sweep/measure_group.h"

#include "problem/dtype.h"
#include "supervisor/interrupt.h"
#include "sweep/group_watch.h"
#include "sweep/members.h"
#include "sweep/race.h"
#include "system/clock.h"
#include "text/array_room.h"

#include <stdlib.h>

/* Shares of the work, for the progress bar. */
#define SHARE_OPEN 0.2
#define SHARE_ROUNDS (MEASURE_GROUP_CLOSES - SHARE_OPEN)

typedef struct measuring {
    group *g;
    members all;
    const measure_options *o;
    uint32_t *turns; /* of this round */
    uint64_t visits;
    double elapsed_ns; /* of visits, without what it takes to open */
    double share;
} measuring;

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
        if (!m->over && !members_open(&s->all, m))
            return false;
        s->share += SHARE_OPEN / (double)s->g->count;
    }
    return true;
}

static bool note_visit(measuring *s, uint32_t member)
{
    group *g = s->g;
    uint32_t *visits = array_room(g->visits, &g->visit_capacity, g->visit_count, 1, sizeof *visits);
    if (!visits) {
        s->all.status = SCAN_NO_MEMORY;
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
    return rounds_trips(&s->o->rule, v, s->all.round, trip->count, trip->samples[trip->count - 1]);
}

/* Is the member left out of this round? One of a pair never is: its other would be alone. */
static bool is_resting(const measuring *s, const group_entry *m)
{
    const bool paired = s->o->pair_half_width > 0;
    return !paired && m->estimated && s->all.round % m->pace.every != 0;
}

/* One visit, if the member needs one in this round. */
static bool visit_member(measuring *s, uint32_t index)
{
    group_entry *m = &s->g->members[index];
    if (m->over || m->spent || is_resting(s, m))
        return true;
    turn_to(s, m);
    if (!members_open(&s->all, m))
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
    if (!note_visit(s, index) || !members_ask(&s->all, m, SESSION_VISIT, &v))
        return false;
    const double took = clock_now_ns() - start;
    m->visits_ns += took;
    if (!m->calibrator)
        s->elapsed_ns += took;
    return true;
}

static size_t left_of(const group *g)
{
    size_t left = 0;
    for (size_t i = 0; i < g->count - g->calibrators; i++)
        left += !g->members[i].over;
    return left;
}

/* How many members share the time: those that were ever ready, in a race those that are left. What
 * was ruled out before leaves its time to nobody. */
static size_t sharers_of(const measuring *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->g->count - s->g->calibrators; i++)
        count += s->g->members[i].estimated || !s->g->members[i].over;
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

/* Is the ratio of each pair of which both are visited precise? */
static bool pairs_are_precise(const measuring *s)
{
    for (size_t i = 0; i + 1 < s->g->count; i += 2) {
        const group_entry *one = &s->g->members[i], *other = one + 1;
        if (one->over || one->spent || other->over || other->spent || !run_of(one) ||
            !run_of(other))
            continue;
        const stats_rounds ratio = measurement_ratio(run_of(other), run_of(one));
        if (!ratio.has_ci || ratio.hi - ratio.lo > 2 * s->o->pair_half_width * ratio.median)
            return false;
    }
    return true;
}

static rounds_state state_of(measuring *s)
{
    rounds_state state = {.rounds = s->all.round,
                          .configurations = sharers_of(s),
                          .fewest_rounds = s->all.round,
                          .fewest_samples = SIZE_MAX,
                          .precise = true,
                          .elapsed_s = s->elapsed_ns * 1e-9};
    for (size_t i = 0; i < s->g->count && s->all.status == SCAN_OK; i++)
        s->all.status = add_state(s, &s->g->members[i], &state);
    if (s->o->pair_half_width > 0 && state.left > 0)
        state.precise = pairs_are_precise(s);
    return state;
}

/* Waits until the round may begin; less where a signal arrives. */
static void await_round(const measuring *s, double start_ns)
{
    const double earliest_ns =
        start_ns + 1e9 * rounds_earliest_s(&s->o->rule, sharers_of(s), s->all.round);
    if (s->all.round < ROUNDS_MOST)
        clock_sleep_ns(earliest_ns - clock_now_ns());
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
        if (m->open && !members_ask(&s->all, m, SESSION_DROP, NULL))
            return false;
        m->over = true;
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
    return m->holds && !m->over && !*j->shared && !m->measurement.session->plugin->device_memory &&
           j->n >= RENEW_LEAST / element && j->n <= RENEW_MOST / element;
}

/* The time of a process depends on where its pages lie, and luck has put each plugin's elsewhere.
 * So buffers are given back now and then, and the next visits allocate new ones. */
static bool renew_buffers(measuring *s)
{
    if (s->o->race || s->all.round == 0 || s->all.round % RENEW_EVERY != 0)
        return true;
    for (size_t i = 0; i < s->g->count; i++) {
        group_entry *m = &s->g->members[i];
        if (is_renewed(m) && !members_ask(&s->all, m, SESSION_RELEASE, NULL))
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
    while (g->stop == STOP_NOT_YET && left_of(g) > 0) {
        await_round(s, start_ns);
        if (interrupt_requested())
            return s->all.status = SCAN_ERROR, false;
        if (!renew_buffers(s))
            return false;
        rounds_shuffle(&order, s->turns, g->count);
        for (size_t i = 0; i < g->count; i++)
            g->members[i].visited = false;
        for (size_t i = 0; i < g->count; i++)
            if (!visit_member(s, s->turns[i]))
                return false;
        s->all.round++;
        if (s->all.round < ROUNDS_MOST)
            s->share = SHARE_OPEN + SHARE_ROUNDS * (double)s->all.round / ROUNDS_MOST;
        if (s->o->race && !drop_losers(s))
            return false;
        const rounds_state state = state_of(s);
        g->stop = rounds_check(&s->o->rule, &state);
        if (s->all.status != SCAN_OK)
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
        if (!members_open(&s->all, m) ||
            (!m->over && !members_ask(&s->all, m, SESSION_CLOSE, NULL)))
            return false;
    }
    return true;
}

scan_status measure_group(group *g, const measure_options *o)
{
    measuring s = {.g = g,
                   .all = {.g = g,
                           .rule = &o->rule,
                           .mem_limit = o->mem_limit,
                           .tick = o->tick,
                           .context = o->context},
                   .o = o,
                   .turns = calloc(g->count + 1, sizeof *s.turns)};
    if (!s.turns)
        return SCAN_NO_MEMORY;
    if (left_of(g) > 0 && open_all(&s) && visit_watched(&s) && close_all(&s))
        for (size_t i = 0; i < g->count && s.all.status == SCAN_OK; i++)
            s.all.status = measurement_summarize(&g->members[i].measurement, g->stop);
    free(s.turns);
    return s.all.status;
}
