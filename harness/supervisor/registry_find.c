#include "supervisor/registry.h"

#include "problem/declared.h"
#include "problem/names.h"

#include <string.h>

const plugin_info *registry_find(const registry *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->plugins[i].id, id) == 0)
            return &c->plugins[i];
    return NULL;
}

bool plugin_info_declares(const plugin_info *p, uint32_t op, uint32_t kind, uint32_t dtype)
{
    if (p->role == SCAN_ROLE_CEILING)
        return kind == 0 && op_takes_dtype(op, dtype);
    return declared(p->ops, op, kind, dtype);
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
