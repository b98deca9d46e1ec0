#include "supervisor/registry.h"

#include <string.h>

const plugin_info *registry_find(const registry *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->plugins[i].id, id) == 0)
            return &c->plugins[i];
    return NULL;
}

int tunable_info_index(const plugin_info *p, const char *name)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        if (strcmp(p->tunables[i].name, name) == 0)
            return (int)i;
    return -1;
}

const tunable_info *tunable_info_find(const plugin_info *p, const char *name)
{
    int index = tunable_info_index(p, name);
    return index < 0 ? NULL : &p->tunables[index];
}

bool tunable_info_allows(const tunable_info *t, int64_t value)
{
    if (!t->values)
        return value >= t->min && value <= t->max;
    for (size_t i = 0; i < t->value_count; i++)
        if (t->values[i] == value)
            return true;
    return false;
}
