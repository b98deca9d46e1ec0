#include "sweep/plan.h"

#include "text/array_room.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a plan keeps of a configuration ---- */

struct plan_entry {
    uint64_t n, rows, inner;
    size_t tunables; /* where its values begin in the plan's array */
    char *reason;
    uint32_t session, dtype, result, op, kind, cache;
    uint32_t sharers; /* of one time limit, itself among them */
    bool any_kind;
    row_status status;
};

/* How many parts share its problem; 0: its plugin does not know of parts. */
static unsigned parts_of(const session *one, const job *j)
{
    const int at = one->plugin->in_parts ? tunable_info_index(one->plugin, SCAN_PARTS_TUNABLE) : -1;
    return at < 0 ? 0 : (unsigned)j->tunables[at];
}

/* Fills in the fields that follow from the tunables. */
static void describe_tunables(const session *one, configuration *c)
{
    size_t used = 0;
    for (uint32_t i = 0; i < c->job.tunable_count; i++) {
        const tunable_info *t = &one->plugin->tunables[i];
        int64_t value = c->job.tunables[i];
        if (t->flags & SCAN_TUNABLE_THREADS)
            c->threads = value > 0 ? (unsigned)value : one->places;
        if (strcmp(t->name, "block") == 0) {
            c->has_block = true;
            c->block = value;
        } else if (strcmp(t->name, "vt") == 0) {
            c->has_vt = true;
            c->vt = value;
        } else if (used < sizeof c->params) {
            used += (size_t)snprintf(c->params + used, sizeof c->params - used, "%s%s=%" PRId64,
                                     used ? ";" : "", t->name, value);
        }
    }
}

/* Makes room for one more configuration. */
static scan_status reserve(plan *p, size_t tunables)
{
    plan_entry *entries = array_room(p->entries, &p->capacity, p->count, 1, sizeof *entries);
    if (!entries)
        return SCAN_NO_MEMORY;
    p->entries = entries;
    int64_t *values =
        array_room(p->tunables, &p->tunables_capacity, p->tunables_used, tunables, sizeof *values);
    if (!values)
        return SCAN_NO_MEMORY;
    p->tunables = values;
    return SCAN_OK;
}

/* Adds one, of `sharers` of one time limit. The plan owns `reason`, why it is not measured, or
 * NULL. SCAN_OK or SCAN_NO_MEMORY, and then the reason is not taken. */
static scan_status add_entry(plan *p, const configuration *c, uint32_t sharers, char *reason)
{
    const scan_status status = reserve(p, c->job.tunable_count);
    if (status != SCAN_OK)
        return status;
    p->entries[p->count] = (plan_entry){.n = c->job.n,
                                        .rows = c->job.rows,
                                        .inner = c->job.inner,
                                        .tunables = p->tunables_used,
                                        .session = (uint32_t)c->session,
                                        .dtype = c->job.dtype,
                                        .result = c->job.result,
                                        .op = c->job.op,
                                        .kind = c->job.kind,
                                        .any_kind = c->job.measure.any_kind,
                                        .cache = c->job.cache,
                                        .sharers = sharers,
                                        .status = c->status};
    p->entries[p->count++].reason = reason;
    for (uint32_t i = 0; i < c->job.tunable_count; i++)
        p->tunables[p->tunables_used++] = c->job.tunables[i];
    return SCAN_OK;
}

configuration plan_get(const plan *p, size_t i)
{
    const plan_entry *entry = &p->entries[i];
    const session *one = &p->sessions[entry->session];
    configuration c = {.session = entry->session,
                       .job = p->common,
                       .threads = 1,
                       .status = entry->status,
                       .reason = entry->reason};
    c.job.dtype = entry->dtype;
    c.job.result = entry->result;
    c.job.op = entry->op;
    c.job.kind = entry->kind;
    c.job.measure.any_kind = entry->any_kind;
    c.job.n = entry->n;
    c.job.rows = entry->rows;
    c.job.inner = entry->inner;
    c.job.cache = entry->cache;
    c.job.time_limit_s /= entry->sharers;
    c.job.tunable_count = (uint32_t)one->plugin->tunable_count;
    for (uint32_t k = 0; k < c.job.tunable_count; k++)
        c.job.tunables[k] = p->tunables[entry->tunables + k];
    c.parts = parts_of(one, &c.job);
    describe_tunables(one, &c);
    return c;
}

void plan_move(plan *p, const session *sessions)
{
    p->sessions = sessions;
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->entries[i].reason);
    free(p->entries);
    free(p->tunables);
    *p = (plan){0};
}

void plan_describe(const configuration *c, const session *sessions, char *text, size_t size)
{
    const plugin_info *p = sessions[c->session].plugin;
    char scan[JOB_SCAN_BYTES], shape[JOB_SHAPE_BYTES];
    int used = snprintf(text, size, "%s %s n=%" PRIu64 "%s", p->id,
                        job_scan_text(&c->job, p->role == SCAN_ROLE_CEILING, scan), c->job.n,
                        job_shape_text(&c->job, " rows=", " inner=", shape));
    for (uint32_t i = 0; i < c->job.tunable_count && used > 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, " %s=%" PRId64, p->tunables[i].name,
                         c->job.tunables[i]);
    if (c->job.measure.any_kind && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, " kinds=" JOB_ANY_KIND);
    if (c->job.cache != CACHE_HOT && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " cache=%s", cache_state_word(c->job.cache));
}

/* ---- making a plan ---- */

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

static void add_configuration(planner *p, configuration *c)
{
    const session *one = &p->sessions[c->session];
    char *reason = NULL;
    c->parts = parts_of(one, &c->job);
    p->status = plan_apply_rules(c, p->sessions, p->mem_limit, &reason);
    if (p->status == SCAN_OK)
        p->status = add_entry(&p->plan, c, sharers(p->s, one->plugin), reason);
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
            add_configuration(p, c);
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
    } else if (counts_parts(plugin, t) || strcmp(t->name, SCAN_ACCURATE_TUNABLE) == 0) {
        count = 1; /* what is promised is asked for, not raced */
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

/* All sessions of one problem, whose shape, dtype and result `like` has. */
static void plan_sessions(planner *p, const job *like, uint32_t op, uint32_t kind, bool ceilings)
{
    for (size_t i = 0; i < p->session_count && p->status == SCAN_OK; i++) {
        if ((p->sessions[i].plugin->role == SCAN_ROLE_CEILING) != ceilings)
            continue;
        configuration c = {.session = i, .job = *like};
        c.job.op = op;
        c.job.measure.any_kind = kind == SETTINGS_ANY_KIND;
        c.job.kind =
            c.job.measure.any_kind ? kind_of(p->sessions[i].plugin, op, like->dtype) : kind;
        combine(p, &c, 0);
    }
}

/* Each combination of operator and kind, of the shape, dtype and result that `like` has. */
static void plan_problems(planner *p, const job *like)
{
    const settings *s = p->s;
    plan_sessions(p, like, op_first_on(like->dtype), SCAN_KIND_EXCLUSIVE, true);
    for (size_t k = 0; k < s->op_count * s->kind_count; k++)
        if (op_takes_dtype(s->ops[k / s->kind_count], like->dtype))
            plan_sessions(p, like, s->ops[k / s->kind_count], s->kinds[k % s->kind_count], false);
}

static void plan_types(planner *p, uint32_t dtype, uint32_t result)
{
    const settings *s = p->s;
    job like = p->plan.common;
    like.dtype = dtype;
    like.result = result;
    for (size_t i = 0; i < s->sizes.count; i++)
        for (size_t k = 0; k < s->inner.count; k++)
            for (size_t r = 0; r < settings_rows(s); r++) {
                like.n = (uint64_t)s->sizes.values[i];
                like.inner = (uint64_t)s->inner.values[k];
                like.rows = settings_rows_at(s, r, like.n, like.inner);
                plan_problems(p, &like);
            }
}

static bool has_tunable(const session_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (tunable_info_index(set->sessions[i].plugin, name) >= 0)
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
                                     .measure.in_race = s->race,
                                     .time_limit_s = m->time_limit_s}}};
    p.status = plan_check_sets(s, set, error);
    for (size_t t = 0; t < s->type_count; t++) {
        uint32_t results[SETTINGS_RESULTS];
        const size_t count = settings_results(s, s->types[t], results);
        for (size_t i = 0; i < count; i++)
            plan_types(&p, s->types[t], results[i]);
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
