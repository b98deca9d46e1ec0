#include "sweep/room.h"

#include <string.h>

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
        if (other == m || !other->holds || shares(other, m))
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
    if (m->holds || has_room(g, m, host_limit))
        return NULL;
    for (size_t i = 0; i < g->count; i++) {
        group_entry *other = &g->members[i];
        if (other == m || !other->holds || shares(other, m))
            continue;
        const bool sooner = found && !other->visited && found->visited;
        const bool later = found && other->visited && !found->visited;
        if (!found || later || (!sooner && other->last < found->last))
            found = other;
    }
    return found;
}
