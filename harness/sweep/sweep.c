#include "sweep/sweep.h"

#include "supervisor/interrupt.h"

typedef struct sweep {
    const plan *plan;
    session *sessions;
    const sweep_options *o;
    const sweep_listener *listener;
    errmsg *error;
} sweep;

bool sweep_has(const sweep_listener *listener, const session *sessions, const configuration *c)
{
    const measurement m = {.session = &sessions[c->session], .configuration = c};
    return listener->has && listener->has(listener->context, &m);
}

static bool is_there(const sweep *s, const configuration *c)
{
    return sweep_has(s->listener, s->sessions, c);
}

/* The ceilings that an earlier group has measured, if there is anything to compare with them. */
static void borrow_ceilings(const sweep *s, const group_range *range, group *g)
{
    bool measured = false;
    for (size_t i = 0; i < g->count; i++)
        measured |= !group_entry_is_over(&g->members[i]);
    for (size_t i = range->ceilings; measured && i < range->ceilings_end && i < range->first; i++) {
        const configuration c = plan_get(s->plan, i);
        if (c.status == ROW_OK && !is_there(s, &c))
            group_add(g, &c)->role = MEMBER_BORROWED;
    }
}

double sweep_time_limit_s(const group *g)
{
    double time_s = 0;
    const size_t count = g->count - g->calibrators;
    for (size_t i = 0; i < count; i++)
        time_s += g->members[i].configuration.job.time_limit_s;
    return count ? time_s / (double)count : 1;
}

/* Calibrators have a say in intervals alone. */
static void calibrate(const sweep *s, group *g)
{
    const bool rounds = !s->o->alone && s->o->max_samples >= ROUNDS_FEWEST;
    size_t measured = 0;
    for (size_t i = 0; i < g->count; i++)
        measured += !group_entry_is_over(&g->members[i]);
    if (s->o->calibrators > 0 && rounds && measured > 0)
        group_add_calibrators(g, s->o->calibrators);
}

static scan_status measure_members(const sweep *s, group *g)
{
    const sweep_options *o = s->o;
    const measure_options how = {.rule = {.min_samples = o->min_samples,
                                          .max_samples = o->max_samples,
                                          .least_rounds = o->least_rounds,
                                          .time_limit_s = sweep_time_limit_s(g)},
                                 .run_only = o->race,
                                 .race = o->race,
                                 .mem_limit = o->mem_limit,
                                 .watcher = s->listener->watcher};
    scan_status status = measure_group(g, &how);
    if (status == SCAN_NO_MEMORY)
        return errmsg_set(s->error, status, "out of memory");
    if (status == SCAN_INVALID)
        return errmsg_set(s->error, status, "a worker sent a value that is not a time");
    return status == SCAN_OK ? status : errmsg_set(s->error, status, "%s", "");
}

/* One group, from its configurations to what the listener makes of it. */
static scan_status measure(const sweep *s, const group_range *range)
{
    group g;
    const size_t calibrators = (size_t)CALIBRATOR_COUNT * CACHE_STATE_COUNT;
    const size_t most =
        range->end - range->first + (range->ceilings_end - range->ceilings) + calibrators;
    if (group_begin(&g, s->sessions, most) != SCAN_OK)
        return errmsg_set(s->error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = range->first; i < range->end; i++) {
        const configuration c = plan_get(s->plan, i);
        if (!is_there(s, &c))
            group_add(&g, &c);
    }
    borrow_ceilings(s, range, &g);
    calibrate(s, &g);
    scan_status status = measure_members(s, &g);
    if (status == SCAN_OK && s->listener->done)
        status = s->listener->done(s->listener->context, &g, s->error);
    group_free(&g);
    return status;
}

scan_status sweep_measure(const plan *p, session *sessions, const sweep_options *o,
                          const sweep_listener *listener, errmsg *error)
{
    const sweep s = {.plan = p, .sessions = sessions, .o = o, .listener = listener, .error = error};
    group_range range = {0};
    for (;;) {
        range = group_next(p, &range, o->alone);
        if (range.first == range.end)
            return SCAN_OK;
        if (interrupt_requested())
            return errmsg_set(error, SCAN_ERROR, "%s", "");
        scan_status status = measure(&s, &range);
        if (status != SCAN_OK)
            return status;
    }
}
