#include "loader/check_parts.h"

#include <stdbool.h>
#include <string.h>

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))
enum { PARTS_BYTES = END_OF(scan_parts, run), RANKS_BYTES = END_OF(scan_ranks, leave) };

#define BREACH(plugin, text, ...) \
    errmsg_set(error, SCAN_INVALID, "plugin '%s': " text, (plugin)->id, __VA_ARGS__)

static const scan_tunable *find_tunable(const scan_plugin *plugin)
{
    for (uint64_t i = 0; i < plugin->tunable_count; i++)
        if (strcmp(plugin->tunables[i].name, SCAN_PARTS_TUNABLE) == 0)
            return &plugin->tunables[i];
    return NULL;
}

/* With one part it is used as a plugin that does not know of parts. */
static scan_status check_tunable(const scan_plugin *plugin, const scan_tunable *t, errmsg *error)
{
    int64_t least = t->min, most = t->max;
    if (t->values) {
        least = most = t->default_value;
        for (uint32_t i = 0; i < t->value_count; i++) {
            least = t->values[i] < least ? t->values[i] : least;
            most = t->values[i] > most ? t->values[i] : most;
        }
    }
    if (t->default_value != 1 || least != 1)
        return BREACH(plugin,
                      "its tunable '%s' has the default %lld and begins at %lld, expected 1 for "
                      "both",
                      t->name, (long long)t->default_value, (long long)least);
    if (most > SCAN_PARTS_MOST)
        return BREACH(plugin, "its tunable '%s' goes up to %lld, expected at most %d", t->name,
                      (long long)most, SCAN_PARTS_MOST);
    return SCAN_OK;
}

static scan_status check_slots(const scan_plugin *plugin, const scan_parts *parts, errmsg *error)
{
    if (parts->layout >= SCAN_LAYOUT_COUNT)
        return BREACH(plugin, "its parts have layout %u, expected less than %d", parts->layout,
                      SCAN_LAYOUT_COUNT);
    const bool cyclic = parts->layout == SCAN_LAYOUT_CYCLIC, device = plugin->memory != NULL;
    if (!parts->run)
        return BREACH(plugin, "its scan_parts has no %s", "run");
    if (cyclic != (parts->tile != NULL))
        return BREACH(plugin, "its parts are %s, and its scan_parts has %s tile",
                      cyclic ? "cyclic" : "contiguous", cyclic ? "no" : "a");
    if (device != (parts->allocate != NULL))
        return BREACH(plugin, "it has %s memory vtable, and its scan_parts has %s allocate",
                      device ? "a" : "no", device ? "no" : "an");
    return SCAN_OK;
}

scan_status check_parts(const scan_plugin *plugin, const scan_plugin *exported, scan_parts *parts_p,
                        errmsg *error)
{
    const scan_tunable *tunable = find_tunable(plugin);
    const scan_parts *theirs = NULL;
    scan_parts parts = {0};
    if (plugin->get_extension)
        theirs = plugin->get_extension(exported, SCAN_PARTS);
    if (theirs && !tunable)
        return BREACH(plugin, "it answers %s but has no tunable '%s'; declare one that begins at 1",
                      SCAN_PARTS, SCAN_PARTS_TUNABLE);
    if (theirs && theirs->struct_size < PARTS_BYTES)
        return BREACH(plugin,
                      "its scan_parts has struct_size %u, expected at least %d; set it to "
                      "sizeof(scan_parts)",
                      theirs->struct_size, PARTS_BYTES);
    scan_status status = SCAN_OK;
    if (theirs) {
        memcpy(&parts, theirs,
               theirs->struct_size < sizeof parts ? theirs->struct_size : sizeof parts);
        parts.struct_size = sizeof parts;
        status = check_tunable(plugin, tunable, error);
        if (status == SCAN_OK)
            status = check_slots(plugin, &parts, error);
    }
    if (status == SCAN_OK)
        *parts_p = parts;
    return status;
}

scan_status check_ranks(const scan_plugin *plugin, const scan_plugin *exported,
                        const scan_parts *parts, scan_ranks *ranks_p, errmsg *error)
{
    const scan_ranks *theirs =
        plugin->get_extension ? plugin->get_extension(exported, SCAN_RANKS) : NULL;
    scan_ranks ranks = {0};
    if (!theirs)
        return SCAN_OK;
    if (!parts->run)
        return BREACH(plugin, "it answers %s but not %s; a rank holds a part, so answer both",
                      SCAN_RANKS, SCAN_PARTS);
    if (theirs->struct_size < RANKS_BYTES)
        return BREACH(plugin,
                      "its scan_ranks has struct_size %u, expected at least %d; set it to "
                      "sizeof(scan_ranks)",
                      theirs->struct_size, RANKS_BYTES);
    memcpy(&ranks, theirs, theirs->struct_size < sizeof ranks ? theirs->struct_size : sizeof ranks);
    ranks.struct_size = sizeof ranks;
    if (!ranks.join || !ranks.serve || !ranks.ask || !ranks.leave)
        return BREACH(plugin, "its scan_ranks lacks %s; set all functions",
                      !ranks.join    ? "join"
                      : !ranks.serve ? "serve"
                      : !ranks.ask   ? "ask"
                                     : "leave");
    if (plugin->memory)
        return BREACH(plugin, "it has scan_ranks and a %s; its parts are host memory",
                      "memory vtable");
    *ranks_p = ranks;
    return SCAN_OK;
}
