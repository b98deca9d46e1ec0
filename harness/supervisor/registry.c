#include "supervisor/registry.h"

#include "problem/declared.h"
#include "problem/names.h"
#include "protocol/job.h"
#include "protocol/message.h"
#include "supervisor/worker_process.h"
#include "system/file_identity.h"
#include "text/array_room.h"
#include "text/plugin_list.h"
#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the build of a plugin's file ---- */

static struct stat mark_of(const char *path)
{
    struct stat mark;
    return stat(path, &mark) == 0 ? mark : (struct stat){0};
}

static bool is_known(const struct stat *mark)
{
    return mark->st_nlink > 0;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Is it one file that was not touched in between? */
static bool is_untouched(const struct stat *a, const struct stat *b)
{
    return is_known(a) && is_known(b) && file_identity_is_one(a, b) && a->st_size == b->st_size &&
           same_time(&a->st_mtim, &b->st_mtim) && same_time(&a->st_ctim, &b->st_ctim);
}

plugin_build plugin_build_of(const char *file, const struct stat *mark)
{
    plugin_build b = {.mark = *mark};
    file_hash(file, b.hash);
    const struct stat now = mark_of(file);
    if (is_known(mark) && !is_untouched(&now, mark))
        *b.hash = '\0'; /* it changed meanwhile, so the hash may be that of another build */
    return b;
}

/* Does the file, whose mark is `now`, have the content of the build? */
static bool has_content(const plugin_build *b, const char *file, const struct stat *now)
{
    char hash[FILE_HASH_BYTES];
    file_hash(file, hash);
    const struct stat after = mark_of(file);
    return *hash && strcmp(hash, b->hash) == 0 && is_untouched(&after, now);
}

build_change plugin_build_check(plugin_build *b, const char *file)
{
    const struct stat now = mark_of(file);
    if (!is_known(&b->mark) || is_untouched(&now, &b->mark))
        return BUILD_SAME;
    if (!is_known(&now))
        return BUILD_REMOVED;
    if (has_content(b, file, &now)) {
        b->mark = now;
        return BUILD_SAME;
    }
    return file_identity_is_one(&now, &b->mark) ? BUILD_OVERWRITTEN : BUILD_REPLACED;
}

/* ---- the plugins ---- */

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

/* A copy of a text that a plugin, a driver or a file's name holds, to be printed. */
static char *copy_clean(const char *text)
{
    char *clean = copy(text);
    if (clean)
        utf8_clean(clean);
    return clean;
}

static void free_plugin(plugin_info *p)
{
    char *texts[] = {p->file,      p->id,      p->name,    p->version, p->summary,
                     p->reference, p->backend, p->problem, p->printed, p->export};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < p->tunable_count; i++) {
        free(p->tunables[i].name);
        free(p->tunables[i].summary);
        free(p->tunables[i].values);
    }
    free(p->tunables);
}

void registry_free(registry *c)
{
    for (size_t i = 0; i < c->count; i++)
        free_plugin(&c->plugins[i]);
    free(c->plugins);
    *c = (registry){0};
}

/* Adds `p` and takes ownership of it. If its id is there already, warns and frees it. */
static scan_status add(registry *c, plugin_info p)
{
    const plugin_info *there = registry_find(c, p.id);
    if (there) {
        errmsg text;
        errmsg_set(&text, SCAN_OK, "%s of %s is hidden by %s", p.id, p.file, there->file);
        fprintf(stderr, "scanbench: warning: %s\n", text.text);
        free_plugin(&p);
        return SCAN_OK;
    }
    plugin_info *plugins =
        p.id ? array_room(c->plugins, &c->capacity, c->count, 1, sizeof *plugins) : NULL;
    if (!plugins) {
        free_plugin(&p);
        return SCAN_NO_MEMORY;
    }
    c->plugins = plugins;
    c->plugins[c->count++] = p;
    return SCAN_OK;
}

static uint32_t number(const protocol_message *m, const char *key)
{
    uint64_t value = 0;
    message_u64(m, key, &value);
    return (uint32_t)value;
}

/* What the worker found when it loaded the file. All plugins of the file share it. */
typedef struct loaded_file {
    const char *path;
    struct stat mark;
    char printed[WORKER_PRINTED_BYTES];
    uint64_t exports;
    char export[LOADER_EXPORT_BYTES];
} loaded_file;

static void read_loaded(const protocol_message *m, loaded_file *file)
{
    message_line(m, "printed", file->printed, sizeof file->printed);
    message_line(m, "export", file->export, sizeof file->export);
    message_u64(m, "exports", &file->exports);
}

static plugin_info read_plugin(const protocol_message *m, const loaded_file *file, uint32_t index)
{
    plugin_info p = {.file = copy(file->path),
                     .mark = file->mark,
                     .index = index,
                     .id = copy_clean(message_text(m, "id")),
                     .name = copy_clean(message_text(m, "name")),
                     .version = copy_clean(message_text(m, "version")),
                     .summary = copy_clean(message_text(m, "summary")),
                     .reference = copy_clean(message_text(m, "reference")),
                     .backend = copy_clean(message_text(m, "backend")),
                     .role = number(m, "role"),
                     .flags = number(m, "flags"),
                     .device_memory = number(m, "device_memory") != 0,
                     .in_parts = number(m, "in_parts") != 0,
                     .in_ranks = number(m, "in_ranks") != 0,
                     .layout = number(m, "layout"),
                     .printed = copy(file->printed),
                     .exports = file->exports,
                     .export = copy(file->export)};
    message_u64(m, "max_n", &p.max_n);
    message_u64(m, "tile", &p.tile);
    message_double(m, "call_ns", &p.call_ns);
    int64_t numbers[3 * SCAN_MAX_OP_ENTRIES];
    const long count = message_i64_list(m, "ops", numbers, sizeof numbers / sizeof *numbers);
    for (long i = 0; i + 2 < count; i += 3)
        p.ops[i / 3] = (scan_op_entry){.op = (uint32_t)numbers[i],
                                       .kinds = (uint32_t)numbers[i + 1],
                                       .dtypes = (uint64_t)numbers[i + 2]};
    const long pairs = message_i64_list(m, "results", numbers, (size_t)2 * SCAN_MAX_RESULT_ENTRIES);
    for (long i = 0; i + 1 < pairs; i += 2)
        p.results[i / 2] = (scan_result_entry){.dtypes = (uint64_t)numbers[i],
                                               .results = (uint64_t)numbers[i + 1]};
    return p;
}

/* Adds an entry for a file without a usable plugin. Its id is the file's name. */
static scan_status add_problem(registry *c, const char *file, loader_step step, row_status status,
                               const char *problem)
{
    const char *name = strrchr(file, '/');
    const protocol_message nothing = {.verb = ""};
    plugin_info p = read_plugin(&nothing, &(loaded_file){.path = file}, 0);
    free(p.id);
    p.id = copy_clean(name ? name + 1 : file);
    p.problem = copy_clean(problem);
    p.status = status;
    p.failed_step = step;
    const size_t stem = p.id ? plugin_file_stem(p.id, strlen(p.id)) : 0;
    if (stem > 0)
        p.id[stem] = '\0';
    return add(c, p);
}

static scan_status read_tunable(const protocol_message *m, plugin_info *p)
{
    tunable_info *tunables = realloc(p->tunables, (p->tunable_count + 1) * sizeof *tunables);
    int64_t *values = calloc(LOADER_MAX_VALUES, sizeof *values);
    if (tunables)
        p->tunables = tunables;
    if (!tunables || !values) {
        free(values);
        return SCAN_NO_MEMORY;
    }
    tunable_info t = {.name = copy_clean(message_text(m, "name")),
                      .summary = copy_clean(message_text(m, "summary")),
                      .flags = number(m, "flags")};
    message_i64_list(m, "default", &t.default_value, 1);
    message_i64_list(m, "min", &t.min, 1);
    message_i64_list(m, "max", &t.max, 1);
    long count = message_i64_list(m, "values", values, LOADER_MAX_VALUES);
    if (count > 0) {
        t.values = values;
        t.value_count = (size_t)count;
    } else {
        free(values);
    }
    p->tunables[p->tunable_count++] = t;
    return SCAN_OK;
}

/* Is it a message that describes a file? A plugin may write into the pipe while it is loaded. */
static bool describes(const protocol_message *m)
{
    static const char *const verbs[] = {"failed", "loaded", "plugin", "tunable", "end"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (message_is(m, verbs[i]))
            return true;
    return false;
}

/* A file that a worker describes, and its mark before that. */
typedef struct described_file {
    const char *path;
    struct stat mark;
} described_file;

/* Asks a worker to describe its file and adds its plugins to the registry. */
static scan_status read_file(registry *c, worker_process *from, const described_file *described,
                             double timeout_s)
{
    plugin_info p = {0};
    const char *path = described->path;
    loaded_file file = {.path = path, .mark = described->mark};
    uint32_t index = 0;
    scan_status status = SCAN_OK;
    worker_process_number(from);
    message_begin(from->commands, "describe");
    message_end(from->commands);
    while (status == SCAN_OK) {
        protocol_message m;
        worker_process_event event = worker_process_receive(from, timeout_s, &m);
        if (event == WORKER_INTERRUPTED) {
            status = SCAN_ERROR;
            break;
        }
        if (event == WORKER_MESSAGE && !describes(&m))
            event = WORKER_GARBAGE;
        if (event != WORKER_MESSAGE) {
            char why[FAULT_SENTENCE_BYTES];
            const fault f = worker_process_fault(from, event, STEP_LOAD, timeout_s);
            free_plugin(&p);
            return add_problem(c, path, LOADER_LOAD, fault_status(f.code),
                               fault_text(&f, why, sizeof why));
        }
        if (message_is(&m, "failed")) {
            char why[ERRMSG_BYTES];
            uint64_t step = LOADER_LOAD, unavailable = 0;
            message_u64(&m, "step", &step);
            message_u64(&m, "unavailable", &unavailable);
            message_line(&m, "reason", why, sizeof why);
            free_plugin(&p);
            return add_problem(c, path, (loader_step)step,
                               unavailable ? ROW_UNAVAILABLE : ROW_ERROR, why);
        }
        if (message_is(&m, "loaded"))
            read_loaded(&m, &file);
        if (message_is(&m, "tunable") && p.id && p.tunable_count < JOB_TUNABLES)
            status = read_tunable(&m, &p);
        bool over = message_is(&m, "end");
        if ((over || message_is(&m, "plugin")) && p.id) {
            status = add(c, p);
            p = (plugin_info){0};
        }
        if (over)
            break;
        if (message_is(&m, "plugin")) {
            free_plugin(&p);
            p = read_plugin(&m, &file, index++);
        }
    }
    free_plugin(&p);
    return status;
}

static int role_order(uint32_t role)
{
    static const int order[SCAN_ROLE_COUNT] = {
        [SCAN_ROLE_CEILING] = 0, [SCAN_ROLE_BASELINE] = 1, [SCAN_ROLE_ALGORITHM] = 2,
        [SCAN_ROLE_PEER] = 3,    [SCAN_ROLE_MOCK] = 4,
    };
    return role < SCAN_ROLE_COUNT ? order[role] : SCAN_ROLE_COUNT;
}

static int by_role_and_id(const void *left, const void *right)
{
    const plugin_info *a = left, *b = right;
    int order = role_order(a->role) - role_order(b->role);
    return order ? order : strcmp(a->id, b->id);
}

static void sort(registry *c)
{
    if (c->count > 1)
        qsort(c->plugins, c->count, sizeof *c->plugins, by_role_and_id);
}

/* So many files are described at the same time. Each worker takes three descriptors. */
enum { AT_ONCE = 12 };

/* Starts a worker for a file. A file whose worker cannot be started becomes an entry. */
static scan_status start_worker(registry *c, worker_process *worker, const char *file, bool verbose)
{
    errmsg error;
    if (worker_process_start(worker, file, NULL, verbose, &error) == SCAN_OK)
        return SCAN_OK;
    *worker = (worker_process){.results = -1, .pidfd = -1};
    return add_problem(c, file, LOADER_LOAD, ROW_ERROR, error.text);
}

static scan_status describe_files(registry *c, const search_list *files, double timeout_s,
                                  bool verbose)
{
    worker_process workers[AT_ONCE] = {0};
    described_file described[AT_ONCE] = {{0}};
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < files->count + AT_ONCE; i++) {
        worker_process *worker = &workers[i % AT_ONCE];
        described_file *file = &described[i % AT_ONCE];
        if (i >= AT_ONCE) {
            if (status == SCAN_OK && worker->pid)
                status = read_file(c, worker, file, timeout_s);
            if (worker->pid || worker->commands)
                worker_process_stop(worker, true);
        }
        *worker = (worker_process){.results = -1, .pidfd = -1};
        if (status == SCAN_OK && i < files->count) {
            *file = (described_file){files->paths[i], mark_of(files->paths[i])};
            status = start_worker(c, worker, file->path, verbose);
        }
    }
    return status;
}

scan_status registry_open(const search_list *files, double timeout_s, bool verbose,
                          registry *registry_p)
{
    registry c = {0};
    scan_status status = describe_files(&c, files, timeout_s, verbose);
    if (status != SCAN_OK) {
        registry_free(&c);
        return status;
    }
    sort(&c);
    *registry_p = c;
    return SCAN_OK;
}

scan_status registry_add_not_built(registry *c, const char *path)
{
    FILE *list = fopen(path, "re");
    char line[1024];
    scan_status status = SCAN_OK;
    while (list && status == SCAN_OK && fgets(line, sizeof line, list)) {
        char *rest = line;
        const char *id = strsep(&rest, "\t");
        const char *backend = rest ? strsep(&rest, "\t") : NULL;
        const char *reason = rest ? strsep(&rest, "\n") : NULL;
        if (!reason || registry_find(c, id))
            continue;
        status = add_problem(c, id, LOADER_FILE, ROW_UNAVAILABLE, reason);
        if (status == SCAN_OK) {
            plugin_info *added = &c->plugins[c->count - 1];
            free(added->backend);
            added->backend = copy(backend);
        }
    }
    if (list)
        fclose(list);
    sort(c);
    return status;
}

const plugin_info *registry_find(const registry *c, const char *id)
{
    for (size_t i = 0; id && i < c->count; i++)
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

bool plugin_info_widens(const plugin_info *p, uint32_t dtype, uint32_t result)
{
    return result == 0 || declared_results(p->results, dtype) & SCAN_BIT(result - 1);
}

int tunable_info_index(const plugin_info *p, const char *name)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        if (strcmp(p->tunables[i].name, name) == 0)
            return (int)i;
    return -1;
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
