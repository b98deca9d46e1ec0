#include "sweep/forecast.h"

#include "text/array_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds added to both sides of the ratio of the openings that were seen to those that were
 * expected, so that a few short ones do not decide it. */
#define OPENINGS_FIRM_S 0.02

/* Closing a configuration takes as long as opening it, until more is known; then at most twice as
 * long. */
#define CLOSING_GUESS 1.0
#define CLOSING_MOST 2.0

/* The share of its cost that a group is expected to need at least, when it takes longer. */
#define LEAST_LEFT 0.03

/* The whole sweep is forecast anew whenever the number of groups that have begun has grown by this
 * share: doing it after each would take long in a large sweep. */
#define ANEW_EVERY 0.02

typedef struct planned {
    group_members group; /* without its sessions */
    size_t first;        /* where these begin in `members` */
    double cost_s;
} planned;

struct forecast {
    group_costs costs;
    size_t calibrators; /* their first session, or 0 */
    bool alone;
    planned *groups;
    size_t group_count, group_capacity;
    uint32_t *members;
    size_t member_count, member_capacity;
    size_t begun;            /* groups */
    bool measuring;          /* one of them is not finished */
    size_t runs;             /* members of it whose run is known */
    double opened_s;         /* of its openings so far, with the closings that are expected */
    double opened_guess_s;   /* what was expected of these */
    double openings_guess_s; /* what was expected of all */
    double opening_sum_s, closing_sum_s; /* without closings, and with them */
    double closing;                      /* the time of closing over that of opening */
    double closes_s;                     /* of the group, before its first closing; 0: not yet */
    double future_s;                     /* of the groups after it */
    size_t future_of;                    /* groups begun when that was computed */
    bool future_is_new;                  /* with all runs of the current group */
    bool has_future;
};

forecast *forecast_new(const session *sessions, size_t session_count, const sweep_options *o)
{
    const rounds_rule rule = {.min_samples = o->min_samples,
                              .max_samples = o->max_samples,
                              .least_rounds = o->least_rounds};
    forecast *f = calloc(1, sizeof *f);
    if (!f || group_costs_make(sessions, session_count, &rule, &f->costs) != SCAN_OK) {
        free(f);
        return NULL;
    }
    f->calibrators = o->max_samples >= ROUNDS_FEWEST && !o->alone ? o->calibrators : 0;
    f->alone = o->alone;
    f->closing = CLOSING_GUESS;
    return f;
}

void forecast_free(forecast *f)
{
    if (!f)
        return;
    group_costs_free(&f->costs);
    free(f->groups);
    free(f->members);
    free(f);
}

scan_status forecast_add(forecast *f, const group_members *g)
{
    uint32_t *members =
        array_room(f->members, &f->member_capacity, f->member_count, g->count, sizeof *members);
    if (!members)
        return SCAN_NO_MEMORY;
    f->members = members;
    planned *groups = array_room(f->groups, &f->group_capacity, f->group_count, 1, sizeof *groups);
    if (!groups)
        return SCAN_NO_MEMORY;
    f->groups = groups;
    planned *added = &f->groups[f->group_count++];
    *added = (planned){.group = *g, .first = f->member_count};
    added->group.sessions = NULL;
    if (g->count > 0)
        memcpy(f->members + f->member_count, g->sessions, g->count * sizeof *g->sessions);
    f->member_count += g->count;
    f->has_future = false;
    return SCAN_OK;
}

/* Takes a configuration into the group that is being gathered in `sessions`. */
static void gather(const configuration *c, group_members *g, uint32_t *sessions)
{
    if (c->status != ROW_OK)
        return;
    g->array_bytes = (double)c->job.n * (double)dtype_bytes(c->job.dtype);
    g->time_limit_s += c->job.time_limit_s;
    sessions[g->count++] = (uint32_t)c->session;
}

static scan_status add_range(forecast *f, const plan *p, const sweep_listener *listener,
                             const group_range *range)
{
    const size_t most =
        range->end - range->first + (range->ceilings_end - range->ceilings) + CALIBRATOR_COUNT;
    uint32_t *sessions = calloc(most + 1, sizeof *sessions);
    group_members g = {.sessions = sessions};
    /* Guests come last: they are there only for others. */
    for (size_t i = range->first; sessions && i < range->end; i++) {
        const configuration c = plan_get(p, i);
        const measurement m = {.session = &p->sessions[c.session], .configuration = &c};
        if (!listener || !listener->has || !listener->has(listener->context, &m))
            gather(&c, &g, sessions);
    }
    const bool measured = g.count > 0;
    for (size_t i = range->ceilings;
         sessions && measured && i < range->ceilings_end && i < range->first; i++) {
        const configuration c = plan_get(p, i);
        if (c.status == ROW_OK)
            gather(&c, &g, sessions);
    }
    const size_t members = g.count;
    for (; sessions && measured && f->calibrators > 0 && g.calibrators < CALIBRATOR_COUNT;
         g.calibrators++)
        sessions[g.count++] = (uint32_t)(f->calibrators + g.calibrators);
    g.time_limit_s = members > 0 ? g.time_limit_s / (double)members : 1;
    const scan_status status = sessions ? forecast_add(f, &g) : SCAN_NO_MEMORY;
    free(sessions);
    return status;
}

scan_status forecast_add_plan(forecast *f, const plan *p, const sweep_listener *listener)
{
    group_range range = {0};
    for (;;) {
        range = group_next(p, &range, f->alone);
        if (range.first == range.end)
            return SCAN_OK;
        if (add_range(f, p, listener, &range) != SCAN_OK)
            return SCAN_NO_MEMORY;
    }
}

forecast_size forecast_size_of(const forecast *f)
{
    forecast_size size = {0};
    for (size_t i = 0; i < f->group_count; i++) {
        size.configurations += f->groups[i].group.count - f->groups[i].group.calibrators;
        size.groups += f->groups[i].group.count > 0;
    }
    return size;
}

/* ---- the current group ------------------------------------------------------ */

static group_members members_of(const forecast *f, const planned *p)
{
    group_members g = p->group;
    g.sessions = f->members + p->first;
    return g;
}

/* false if none is measured. */
static bool current(const forecast *f, group_members *g_p)
{
    if (f->measuring)
        *g_p = members_of(f, &f->groups[f->begun - 1]);
    return f->measuring;
}

void forecast_begin(forecast *f)
{
    if (f->begun == f->group_count)
        return;
    const planned *next = &f->groups[f->begun++];
    const group_members g = members_of(f, next);
    f->future_s -= next->cost_s;
    f->measuring = true;
    f->future_is_new = false;
    f->runs = 0;
    f->opened_s = f->opened_guess_s = 0;
    f->openings_guess_s = group_costs_openings_s(&f->costs, &g, 1);
    f->opening_sum_s = f->closing_sum_s = f->closes_s = 0;
    group_costs_begin(&f->costs);
}

void forecast_opened(forecast *f, uint32_t of, double opening_s)
{
    group_members g;
    if (!current(f, &g))
        return;
    f->opening_sum_s += opening_s;
    opening_s *= 1 + f->closing;
    if (f->costs.of[of].openings == 0) {
        f->opened_guess_s += group_costs_opening_s(&f->costs, &g, of);
        f->opened_s += opening_s;
    }
    group_costs_opened(&f->costs, &g, of, opening_s);
}

void forecast_estimated(forecast *f, uint32_t of, double run_ns)
{
    group_members g;
    if (!current(f, &g))
        return;
    group_costs_estimated(&f->costs, &g, of, run_ns);
    f->runs++;
}

void forecast_closed(forecast *f, uint32_t of, double opening_s)
{
    group_members g;
    if (!current(f, &g))
        return;
    f->closing_sum_s += opening_s;
    group_costs_closed(&f->costs, &g, of, opening_s);
}

void forecast_closing(forecast *f, double elapsed_s)
{
    if (f->closes_s <= 0)
        f->closes_s = elapsed_s;
}

void forecast_end(forecast *f, const group_rounds *rounds)
{
    group_members g;
    if (!current(f, &g))
        return;
    group_costs_learn(&f->costs, &g, rounds);
    f->measuring = false;
    if (f->opening_sum_s > 0)
        f->closing = fmin(fmax(f->closing_sum_s / f->opening_sum_s - 1, 0), CLOSING_MOST);
}

/* ---- what is left ------------------------------------------------------------ */

/* Are all runs of the current group known? */
static bool is_complete(const forecast *f)
{
    group_members g;
    return current(f, &g) && f->runs >= g.count;
}

/* Is what was computed of the groups to come too old? */
static bool is_due(const forecast *f)
{
    const double since = f->has_future ? (double)(f->begun - f->future_of) : INFINITY;
    const double every = ANEW_EVERY * (double)f->begun;
    return since > 0 ? since >= every : every <= 1 && is_complete(f) && !f->future_is_new;
}

static void look_ahead(forecast *f)
{
    f->future_s = 0;
    for (size_t i = f->begun; i < f->group_count; i++) {
        const group_members g = members_of(f, &f->groups[i]);
        f->groups[i].cost_s =
            group_costs_openings_s(&f->costs, &g, 1) + group_costs_rounds_s(&f->costs, &g);
        f->future_s += f->groups[i].cost_s;
    }
    f->future_of = f->begun;
    f->has_future = true;
    f->future_is_new = is_complete(f);
}

/* The cost of the current group. */
static double cost_now(const forecast *f, const group_members *g)
{
    /* The first openings of a group say little of those to come, and the last ones much. */
    const double all_s = f->openings_guess_s + OPENINGS_FIRM_S;
    const double ratio = (f->opened_s + all_s) / (f->opened_guess_s + all_s);
    const double opening_s = group_costs_openings_s(&f->costs, g, ratio);
    if (f->closes_s > 0)
        return f->closes_s + opening_s * f->closing / (1 + f->closing);
    return opening_s + group_costs_rounds_s(&f->costs, g);
}

double forecast_left_s(forecast *f, double elapsed_s)
{
    group_members g;
    if (is_due(f))
        look_ahead(f);
    const double cost_s = current(f, &g) ? cost_now(f, &g) : 0;
    return fmax(cost_s - elapsed_s, LEAST_LEFT * cost_s) + fmax(f->future_s, 0);
}
