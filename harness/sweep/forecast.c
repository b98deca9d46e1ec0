#include "sweep/forecast.h"

#include "sweep/cost_curve.h"
#include "sweep/rounds_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is expected of a plugin that was not measured yet, by the bytes of an array: to open and
 * close a configuration besides its runs, and a run. */
#define OPENING_BASE_S 0.02
#define OPENING_SLOPE_S 1e-8
#define OPENING_SLOPE_ERROR_S 5e-9
#define OPENING_ERROR_S 0.1
#define RUN_BASE_NS 2e3
#define RUN_SLOPE_NS 0.25
#define RUN_SLOPE_ERROR_NS 2.5
#define RUN_ERROR_NS 500.0

/* While it is opened and closed, a configuration runs about so many times. */
#define OPENING_RUNS 4

/* How far the rounds of one group may correct those of others. */
#define FACTOR_MOST 4.0

/* To open a configuration takes so long as to close it, until more is known; then that takes
 * between nothing and twice as long. */
#define CLOSING_GUESS 1.0
#define CLOSING_MOST 2.0

/* The share of its cost that a group is expected to need at least, when it takes longer. */
#define LEAST_LEFT 0.03

/* The whole sweep is forecast anew whenever so many more groups are finished, relative to those
 * that are: doing it after each would take long in a large sweep. */
#define ANEW_EVERY 0.02

/* Of so many groups it is known what their rounds took. */
enum { LESSONS = 32 };

typedef struct session_costs {
    cost_curve opening_s; /* without OPENING_RUNS runs */
    cost_curve run_ns;
    /* In the current group, and of how many members: */
    double opening_sum_s, closing_sum_s, run_sum_ns;
    size_t openings, closings, runs;
    bool copies; /* to a device and back */
} session_costs;

typedef struct planned {
    double array_bytes, time_limit_s, cost_s;
    size_t first, count; /* in `members` */
    size_t calibrators;
} planned;

/* What a finished group teaches. */
typedef struct lesson {
    double array_bytes;
    double factor; /* its rounds took so many times as long as expected */
    double rounds; /* after which it was precise */
} lesson;

struct forecast {
    session_costs *costs; /* by session */
    size_t session_count;
    rounds_rule rule;
    size_t calibrators; /* their first session, or 0 */
    bool alone;
    planned *groups;
    size_t group_count, group_capacity;
    uint32_t *members;
    size_t member_count, member_capacity;
    lesson lessons[LESSONS];
    size_t lesson_count; /* so far: later ones replace the first */
    size_t begun;        /* groups */
    bool measuring;      /* one of them is not finished */
    size_t runs;         /* members of it whose run is known */
    double opened_s;     /* of its openings with the closings expected, and what was expected */
    double opened_guess_s;
    double openings_guess_s;             /* of all */
    double opening_sum_s, closing_sum_s; /* without closings, and with them */
    double closing;                      /* takes so many times as long as opening */
    double closes_s;                     /* after so many seconds of the group; 0: not yet */
    double future_s;                     /* of the groups after it */
    size_t future_of;                    /* groups begun when that was computed */
    bool future_is_new;                  /* with all runs of the current group */
    bool has_future;
};

forecast *forecast_new(const session *sessions, size_t session_count, const sweep_options *o)
{
    forecast *f = calloc(1, sizeof *f);
    session_costs *costs = calloc(session_count + 1, sizeof *costs);
    if (!f || !costs) {
        free(f);
        free(costs);
        return NULL;
    }
    for (size_t i = 0; i < session_count; i++)
        costs[i] = (session_costs){
            .opening_s = {.base = OPENING_BASE_S,
                          .slope = OPENING_SLOPE_S,
                          .slope_error = OPENING_SLOPE_ERROR_S,
                          .error = OPENING_ERROR_S},
            .run_ns = {.base = RUN_BASE_NS,
                       .slope = RUN_SLOPE_NS,
                       .slope_error = RUN_SLOPE_ERROR_NS,
                       .error = RUN_ERROR_NS},
            .copies = sessions[i].plugin->device_memory,
        };
    *f =
        (forecast){.costs = costs,
                   .session_count = session_count,
                   .rule = {.min_samples = o->min_samples,
                            .max_samples = o->max_samples,
                            .least_rounds = o->least_rounds},
                   .calibrators = o->max_samples >= ROUNDS_FEWEST && !o->alone ? o->calibrators : 0,
                   .alone = o->alone,
                   .closing = CLOSING_GUESS};
    return f;
}

void forecast_free(forecast *f)
{
    if (!f)
        return;
    free(f->costs);
    free(f->groups);
    free(f->members);
    free(f);
}

/* Room for `more` elements behind `used`, or NULL, and then the array is as it was. */
static void *grow(void *array, size_t *capacity, size_t used, size_t more, size_t size)
{
    if (array && more <= *capacity - used)
        return array;
    const size_t wanted = 2 * (used + more) + 16;
    void *larger = realloc(array, wanted * size);
    if (larger)
        *capacity = wanted;
    return larger;
}

scan_status forecast_add(forecast *f, const forecast_group *g)
{
    uint32_t *members =
        grow(f->members, &f->member_capacity, f->member_count, g->count, sizeof *members);
    if (!members)
        return SCAN_NO_MEMORY;
    f->members = members;
    planned *groups = grow(f->groups, &f->group_capacity, f->group_count, 1, sizeof *groups);
    if (!groups)
        return SCAN_NO_MEMORY;
    f->groups = groups;
    f->groups[f->group_count++] = (planned){.array_bytes = g->array_bytes,
                                            .time_limit_s = g->time_limit_s,
                                            .first = f->member_count,
                                            .count = g->count,
                                            .calibrators = g->calibrators};
    if (g->count > 0)
        memcpy(f->members + f->member_count, g->sessions, g->count * sizeof *g->sessions);
    f->member_count += g->count;
    f->has_future = false;
    return SCAN_OK;
}

/* Takes a configuration into the group that is being gathered in `sessions`. */
static void gather(const configuration *c, forecast_group *g, uint32_t *sessions)
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
    forecast_group g = {.sessions = sessions};
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
        size.configurations += f->groups[i].count - f->groups[i].calibrators;
        size.groups += f->groups[i].count > 0;
    }
    return size;
}

/* The lesson of the nearest size, or what is expected without one. */
static lesson lesson_for(const forecast *f, double array_bytes)
{
    lesson nearest = {.factor = 1, .rounds = ROUNDS_MOST};
    double least = INFINITY;
    for (size_t i = 0; i < f->lesson_count && i < LESSONS; i++) {
        const double distance = fabs(log((array_bytes + 1) / (f->lessons[i].array_bytes + 1)));
        if (distance <= least) {
            least = distance;
            nearest = f->lessons[i];
        }
    }
    return nearest;
}

/* How long the rounds of a group are expected to take, if `precise` rounds are precise enough. */
static double play(const forecast *f, const planned *g, double precise)
{
    const rounds_cost_group played = {.rule = {.min_samples = f->rule.min_samples,
                                               .max_samples = f->rule.max_samples,
                                               .least_rounds = f->rule.least_rounds,
                                               .time_limit_s = g->time_limit_s},
                                      .precise = precise};
    rounds_cost *cost = rounds_cost_new(&played, g->count);
    if (!cost) /* then the openings are all that is known */
        return 0;
    for (size_t i = 0; i < g->count; i++) {
        const session_costs *c = &f->costs[f->members[g->first + i]];
        const rounds_cost_member m = {.run_ns = cost_curve_at(&c->run_ns, g->array_bytes),
                                      .copies = c->copies,
                                      .calibrator = i + g->calibrators >= g->count};
        rounds_cost_add(cost, &m);
    }
    return rounds_cost_end(cost);
}

static double runs_s(const session_costs *c, double array_bytes)
{
    return OPENING_RUNS * 1e-9 * cost_curve_at(&c->run_ns, array_bytes);
}

static double opening_of(const session_costs *c, double array_bytes)
{
    return fmax(cost_curve_at(&c->opening_s, array_bytes) + runs_s(c, array_bytes), 0);
}

/* Of all members, where those that are not known take `ratio` times as expected. */
static double openings_of(const forecast *f, const planned *g, double ratio)
{
    double opening_s = 0;
    for (size_t i = 0; i < g->count; i++) {
        const session_costs *c = &f->costs[f->members[g->first + i]];
        const bool known = cost_curve_knows(&c->opening_s, g->array_bytes);
        opening_s += (known ? 1 : ratio) * opening_of(c, g->array_bytes);
    }
    return opening_s;
}

static double cost_of(const forecast *f, const planned *g)
{
    const lesson l = lesson_for(f, g->array_bytes);
    return openings_of(f, g, 1) + l.factor * play(f, g, l.rounds);
}

static const planned *current(const forecast *f)
{
    return f->measuring ? &f->groups[f->begun - 1] : NULL;
}

void forecast_begin(forecast *f)
{
    if (f->begun == f->group_count)
        return;
    f->future_s -= f->groups[f->begun].cost_s;
    f->begun++;
    f->measuring = true;
    f->future_is_new = false;
    for (size_t i = 0; i < f->session_count; i++)
        f->costs[i].openings = f->costs[i].closings = f->costs[i].runs = 0;
    f->runs = 0;
    f->opened_s = f->opened_guess_s = 0;
    f->openings_guess_s = openings_of(f, current(f), 1);
    f->opening_sum_s = f->closing_sum_s = f->closes_s = 0;
}

/* Adds to a sum and its count, and notes their mean. */
static void note_mean(cost_curve *curve, double size, double value, double *sum, size_t *count)
{
    *sum = (*count > 0 ? *sum : 0) + value;
    ++*count;
    cost_curve_note(curve, size, *sum / (double)*count);
}

void forecast_opened(forecast *f, uint32_t of, double opening_s)
{
    const planned *g = current(f);
    session_costs *c = &f->costs[of];
    if (!g)
        return;
    f->opening_sum_s += opening_s;
    opening_s *= 1 + f->closing;
    if (c->openings == 0) {
        f->opened_guess_s += opening_of(c, g->array_bytes);
        f->opened_s += opening_s;
    }
    note_mean(&c->opening_s, g->array_bytes, opening_s - runs_s(c, g->array_bytes),
              &c->opening_sum_s, &c->openings);
}

void forecast_estimated(forecast *f, uint32_t of, double run_ns)
{
    const planned *g = current(f);
    session_costs *c = &f->costs[of];
    if (!g)
        return;
    note_mean(&c->run_ns, g->array_bytes, run_ns, &c->run_sum_ns, &c->runs);
    f->runs++;
}

void forecast_closed(forecast *f, uint32_t of, double opening_s)
{
    const planned *g = current(f);
    session_costs *c = &f->costs[of];
    if (!g)
        return;
    f->closing_sum_s += opening_s;
    note_mean(&c->opening_s, g->array_bytes, opening_s - runs_s(c, g->array_bytes),
              &c->closing_sum_s, &c->closings);
}

void forecast_closing(forecast *f, double elapsed_s)
{
    if (f->closes_s <= 0)
        f->closes_s = elapsed_s;
}

void forecast_end(forecast *f, const forecast_cost *cost)
{
    const planned *g = current(f);
    if (!g)
        return;
    lesson l = {.array_bytes = g->array_bytes,
                .rounds = cost->precise ? (double)cost->rounds : ROUNDS_MOST};
    const double expected_s = play(f, g, l.rounds);
    f->measuring = false;
    if (f->opening_sum_s > 0)
        f->closing = fmin(fmax(f->closing_sum_s / f->opening_sum_s - 1, 0), CLOSING_MOST);
    if (expected_s <= 0)
        return;
    l.factor = fmin(fmax(cost->rounds_s / expected_s, 1 / FACTOR_MOST), FACTOR_MOST);
    f->lessons[f->lesson_count++ % LESSONS] = l;
}

/* Is what was computed of the groups to come too old? */
static bool is_due(const forecast *f)
{
    const double since = f->has_future ? (double)(f->begun - f->future_of) : INFINITY;
    const double every = ANEW_EVERY * (double)f->begun;
    const planned *g = current(f);
    const bool complete = g && f->runs >= g->count;
    return since > 0 ? since >= every : every <= 1 && complete && !f->future_is_new;
}

static void look_ahead(forecast *f)
{
    const planned *g = current(f);
    f->future_s = 0;
    for (size_t i = f->begun; i < f->group_count; i++) {
        f->groups[i].cost_s = cost_of(f, &f->groups[i]);
        f->future_s += f->groups[i].cost_s;
    }
    f->future_of = f->begun;
    f->has_future = true;
    f->future_is_new = g && f->runs >= g->count;
}

/* The cost of the current group. */
static double cost_now(const forecast *f, const planned *g)
{
    /* The first openings of a group say little of those to come, and the last ones much. */
    const double all_s = f->openings_guess_s + OPENING_BASE_S;
    const double ratio = (f->opened_s + all_s) / (f->opened_guess_s + all_s);
    const double opening_s = openings_of(f, g, ratio);
    const lesson l = lesson_for(f, g->array_bytes);
    if (f->closes_s > 0)
        return f->closes_s + opening_s * f->closing / (1 + f->closing);
    return opening_s + l.factor * play(f, g, l.rounds);
}

double forecast_left_s(forecast *f, double elapsed_s)
{
    if (is_due(f))
        look_ahead(f);
    const planned *g = current(f);
    const double cost_s = g ? cost_now(f, g) : 0;
    return fmax(cost_s - elapsed_s, LEAST_LEFT * cost_s) + fmax(f->future_s, 0);
}
