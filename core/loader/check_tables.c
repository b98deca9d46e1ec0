/*
 * check_tables.c - checks everything the contract says about the tables of a plugin file
 * that can be checked without calling it
 */
#include "loader/loader.h"

#include "problem/names.h"
#include "text/errmsg.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The size of each struct in version 1.0. A plugin may leave out get_extension, which is optional
 * and comes last. */
#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))
enum {
    PLUGIN_BYTES = END_OF(scan_plugin, destroy),
    TUNABLE_BYTES = END_OF(scan_tunable, value_count),
    MEMORY_BYTES = END_OF(scan_memory, fill),
    ENTRY_BYTES = END_OF(scan_entry_table, plugins),
    HEAD_BYTES = END_OF(scan_entry_table, struct_size)
};

/* What is being checked, for messages. */
typedef struct check {
    char where[160];
    errmsg *error;
} check;

#define BREACH(at, text, ...) \
    errmsg_set((at)->error, SCAN_INVALID, "%s: " text, (at)->where, __VA_ARGS__)

static scan_status check_word(const check *at, const char *field, const char *text, size_t most)
{
    if (!text)
        return BREACH(at, "its %s is NULL; give it a word", field);
    if (!names_is_word(text, most))
        return BREACH(at, "its %s is '%.*s', expected [a-z][a-z0-9_]* of at most %zu characters",
                      field, (int)most + 1, text, most);
    return SCAN_OK;
}

/* Checks that `text` is one line of UTF-8. It may be empty only if `empty` is true. */
static scan_status check_line(const check *at, const char *field, const char *text, bool empty)
{
    if (!text)
        return BREACH(at, "its %s is NULL; give it %s", field, empty ? "a text or \"\"" : "a text");
    if (!*text && !empty)
        return BREACH(at, "its %s is empty; give it a text", field);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return BREACH(at, "its %s has control character %d in it; make it one line", field,
                          (unsigned char)*c);
    if (!utf8_is_valid(text))
        return BREACH(at, "its %s is not UTF-8", field);
    return SCAN_OK;
}

/* Checks that `found` has no bit that `known` lacks. */
static scan_status check_bits(const check *at, const char *field, uint64_t found, uint64_t known)
{
    if (found & ~known)
        return BREACH(at, "its %s are 0x%llx, expected only bits of 0x%llx", field,
                      (unsigned long long)found, (unsigned long long)known);
    return SCAN_OK;
}

static scan_status check_struct(const check *at, const char *type, uint32_t found, size_t least)
{
    if (found < least)
        return BREACH(at, "its %s has struct_size %u, expected at least %zu; set it to sizeof(%s)",
                      type, found, least, type);
    return SCAN_OK;
}

static scan_status check_memory(const check *at, const scan_memory *memory)
{
    scan_status status = check_struct(at, "scan_memory", memory->struct_size, MEMORY_BYTES);
    if (status == SCAN_OK && memory->struct_size >= END_OF(scan_memory, flags))
        status = check_bits(at, "memory's flags", memory->flags, SCAN_MEMORY_GRAPHS);
    if (status != SCAN_OK)
        return status;
    const struct {
        const char *name;
        bool there;
    } slots[] = {{"open", memory->open},         {"close", memory->close},
                 {"allocate", memory->allocate}, {"release", memory->release},
                 {"view", memory->view},         {"copy_in", memory->copy_in},
                 {"copy_out", memory->copy_out}, {"fill", memory->fill}};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (!slots[i].there)
            return BREACH(at,
                          "its memory vtable has no %s; set all functions, or set memory to NULL",
                          slots[i].name);
    return SCAN_OK;
}

static scan_status check_tunable_values(const check *at, const scan_tunable *tunable)
{
    if (!tunable->values) {
        if (tunable->value_count > 0)
            return BREACH(at, "tunable '%s' has a value_count of %u, but its values are NULL",
                          tunable->name, tunable->value_count);
        if (tunable->min > tunable->max || tunable->default_value < tunable->min ||
            tunable->default_value > tunable->max)
            return BREACH(at,
                          "tunable '%s': expected min <= default_value <= max, found %lld, "
                          "%lld, %lld",
                          tunable->name, (long long)tunable->min, (long long)tunable->default_value,
                          (long long)tunable->max);
        return SCAN_OK;
    }
    if (tunable->value_count > LOADER_MAX_VALUES)
        return BREACH(at, "tunable '%s' has %u values, expected at most %d; give it min and max",
                      tunable->name, tunable->value_count, LOADER_MAX_VALUES);
    for (uint32_t i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == tunable->default_value)
            return SCAN_OK;
    return BREACH(at, "tunable '%s': its default_value %lld is not one of its %u values",
                  tunable->name, (long long)tunable->default_value, tunable->value_count);
}

/* Tunable i. The plugin's struct_size is the distance between entries: an older contract may have
 * smaller ones. */
static const scan_tunable *tunable_at(const scan_plugin *plugin, uint64_t i)
{
    const char *table = (const char *)plugin->tunables;
    return (const scan_tunable *)(const void *)(table + i * plugin->tunables->struct_size);
}

static scan_status check_tunable(const check *at, const scan_plugin *plugin, uint64_t i)
{
    const scan_tunable *tunable = tunable_at(plugin, i);
    if (tunable->struct_size != plugin->tunables->struct_size)
        return BREACH(at, "its tunables have struct_size %u and %u, expected one size",
                      plugin->tunables->struct_size, tunable->struct_size);
    scan_status status = check_word(at, "tunable's name", tunable->name, LOADER_TUNABLE_LENGTH);
    if (status == SCAN_OK)
        status = check_line(at, "tunable's summary", tunable->summary, false);
    if (status == SCAN_OK)
        status = check_bits(at, "tunable's flags", tunable->flags, SCAN_TUNABLE_THREADS);
    if (status == SCAN_OK)
        status = check_tunable_values(at, tunable);
    for (uint64_t j = 0; j < i && status == SCAN_OK; j++)
        if (strcmp(tunable->name, tunable_at(plugin, j)->name) == 0)
            status = BREACH(at, "it has two tunables '%s'", tunable->name);
    return status;
}

static scan_status check_tunables(const check *at, const scan_plugin *plugin)
{
    if (plugin->tunable_count == 0)
        return SCAN_OK;
    if (!plugin->tunables)
        return BREACH(at, "its tunable_count is %llu, but its tunables are NULL",
                      (unsigned long long)plugin->tunable_count);
    if (plugin->tunable_count > LOADER_MAX_TUNABLES)
        return BREACH(at, "it has %llu tunables, expected at most %d",
                      (unsigned long long)plugin->tunable_count, LOADER_MAX_TUNABLES);
    const uint32_t stride = plugin->tunables->struct_size;
    scan_status status = check_struct(at, "scan_tunable", stride, TUNABLE_BYTES);
    if (status == SCAN_OK && (stride > sizeof(scan_tunable) || stride % _Alignof(scan_tunable)))
        status = BREACH(at, "its scan_tunable has struct_size %u, expected sizeof(scan_tunable)",
                        stride);
    for (uint64_t i = 0; i < plugin->tunable_count && status == SCAN_OK; i++)
        status = check_tunable(at, plugin, i);
    return status;
}

static scan_status check_op_entry(const check *at, const scan_op_entry *entry)
{
    if (entry->op >= SCAN_OP_COUNT)
        return BREACH(at, "it declares op %u, expected less than %d", entry->op, SCAN_OP_COUNT);
    if (entry->kinds & ~SCAN_KINDS_BOTH)
        return BREACH(at, "it declares op %s for kinds 0x%x, expected only bits of 0x%x",
                      op_name(entry->op), entry->kinds, SCAN_KINDS_BOTH);
    if (!entry->kinds || !entry->dtypes)
        return BREACH(at, "it declares op %s for no %s", op_name(entry->op),
                      entry->kinds ? "dtypes" : "kinds");
    for (uint32_t dtype = 0; dtype < 64; dtype++)
        if (entry->dtypes & SCAN_BIT(dtype) && !op_takes_dtype(entry->op, dtype))
            return BREACH(at, "it declares op %s for dtype %s, on which %s is not defined",
                          op_name(entry->op), dtype_name(dtype), op_name(entry->op));
    return SCAN_OK;
}

/* Checks that what the plugin declares for operators fits its role. */
static scan_status check_ops(const check *at, const scan_plugin *plugin)
{
    const bool ceiling = plugin->role == SCAN_ROLE_CEILING;
    size_t used = 0;
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++) {
        const scan_op_entry *entry = &plugin->ops[i];
        if (!entry->kinds && !entry->dtypes)
            continue;
        if (ceiling)
            return BREACH(at, "its role is %s, which copies any dtype: leave out its ops",
                          role_name(plugin->role));
        scan_status status = check_op_entry(at, entry);
        if (status != SCAN_OK)
            return status;
        used++;
    }
    if (!ceiling && used == 0)
        return BREACH(at, "it declares no %s", "ops");
    return SCAN_OK;
}

/* Checks that each pair of types that it declares widens. */
static scan_status check_results(const check *at, const scan_plugin *plugin)
{
    if (plugin->struct_size < END_OF(scan_plugin, results))
        return SCAN_OK;
    for (int i = 0; i < SCAN_MAX_RESULT_ENTRIES; i++) {
        const scan_result_entry *entry = &plugin->results[i];
        if (!entry->dtypes != !entry->results)
            return BREACH(at, "it declares %s",
                          entry->dtypes ? "results of no type" : "results of no input");
        if (entry->dtypes && plugin->flags & SCAN_FLAG_IN_PLACE_ONLY)
            return BREACH(at, "it declares wider results and %s, which leaves no room for them",
                          "SCAN_FLAG_IN_PLACE_ONLY");
        for (uint32_t from = 0; from < 64; from++)
            for (uint32_t to = 0; to < 64; to++)
                if (entry->dtypes & SCAN_BIT(from) && entry->results & SCAN_BIT(to) &&
                    !dtype_widens(from, to))
                    return BREACH(at, "it declares results of type %s for %s, which do not widen",
                                  dtype_name(to), dtype_name(from));
    }
    return SCAN_OK;
}

static scan_status check_flags(const check *at, const scan_plugin *plugin)
{
    const uint32_t both = SCAN_FLAG_IN_PLACE | SCAN_FLAG_IN_PLACE_ONLY;
    scan_status status = check_bits(at, "flags", plugin->flags,
                                    both | SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN |
                                        SCAN_FLAG_ROWS | SCAN_FLAG_INNER);
    if (status == SCAN_OK && (plugin->flags & both) == both)
        status = BREACH(at, "it declares both %s and SCAN_FLAG_IN_PLACE_ONLY; choose one",
                        "SCAN_FLAG_IN_PLACE");
    return status;
}

static scan_status check_words(const check *at, const scan_plugin *plugin)
{
    scan_status status = check_line(at, "name", plugin->name, false);
    if (status == SCAN_OK)
        status = check_line(at, "version", plugin->version, false);
    if (status == SCAN_OK)
        status = check_line(at, "summary", plugin->summary, false);
    if (status == SCAN_OK)
        status = check_line(at, "reference", plugin->reference, true);
    if (status == SCAN_OK)
        status = check_line(at, "backend", plugin->backend, false);
    return status;
}

static scan_status check_plugin(check *at, const scan_plugin *plugin)
{
    scan_status status = check_struct(at, "scan_plugin", plugin->struct_size, PLUGIN_BYTES);
    if (status == SCAN_OK)
        status = check_word(at, "id", plugin->id, LOADER_ID_LENGTH);
    if (status != SCAN_OK)
        return status;
    snprintf(at->where, sizeof at->where, "plugin '%s'", plugin->id);
    status = check_words(at, plugin);
    if (status == SCAN_OK && plugin->role >= SCAN_ROLE_COUNT)
        status = BREACH(at, "its role is %u, expected less than %d", plugin->role, SCAN_ROLE_COUNT);
    if (status == SCAN_OK)
        status = check_flags(at, plugin);
    if (status == SCAN_OK)
        status = check_ops(at, plugin);
    if (status == SCAN_OK)
        status = check_results(at, plugin);
    if (status == SCAN_OK && !(plugin->create && plugin->run && plugin->destroy))
        status = BREACH(at, "its %s is NULL; create, run and destroy must be there",
                        !plugin->create ? "create"
                        : !plugin->run  ? "run"
                                        : "destroy");
    if (status == SCAN_OK && plugin->memory && !plugin->probe)
        status =
            BREACH(at, "it has a memory vtable but no %s to say which device it uses", "probe");
    if (status == SCAN_OK && plugin->memory)
        status = check_memory(at, plugin->memory);
    if (status == SCAN_OK)
        status = check_tunables(at, plugin);
    return status;
}

static scan_status check_head(const check *at, const scan_entry_table *entry, size_t symbol_bytes)
{
    if (symbol_bytes < HEAD_BYTES)
        return BREACH(at, "expected a data symbol of at least %d bytes, found %zu%s", ENTRY_BYTES,
                      symbol_bytes, symbol_bytes ? "" : " (is it a function?)");
    if (entry->magic != SCAN_ABI_MAGIC)
        return BREACH(at, "expected magic 0x%x, found 0x%x; define it with SCAN_EXPORT_PLUGINS",
                      SCAN_ABI_MAGIC, entry->magic);
    if (entry->abi_major != SCAN_ABI_MAJOR)
        return BREACH(at,
                      "expected contract version %u, found %u.%u; build the plugin against "
                      "this host's scan_plugin.h",
                      SCAN_ABI_MAJOR, entry->abi_major, entry->abi_minor);
    if (entry->abi_minor > SCAN_ABI_MINOR)
        return BREACH(at,
                      "expected contract version %u.%u or older, found %u.%u; update scanbench, "
                      "or build the plugin against this host's scan_plugin.h",
                      SCAN_ABI_MAJOR, SCAN_ABI_MINOR, entry->abi_major, entry->abi_minor);
    if (entry->struct_size < ENTRY_BYTES || symbol_bytes < ENTRY_BYTES)
        return BREACH(at,
                      "expected a struct_size of at least %d, found %u in a symbol of %zu bytes",
                      ENTRY_BYTES, entry->struct_size, symbol_bytes);
    if (!entry->plugins || !entry->plugins[0])
        return BREACH(at, "its table of plugins is %s; name one in SCAN_EXPORT_PLUGINS",
                      entry->plugins ? "empty" : "NULL");
    return SCAN_OK;
}

scan_status loader_check_head(const scan_entry_table *entry, size_t symbol_bytes, errmsg *error)
{
    check at = {.where = "scan_entry", .error = error};
    return check_head(&at, entry, symbol_bytes);
}

scan_status loader_check_entry(const scan_entry_table *entry, size_t symbol_bytes, errmsg *error)
{
    check at = {.where = "scan_entry", .error = error};
    scan_status status = check_head(&at, entry, symbol_bytes);
    for (size_t i = 0; status == SCAN_OK && entry->plugins[i]; i++) {
        snprintf(at.where, sizeof at.where, "plugin %zu of the file", i + 1);
        if (i == LOADER_MAX_PLUGINS)
            return BREACH(&at, "it holds more than %d plugins; does its table end with NULL?",
                          LOADER_MAX_PLUGINS);
        status = check_plugin(&at, entry->plugins[i]);
        for (size_t j = 0; status == SCAN_OK && j < i; j++)
            if (strcmp(entry->plugins[i]->id, entry->plugins[j]->id) == 0)
                status =
                    BREACH(&at, "plugins %zu and %zu of the file have the same id", j + 1, i + 1);
    }
    return status;
}
