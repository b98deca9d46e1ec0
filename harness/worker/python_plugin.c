#include "worker/python_plugin.h"

#include "problem/names.h"
#include "text/comma_list.h"
#include "text/suggest.h"
#include "worker/host.h"
#include "worker/python_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plugin of a file, with all that its table points to. */
typedef struct python_plugin {
    scan_plugin plugin; /* first, as the contract's functions get its address */
    python_process *process;
    char *text; /* what the file declares; its strings lie there */
    scan_tunable tunables[LOADER_MAX_TUNABLES];
    int64_t *values[LOADER_MAX_TUNABLES];
    size_t op_count, result_count;
    uint32_t instances; /* made so far */
    const scan_plugin *list[2];
    scan_entry_table entry;
    errmsg *error; /* while the text is read */
} python_plugin;

/* An instance. */
typedef struct python_instance {
    python_plugin *of;
    const scan_host *host;
    uint32_t number;
} python_instance;

static python_plugin *self(const scan_plugin *plugin)
{
    return (python_plugin *)(uintptr_t)plugin;
}

/* ---- what the file declares ---------------------------------------------------- */

/* Sets *value_p to the number of a word among the first `count` that name_of knows. */
static bool look_up(const python_plugin *p, const char *what, const char *word,
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
static bool add_bits(const python_plugin *p, const char *what, const char *list,
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

static bool too_many(const python_plugin *p, const char *what, size_t most)
{
    errmsg_set(p->error, SCAN_INVALID, "it has more than %zu %s", most, what);
    return false;
}

static bool read_flag(python_plugin *p, char *value)
{
    uint32_t which = 0;
    const bool known = look_up(p, "FLAGS", value, flag_name, sizeof flags / sizeof *flags, &which);
    p->plugin.flags |= known ? flags[which].flag : 0;
    return known;
}

/* OP KINDS; the types follow, each on a line of its own. */
static bool read_scan(python_plugin *p, char *value)
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

static bool read_type(python_plugin *p, char *value)
{
    return p->op_count > 0 && add_bits(p, "SCANS", value, dtype_name, SCAN_DTYPE_COUNT,
                                       &p->plugin.ops[p->op_count - 1].dtypes);
}

/* TYPES RESULTS */
static bool read_result(python_plugin *p, char *value)
{
    const char *from = strsep(&value, " ");
    if (p->result_count == SCAN_MAX_RESULT_ENTRIES)
        return too_many(p, "entries of RESULTS", SCAN_MAX_RESULT_ENTRIES);
    scan_result_entry *entry = &p->plugin.results[p->result_count++];
    return add_bits(p, "RESULTS", from, dtype_name, SCAN_DTYPE_COUNT, &entry->dtypes) &&
           add_bits(p, "RESULTS", value, dtype_name, SCAN_DTYPE_COUNT, &entry->results);
}

/* NAME DEFAULT SUMMARY; what it may be follows. */
static bool read_tunable(python_plugin *p, char *value)
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

static bool read_between(python_plugin *p, char *value)
{
    if (p->plugin.tunable_count == 0)
        return false;
    scan_tunable *last = &p->tunables[p->plugin.tunable_count - 1];
    last->min = strtoll(value, &value, 10);
    last->max = strtoll(value, NULL, 10);
    return true;
}

static bool read_value(python_plugin *p, char *value)
{
    if (p->plugin.tunable_count == 0)
        return false;
    const size_t at = p->plugin.tunable_count - 1;
    scan_tunable *last = &p->tunables[at];
    if (last->value_count == LOADER_MAX_VALUES)
        return too_many(p, "values of a tunable", LOADER_MAX_VALUES);
    int64_t *values = realloc(p->values[at], (last->value_count + 1) * sizeof *values);
    if (!values)
        return errmsg_set(p->error, SCAN_NO_MEMORY, "out of memory") == SCAN_OK;
    values[last->value_count++] = strtoll(value, NULL, 10);
    last->values = p->values[at] = values;
    return true;
}

static bool read_number(uint64_t *to, const char *value)
{
    *to = strtoull(value, NULL, 10);
    return true;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem);

static void on_cuda(scan_plugin *to)
{
    to->backend = "cuda";
    to->memory = &python_cuda_memory;
    to->probe = python_cuda_probe;
}

/* One line, a word and what it says. */
static bool read_line(python_plugin *p, const char *word, char *value)
{
    static const struct {
        const char *word;
        bool (*read)(python_plugin *, char *);
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
        to->supports = supports;
    else if (strcmp(word, "cuda") == 0)
        on_cuda(to);
    else
        return strcmp(word, "max_n") == 0
                   ? read_number(&to->max_n, value)
                   : strcmp(word, "tile") == 0 && read_number(&to->tile, value);
    return true;
}

/* ---- the calls ----------------------------------------------------------------- */

/* The words that describe a problem to the driver. */
static const char *describe(const scan_problem *problem, char *text, size_t size)
{
    const int length =
        snprintf(text, size, "%s %s %s %s %llu %llu %llu", kind_name(problem->kind),
                 op_name(problem->op), dtype_name(problem->dtype), dtype_name(scan_result(problem)),
                 (unsigned long long)scan_rows(problem), (unsigned long long)problem->n,
                 (unsigned long long)scan_inner(problem));
    size_t used = (size_t)length;
    for (uint32_t i = 0; i < problem->tunable_count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, " %lld", (long long)problem->tunables[i]);
    return text;
}

enum { PROBLEM_BYTES = 256 + 24 * LOADER_MAX_TUNABLES };

/* The answer to a request about a problem. */
static scan_status ask(const scan_host *host, const python_plugin *p, python_request q,
                       const char *text)
{
    const scan_status status = python_ask(p->process, q, text);
    return status == SCAN_OK ? SCAN_OK : host->fail(host, status, "%s", python_answer(p->process));
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    char text[PROBLEM_BYTES];
    (void)context;
    return ask(host, self(plugin), (python_request){.verb = PYTHON_SUPPORTS},
               describe(problem, text, sizeof text));
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    char text[PROBLEM_BYTES];
    python_plugin *p = self(plugin);
    python_instance *made = calloc(1, sizeof *made);
    (void)context;
    if (!made)
        return host->fail(host, SCAN_NO_MEMORY, "out of memory for an instance");
    *made = (python_instance){.of = p, .host = host, .number = ++p->instances};
    python_bind(p->process);
    const scan_status status =
        ask(host, p, (python_request){.verb = PYTHON_CREATE, .instance = made->number},
            describe(problem, text, sizeof text));
    if (status == SCAN_OK)
        *self_p = made;
    else
        free(made);
    return status;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    const python_instance *i = instance;
    const python_process *process = i->of->process;
    python_request q = {.verb = PYTHON_RUN, .instance = i->number};
    if (!python_locate(process, scan_host_pointer(in), &q.in) ||
        !python_locate(process, scan_host_pointer(out), &q.out))
        return i->host->fail(i->host, SCAN_ERROR, "a buffer does not lie in shared memory");
    q.timed = i->of->plugin.memory && i->host->recording == SCAN_RECORD_DEVICE;
    const scan_status status = ask(i->host, i->of, q, NULL);
    if (status == SCAN_OK && q.timed && *python_answer(process))
        i->host->record(i->host, "device", strtod(python_answer(process), NULL));
    return status;
}

static void destroy(void *instance)
{
    python_instance *i = instance;
    python_ask(i->of->process, (python_request){.verb = PYTHON_DESTROY, .instance = i->number},
               NULL);
    free(i);
}

/* ---- opening a file ------------------------------------------------------------ */

static scan_status read_all(python_plugin *p, errmsg *error)
{
    char *rest = p->text;
    p->error = error;
    errmsg_set(error, SCAN_OK, "it says what nobody asked");
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *value = strchrnul(line, ' ');
        if (*value)
            *value++ = '\0';
        if (!read_line(p, line, value))
            return SCAN_INVALID;
    }
    return SCAN_OK;
}

static scan_status load(python_plugin *p, errmsg *error)
{
    const scan_status status =
        python_ask(p->process, (python_request){.verb = PYTHON_DESCRIBE}, NULL);
    const char *answer = python_answer(p->process);
    if (status != SCAN_OK)
        return errmsg_set(error, status == SCAN_UNAVAILABLE ? status : SCAN_INVALID, "%s", answer);
    p->text = strdup(answer);
    if (!p->text)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    p->plugin = (scan_plugin){.struct_size = sizeof p->plugin,
                              .backend = "cpu",
                              .create = create,
                              .run = run,
                              .destroy = destroy};
    return read_all(p, error);
}

scan_status python_open(const char *file, bool verbose, python_process **process_p,
                        const scan_entry_table **entry_p, errmsg *error)
{
    python_plugin *p = calloc(1, sizeof *p);
    if (!p)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_status status = python_start(file, verbose, &p->process, error);
    if (status == SCAN_OK)
        status = load(p, error);
    if (status != SCAN_OK)
        return status; /* the worker ends */
    p->list[0] = &p->plugin;
    p->entry = (scan_entry_table){
        SCAN_ABI_MAGIC, SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof p->entry, 0, p->list};
    *process_p = p->process;
    *entry_p = &p->entry;
    return SCAN_OK;
}
