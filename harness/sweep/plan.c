#include "sweep/plan.h"

#include "problem/names.h"
#include "text/array_room.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct plan_entry {
    uint64_t n;
    size_t tunables; /* where its values begin in the plan's array */
    char *reason;
    uint32_t session, dtype, op, kind, cache;
    uint32_t sharers; /* of one time limit, itself among them */
    bool any_kind;
    row_status status;
};

bool plan_is_on_host(const session *one)
{
    return !one->plugin->device_memory || one->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
}

plan_memory plan_memory_of(const configuration *c, const session *sessions)
{
    const session *one = &sessions[c->session];
    const uint64_t array = c->job.n * dtype_bytes(c->job.dtype);
    const bool on_host = plan_is_on_host(one);
    const uint64_t part = c->parts > 1 ? array / c->parts + (array % c->parts != 0) : array;
    return (plan_memory){.host = array * (one->plugin->device_memory && on_host ? 4 : 2),
                         .device = on_host ? 0 : 2 * part};
}

unsigned plan_parts_of(const session *one, const job *j)
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

scan_status plan_add(plan *p, const configuration *c, uint32_t sharers, char *reason)
{
    const scan_status status = reserve(p, c->job.tunable_count);
    if (status != SCAN_OK)
        return status;
    p->entries[p->count] = (plan_entry){.n = c->job.n,
                                        .tunables = p->tunables_used,
                                        .session = (uint32_t)c->session,
                                        .dtype = c->job.dtype,
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
    c.job.op = entry->op;
    c.job.kind = entry->kind;
    c.job.measure.any_kind = entry->any_kind;
    c.job.n = entry->n;
    c.job.cache = entry->cache;
    c.job.time_limit_s /= entry->sharers;
    c.job.tunable_count = (uint32_t)one->plugin->tunable_count;
    for (uint32_t k = 0; k < c.job.tunable_count; k++)
        c.job.tunables[k] = p->tunables[entry->tunables + k];
    c.parts = plan_parts_of(one, &c.job);
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
    bool ceiling = p->role == SCAN_ROLE_CEILING;
    int used = snprintf(text, size, "%s %s%s%s%s%s n=%" PRIu64, p->id, dtype_name(c->job.dtype),
                        ceiling ? "" : " ", ceiling ? "" : op_name(c->job.op), ceiling ? "" : " ",
                        ceiling ? "" : kind_name(c->job.kind), c->job.n);
    for (uint32_t i = 0; i < c->job.tunable_count && used > 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, " %s=%" PRId64, p->tunables[i].name,
                         c->job.tunables[i]);
    if (c->job.measure.any_kind && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, " kinds=" JOB_ANY_KIND);
    if (c->job.cache != CACHE_HOT && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " cache=%s", cache_state_word(c->job.cache));
}
