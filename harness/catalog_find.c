#include "catalog.h"

#include <string.h>

const catalog_plugin *catalog_find(const catalog *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->plugins[i].id, id) == 0)
            return &c->plugins[i];
    return NULL;
}

int catalog_tunable_index(const catalog_plugin *p, const char *name)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        if (strcmp(p->tunables[i].name, name) == 0)
            return (int)i;
    return -1;
}

const catalog_tunable *catalog_tunable_find(const catalog_plugin *p, const char *name)
{
    int index = catalog_tunable_index(p, name);
    return index < 0 ? NULL : &p->tunables[index];
}

bool catalog_tunable_allows(const catalog_tunable *t, int64_t value)
{
    if (!t->values)
        return value >= t->min && value <= t->max;
    for (size_t i = 0; i < t->value_count; i++)
        if (t->values[i] == value)
            return true;
    return false;
}
