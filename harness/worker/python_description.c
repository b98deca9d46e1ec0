#include "worker/python_description.h"

#include "problem/names.h"
#include "text/comma_list.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

/* Sets *value_p to the number of a word among the first `count` that name_of knows. */
static bool look_up(const python_description *p, const char *what, const char *word,
                    const char *(*name_of)(uint32_t), uint32_t count, uint32_t *value_p)
{
    const char *names[64];
    char near[SUGGEST_BYTES];
    for (uint32_t i = 0; i < count; i++) {
        names[i] = name_of(i);
        if (strcmp(word, names[i]) == 0) {
            *value_p = i;
            return true;
        }
    }
    errmsg_set(p->error, SCAN_INVALID, "its %s has \"%.60s\", which is unknown%s", what, word,
               suggest_among(word, names, count, near, sizeof near));
    return false;
}

/* Adds the bits of a list of words. */
static bool add_bits(const python_description *p, const char *what, const char *list,
                     const char *(*name_of)(uint32_t), uint32_t count, uint64_t *bits)
{
    char word[64];
    uint32_t value = 0;
    while (comma_list_next(&list, word, sizeof word)) {
        if (!look_up(p, what, word, name_of, count, &value))
            return false;
        *bits |= SCAN_BIT(value);
    }
    return true;
}

static const struct {
    const char *word;
    uint32_t flag;
} flags[] = {{"in_place", SCAN_FLAG_IN_PLACE},
             {"in_place_only", SCAN_FLAG_IN_PLACE_ONLY},
             {"nondeterministic", SCAN_FLAG_NONDETERMINISTIC},
             {"allocates_in_run", SCAN_FLAG_ALLOCATES_IN_RUN},
             {"rows", SCAN_FLAG_ROWS},
             {"inner", SCAN_FLAG_INNER}};

static const char *flag_name(uint32_t i)
{
    return flags[i].word;
}

static bool too_many(const python_description *p, const char *what, size_t most)
{
    errmsg_set(p->error, SCAN_INVALID, "it has more than %zu %s", most, what);
    return false;
}

static bool read_flag(python_description *p, char *value)
{
    uint32_t which = 0;
    const bool known = look_up(p, "FLAGS", value, flag_name, sizeof flags / sizeof *flags, &which);
    p->plugin.flags |= known ? flags[which].flag : 0;
    return known;
}

/* OP KINDS; the types follow, each on a line of its own. */
static bool read_scan(python_description *p, char *value)
{
    const char *op = strsep(&value, " ");
    uint64_t kinds = 0;
    if (p->op_count == SCAN_MAX_OP_ENTRIES)
        return too_many(p, "operators", SCAN_MAX_OP_ENTRIES);
    scan_op_entry *entry = &p->plugin.ops[p->op_count++];
    if (!look_up(p, "SCANS", op, op_name, SCAN_OP_COUNT, &entry->op) ||
        !add_bits(p, "KINDS", value, kind_name, SCAN_KIND_COUNT, &kinds))
        return false;
    entry->kinds = (uint32_t)kinds;
    return true;
}

static bool read_type(python_description *p, char *value)
{
    return p->op_count > 0 && add_bits(p, "SCANS", value, dtype_name, SCAN_DTYPE_COUNT,
                                       &p->plugin.ops[p->op_count - 1].dtypes);
}

/* TYPES RESULTS */
static bool read_result(python_description *p, char *value)
{
    const char *from = strsep(&value, " ");
    if (p->result_count == SCAN_MAX_RESULT_ENTRIES)
        return too_many(p, "entries of RESULTS", SCAN_MAX_RESULT_ENTRIES);
    scan_result_entry *entry = &p->plugin.results[p->result_count++];
    return add_bits(p, "RESULTS", from, dtype_name, SCAN_DTYPE_COUNT, &entry->dtypes) &&
           add_bits(p, "RESULTS", value, dtype_name, SCAN_DTYPE_COUNT, &entry->results);
}

/* NAME DEFAULT SUMMARY; what it may be follows. */
static bool read_tunable(python_description *p, char *value)
{
    const size_t at = p->plugin.tunable_count;
    if (at == LOADER_MAX_TUNABLES)
        return too_many(p, "tunables", LOADER_MAX_TUNABLES);
    const char *name = strsep(&value, " "), *number = strsep(&value, " ");
    p->tunables[at] = (scan_tunable){.struct_size = sizeof *p->tunables,
                                     .flags = strcmp(name, "threads") ? 0 : SCAN_TUNABLE_THREADS,
                                     .name = name,
                                     .summary = value,
                                     .default_value = number ? strtoll(number, NULL, 10) : 0};
    p->plugin.tunables = p->tunables;
    p->plugin.tunable_count++;
    return true;
}

static bool read_between(python_description *p, char *value)
{
    if (p->plugin.tunable_count == 0)
        return false;
    scan_tunable *last = &p->tunables[p->plugin.tunable_count - 1];
    last->min = strtoll(value, &value, 10);
    last->max = strtoll(value, NULL, 10);
    return true;
}

static bool read_value(python_description *p, char *value)
{
    if (p->plugin.tunable_count == 0)
        return false;
    const size_t at = p->plugin.tunable_count - 1;
    scan_tunable *last = &p->tunables[at];
    if (last->value_count == LOADER_MAX_VALUES)
        return too_many(p, "values of a tunable", LOADER_MAX_VALUES);
    int64_t *values = realloc(p->values[at], (last->value_count + 1) * sizeof *values);
    if (!values) {
        p->failure = errmsg_set(p->error, SCAN_NO_MEMORY, "out of memory");
        return false;
    }
    values[last->value_count++] = strtoll(value, NULL, 10);
    last->values = p->values[at] = values;
    return true;
}

static bool read_number(uint64_t *to, const char *value)
{
    *to = strtoull(value, NULL, 10);
    return true;
}

/* One line, a word and what it says. */
static bool read_line(python_description *p, const char *word, char *value)
{
    static const struct {
        const char *word;
        bool (*read)(python_description *, char *);
    } lists[] = {{"flag", read_flag},     {"scan", read_scan},       {"of", read_type},
                 {"result", read_result}, {"tunable", read_tunable}, {"between", read_between},
                 {"value", read_value}};
    scan_plugin *to = &p->plugin;
    const struct {
        const char *word;
        const char **text;
    } texts[] = {{"id", &to->id},
                 {"name", &to->name},
                 {"version", &to->version},
                 {"summary", &to->summary},
                 {"reference", &to->reference}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(word, texts[i].word) == 0) {
            *texts[i].text = value;
            return true;
        }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(word, lists[i].word) == 0)
            return lists[i].read(p, value);
    if (strcmp(word, "role") == 0)
        return look_up(p, "ROLE", value, role_name, SCAN_ROLE_COUNT, &to->role);
    if (strcmp(word, "supports") == 0)
        p->may_refuse = true;
    else if (strcmp(word, "cuda") == 0)
        p->on_cuda = true;
    else
        return strcmp(word, "max_n") == 0
                   ? read_number(&to->max_n, value)
                   : strcmp(word, "tile") == 0 && read_number(&to->tile, value);
    return true;
}

scan_status python_description_read(python_description *d_p, char *text, errmsg *error)
{
    *d_p = (python_description){.plugin = {.struct_size = sizeof d_p->plugin}, .error = error};
    d_p->failure = errmsg_set(error, SCAN_INVALID,
                              "its description has a line that is not known, or comes too early");
    for (char *line; (line = strsep(&text, "\n"));) {
        char *value = strchrnul(line, ' ');
        if (*value)
            *value++ = '\0';
        if (!read_line(d_p, line, value))
            return d_p->failure;
    }
    return SCAN_OK;
}

void python_description_free(python_description *d)
{
    for (size_t i = 0; i < LOADER_MAX_TUNABLES; i++)
        free(d->values[i]);
    *d = (python_description){.op_count = 0};
}
