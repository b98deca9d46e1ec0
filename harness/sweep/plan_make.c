#include "sweep/plan_make.h"

#include "sweep/candidates.h"
#include "sweep/plan_rules.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

/* A plan in progress. */
typedef struct planner {
    const settings *s;
    const session *sessions;
    size_t session_count;
    uint64_t mem_limit;
    plan plan;
    scan_status status;
} planner;

/* How many parts share a problem belongs to the problem: only --parts changes it. */
static bool counts_parts(const plugin_info *plugin, const tunable_info *t)
{
    return plugin->in_parts && strcmp(t->name, SCAN_PARTS_TUNABLE) == 0;
}

/* Is it measured with every value of this tunable, though nobody asked for them? */
static bool takes_every_value(const settings *s, const plugin_info *plugin, const tunable_info *t)
{
    return !counts_parts(plugin, t) && plugin->role == SCAN_ROLE_CEILING && !s->race && t->values &&
           !(t->flags & SCAN_TUNABLE_THREADS) && !settings_find(s, t->name);
}

/* Settings that nobody asked for cost their checks, but no more sampling. */
static uint32_t sharers(const settings *s, const plugin_info *plugin)
{
    uint32_t count = 1;
    for (size_t i = 0; i < plugin->tunable_count; i++)
        if (takes_every_value(s, plugin, &plugin->tunables[i]))
            count *= (uint32_t)plugin->tunables[i].value_count;
    return count;
}

static void add(planner *p, configuration *c)
{
    const session *one = &p->sessions[c->session];
    char *reason = NULL;
    c->parts = plan_parts_of(one, &c->job);
    p->status = plan_rules_apply(c, p->sessions, p->mem_limit, &reason);
    if (p->status == SCAN_OK)
        p->status = plan_add(&p->plan, c, sharers(p->s, one->plugin), reason);
    if (p->status != SCAN_OK)
        free(reason);
}

/* The thread counts with which a ceiling is measured: those that other plugins of its backend
 * use. */
static size_t ceiling_threads(const planner *p, const session *ceiling, const tunable_info *t,
                              int64_t *values, size_t capacity)
{
    size_t count = 0;
    values[count++] = t->default_value;
    for (size_t i = 0; i < p->session_count; i++) {
        const session *one = &p->sessions[i];
        if (strcmp(one->plugin->backend, ceiling->plugin->backend) != 0)
            continue;
        for (size_t k = 0; k < one->plugin->tunable_count; k++) {
            const tunable_info *other = &one->plugin->tunables[k];
            if (!(other->flags & SCAN_TUNABLE_THREADS))
                continue;
            int64_t threads = other->default_value > 0 ? other->default_value : one->places;
            bool there = false;
            for (size_t v = 0; v < count; v++)
                there |= threads == (values[v] > 0 ? values[v] : ceiling->places);
            if (!there && count < capacity)
                values[count++] = threads;
        }
    }
    return count;
}

/* Adds every combination of the tunables from the at-th on. */
static void combine(planner *p, configuration *c, size_t at)
{
    const session *one = &p->sessions[c->session];
    const plugin_info *plugin = one->plugin;
    if (at == plugin->tunable_count) {
        c->job.tunable_count = (uint32_t)at;
        for (size_t i = 0; i < p->s->cache_count && p->status == SCAN_OK; i++) {
            c->job.cache = p->s->caches[i];
            add(p, c);
        }
        return;
    }
    const tunable_info *t = &plugin->tunables[at];
    const range_list *set = settings_find(p->s, t->name);
    int64_t *every = NULL;
    int64_t own[16] = {t->default_value};
    const int64_t *values = own;
    size_t count = 1;
    if (set) {
        values = set->values;
        count = set->count;
    } else if (counts_parts(plugin, t)) {
        count = 1;
    } else if (p->s->race && (every = calloc(CANDIDATES_MOST, sizeof *every)) != NULL) {
        count = candidates_of(t, one->places, every);
        values = every;
    } else if (p->s->race) {
        p->status = SCAN_NO_MEMORY;
    } else if (takes_every_value(p->s, plugin, t)) {
        values = t->values;
        count = t->value_count;
    } else if (plugin->role == SCAN_ROLE_CEILING && t->flags & SCAN_TUNABLE_THREADS) {
        count = ceiling_threads(p, one, t, own, sizeof own / sizeof *own);
    }
    for (size_t i = 0; i < count && p->status == SCAN_OK; i++) {
        c->job.tunables[at] = values[i];
        combine(p, c, at + 1);
    }
    free(every);
}

/* The kind with which a plugin takes part where any will do: exclusive, the default, unless it has
 * the other alone. */
static uint32_t kind_of(const plugin_info *plugin, uint32_t op, uint32_t dtype)
{
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        if (plugin_info_declares(plugin, op, kind, dtype))
            return kind;
    return SCAN_KIND_EXCLUSIVE;
}

static void plan_sessions(planner *p, uint32_t dtype, uint64_t n, uint32_t op, uint32_t kind,
                          bool ceilings)
{
    for (size_t i = 0; i < p->session_count && p->status == SCAN_OK; i++) {
        if ((p->sessions[i].plugin->role == SCAN_ROLE_CEILING) != ceilings)
            continue;
        configuration c = {.session = i, .job = p->plan.common};
        c.job.dtype = dtype;
        c.job.op = op;
        c.job.any_kind = kind == SETTINGS_ANY_KIND;
        c.job.kind = c.job.any_kind ? kind_of(p->sessions[i].plugin, op, dtype) : kind;
        c.job.n = n;
        combine(p, &c, 0);
    }
}

static bool has_tunable(const session_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < set->sessions[i].plugin->tunable_count; k++)
            if (strcmp(set->sessions[i].plugin->tunables[k].name, name) == 0)
                return true;
    return false;
}

scan_status plan_check_sets(const settings *s, const session_set *set, errmsg *error)
{
    const char *names[64]; /* to suggest from */
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < set->sessions[i].plugin->tunable_count && count < 64; k++)
            names[count++] = set->sessions[i].plugin->tunables[k].name;
    for (size_t i = 0; i < s->set_count; i++) {
        const char *name = s->sets[i].name;
        const bool own_option = strcmp(name, "block") == 0 || strcmp(name, SCAN_PARTS_TUNABLE) == 0;
        if (own_option || has_tunable(set, name))
            continue;
        char near[SUGGEST_BYTES];
        return errmsg_set(error, SCAN_INVALID,
                          "--set %s: none of these plugins has such a tunable%s", name,
                          suggest_text(name, names, count, near, sizeof near));
    }
    return SCAN_OK;
}

scan_status plan_make(const measuring_options *m, const settings *s, const session_set *set,
                      uint64_t mem_limit, plan *plan_p, errmsg *error)
{
    planner p = {.s = s,
                 .sessions = set->sessions,
                 .session_count = set->count,
                 .mem_limit = mem_limit,
                 .plan = {.sessions = set->sessions,
                          .common = {.mode = JOB_MEASURE,
                                     .seed = s->seed,
                                     .repeat = 1,
                                     .in_race = s->race,
                                     .time_limit_s = m->time_limit_s}}};
    p.status = plan_check_sets(s, set, error);
    for (size_t t = 0; t < s->type_count; t++) {
        uint32_t dtype = s->types[t];
        for (size_t i = 0; i < s->sizes.count; i++) {
            uint64_t n = (uint64_t)s->sizes.values[i];
            plan_sessions(&p, dtype, n, op_first_on(dtype), SCAN_KIND_EXCLUSIVE, true);
            for (size_t k = 0; k < s->op_count * s->kind_count; k++)
                if (op_takes_dtype(s->ops[k / s->kind_count], dtype))
                    plan_sessions(&p, dtype, n, s->ops[k / s->kind_count],
                                  s->kinds[k % s->kind_count], false);
        }
    }
    if (p.status == SCAN_NO_MEMORY)
        errmsg_set(error, SCAN_INVALID, "no memory for a plan of more than %zu configurations",
                   p.plan.count);
    if (p.status != SCAN_OK) {
        plan_free(&p.plan);
        return p.status;
    }
    *plan_p = p.plan;
    return SCAN_OK;
}
