#include "supervisor/session_set.h"

#include "loader/search.h"
#include "protocol/job.h"
#include "system/process_tree.h"
#include "text/comma_list.h"
#include "text/plugin_list.h"
#include "text/suggest.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the search ---- */

/* What a list of plugins needs of those that can be found. */
typedef struct finding {
    const session_config *config;
    char directory[4096]; /* of the program */
    plugin_list_files listed;
    bool alone; /* no others than the files that it names */
} finding;

/* Does the file lie in a folder of the program's own plugins? */
static bool is_bundled(const finding *f, const char *file)
{
    char place[4200], own[PATH_MAX], folder[PATH_MAX];
    if (!realpath(file, folder))
        return false;
    *strrchr(folder, '/') = '\0';
    for (size_t i = 0; i < SEARCH_PLACES; i++) {
        snprintf(place, sizeof place, "%s/%s", f->directory, search_places[i]);
        if (realpath(place, own) && strcmp(own, folder) == 0)
            return true;
    }
    return false;
}

/* The plugins of these files, and those that were not built. */
static scan_status describe(const finding *f, const search_list *files, registry *registry_p)
{
    registry found = {0};
    scan_status status = registry_open(files, f->config->timeout_s, f->config->verbose, &found);
    for (size_t i = 0; status == SCAN_OK && !f->alone && i < SEARCH_PLACES; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s/not_built.txt", f->directory, search_places[i]);
        status = registry_add_not_built(&found, path);
    }
    for (size_t i = 0; i < found.count; i++)
        found.plugins[i].bundled = found.plugins[i].file && is_bundled(f, found.plugins[i].file);
    if (status == SCAN_OK)
        *registry_p = found;
    else
        registry_free(&found);
    return status;
}

/* Does the list name its plugins one by one, so that no other need be known? */
static bool names_each(const finding *f)
{
    enum { MOST = 32 };
    const char *device = f->config->device;
    const bool names_backend = device && strchr(device, ':');
    return f->listed.plain && f->listed.id_count > 0 && f->listed.id_count <= MOST && !f->alone &&
           !f->config->all_known && !names_backend;
}

/* Describes the files that may hold the plugins that are named. false if they do not hold all. */
static bool describe_named(const finding *f, const search_list *files, registry *registry_p)
{
    search_list given = {0}, named = {0};
    registry found = {0};
    errmsg ignored;
    bool good =
        search_plugins((const char *const *)f->listed.paths, f->listed.count, NULL, NULL, &given,
                       &ignored) == SCAN_OK &&
        search_holding(files, given.count, f->listed.ids, f->listed.id_count, &named) == SCAN_OK &&
        describe(f, &named, &found) == SCAN_OK;
    for (size_t i = 0; good && i < f->listed.id_count; i++)
        good = registry_find(&found, f->listed.ids[i]) != NULL;
    search_free(&named);
    search_free(&given);
    if (good)
        *registry_p = found;
    else
        registry_free(&found);
    return good;
}

static scan_status find_plugins(finding *f, registry *registry_p, errmsg *error)
{
    const plugin_list_files *listed = &f->listed;
    search_list files = {0};
    f->alone =
        listed->count > 0 && (f->config->named_only || (listed->alone && !f->config->all_known));
    scan_status status = search_plugins((const char *const *)listed->paths, listed->count,
                                        f->alone ? NULL : getenv(SEARCH_VARIABLE),
                                        f->alone ? NULL : f->directory, &files, error);
    if (status == SCAN_OK && *error->text)
        fprintf(stderr, "scanbench: warning: %s\n", error->text);
    if (status == SCAN_OK) {
        *error->text = '\0';
        if (!names_each(f) || !describe_named(f, &files, registry_p))
            status = describe(f, &files, registry_p);
    }
    search_free(&files);
    return status;
}

/* The plugins that config->plugins may choose from; where it names them one by one, no others are
 * loaded. Released with registry_free. SCAN_INVALID or SCAN_NO_MEMORY, and `error` says why. */
static scan_status find_registry(const session_config *config, registry *registry_p, errmsg *error)
{
    finding f = {.config = config};
    scan_status status = search_program(f.directory, sizeof f.directory);
    if (status != SCAN_OK)
        return errmsg_set(error, SCAN_INVALID, "/proc/self/exe cannot be read; is /proc mounted?");
    status = plugin_list_paths(config->plugins, &f.listed, error);
    if (status == SCAN_OK)
        status = find_plugins(&f, registry_p, error);
    plugin_list_files_free(&f.listed);
    return status;
}

/* ---- the sessions ---- */

/* A plugin with a tunable that counts threads places its threads itself, within a node. */
static binding_kind binding_for(const plugin_info *p, bool pinned)
{
    const bool on_cpu =
        strcmp(p->backend, "cpu") == 0 || strcmp(p->backend, CALIBRATOR_BACKEND) == 0;
    if (!pinned || !on_cpu)
        return BINDING_NONE;
    for (size_t i = 0; i < p->tunable_count; i++)
        if (p->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return BINDING_NODE;
    return BINDING_CORE;
}

static scan_status add_session(session_set *r, const session_config *config, const plugin_info *p,
                               uint32_t device)
{
    session *sessions = realloc(r->sessions, (r->count + 1) * sizeof *sessions);
    if (!sessions)
        return SCAN_NO_MEMORY;
    r->sessions = sessions;
    r->sessions[r->count++] = (session){.plugin = p,
                                        .device_index = device,
                                        .binding_kind = binding_for(p, config->pinned),
                                        .core = config->core,
                                        .places = 1,
                                        .launcher = p->in_ranks ? r->launcher : NULL,
                                        .timeout_s = config->timeout_s,
                                        .verbose = config->verbose,
                                        .worker = {.results = -1, .pidfd = -1}};
    return SCAN_OK;
}

/* Finds the item of --device that applies to a backend ("cuda:1" before "1"), or "0". */
static void device_item(const char *list, const char *backend, char *item, size_t size)
{
    bool specific = false;
    snprintf(item, size, "0");
    char word[128];
    while (comma_list_next(&list, word, sizeof word)) {
        const char *colon = strchr(word, ':');
        size_t name = colon ? (size_t)(colon - word) : 0;
        if (colon && strlen(backend) == name && strncmp(word, backend, name) == 0) {
            snprintf(item, size, "%s", colon + 1);
            specific = true;
        } else if (!colon && !specific) {
            snprintf(item, size, "%s", word);
        }
    }
}

/* Is the item "BACKEND:..." one of a backend that a plugin has? */
static scan_status check_item(const registry *known, const char *word, errmsg *error)
{
    enum { MOST = 32 };
    const char *backends[MOST];
    char name[64], near[SUGGEST_BYTES];
    size_t count = 0;
    const char *colon = strchr(word, ':');
    if (!colon)
        return SCAN_OK;
    snprintf(name, sizeof name, "%.*s", (int)(colon - word), word);
    for (size_t i = 0; i < known->count; i++) {
        const char *backend = known->plugins[i].backend;
        size_t at = 0;
        while (at < count && strcmp(backends[at], backend) != 0)
            at++;
        if (at == count && count < MOST && *backend)
            backends[count++] = backend;
        if (*backend && strcmp(backend, name) == 0)
            return colon[1] ? SCAN_OK
                            : errmsg_set(error, SCAN_INVALID,
                                         "--device %s: which one? an index, part of a name or all",
                                         word);
    }
    suggest_text(name, backends, count, near, sizeof near);
    return errmsg_set(error, SCAN_INVALID, "--device %s: no plugin has the backend '%s'%s", word,
                      name, *near ? near : "; see scanbench list");
}

static scan_status check_devices(const registry *known, const char *list, errmsg *error)
{
    char word[128];
    scan_status status = SCAN_OK;
    while (status == SCAN_OK && comma_list_next(&list, word, sizeof word))
        status = check_item(known, word, error);
    return status;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 6;
}

/* Finds the devices that an item means if it is not a number, by asking the open session for one
 * device after the other. */
static scan_status match_devices(session_set *r, size_t at, const session_config *config,
                                 const char *item, errmsg *error)
{
    enum { MOST_DEVICES = 64 };
    const plugin_info *p = r->sessions[at].plugin;
    bool found = false;
    for (uint32_t index = 0; index < MOST_DEVICES; index++) {
        scan_device device;
        fault why;
        if (session_probe(&r->sessions[at], index, &device, &why) != SCAN_OK)
            break;
        if (strcmp(item, "all") != 0 && !strcasestr(device.name, item))
            continue;
        scan_status status = SCAN_OK;
        if (!found)
            r->sessions[at].device_index = index, r->sessions[at].device = device;
        else
            status = add_session(r, config, p, index);
        found = true;
        if (status != SCAN_OK)
            return status;
    }
    /* Who asks for all devices takes what there is; a plugin that refuses to be asked again keeps
     * the device that it named first. */
    if (!found && strcmp(item, "all") != 0)
        return errmsg_set(error, SCAN_INVALID,
                          "--device %s: no %s device has that name; see scanbench list", item,
                          p->backend);
    return SCAN_OK;
}

/* Opens more sessions if --device is "all" or a name. */
static scan_status spread_devices(session_set *r, const session_config *config, errmsg *error)
{
    size_t first = r->count;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < first && status == SCAN_OK; i++) {
        char item[128];
        device_item(config->device, r->sessions[i].plugin->backend, item, sizeof item);
        bool wanted = r->sessions[i].plugin->device_memory && !is_number(item);
        if (wanted && r->sessions[i].status == ROW_OK)
            status = match_devices(r, i, config, item, error);
    }
    if (status == SCAN_OK && r->count > first &&
        !sessions_open(r->sessions + first, r->count - first))
        return SCAN_ERROR;
    return status;
}

static scan_status add_sessions(session_set *r, const session_config *config, const bool *chosen,
                                errmsg *error)
{
    for (size_t i = 0; i < r->registry.count; i++) {
        const plugin_info *p = &r->registry.plugins[i];
        char item[128];
        device_item(config->device, p->backend, item, sizeof item);
        bool index = p->device_memory && is_number(item);
        if (chosen[i] && add_session(r, config, p, index ? (uint32_t)atoi(item) : 0) != SCAN_OK)
            return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    return SCAN_OK;
}

/* The command with the number of ranks in place of each {parts}; freed by the caller. NULL where
 * there is no memory. */
static char *launcher_of(const session_config *config)
{
    static const char mark[] = "{parts}";
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    for (const char *at = config->launcher; *at;) {
        const bool here = strncmp(at, mark, strlen(mark)) == 0;
        if (here)
            fprintf(out, "%u", config->ranks);
        else
            putc(*at, out);
        at += here ? strlen(mark) : 1;
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* A ceiling that is in place bounds nothing but plugins that are. */
static bool is_in_place_ceiling(const plugin_info *p)
{
    return !p->problem && p->role == SCAN_ROLE_CEILING && p->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

/* Is a plugin of that backend chosen that works in place only, or is not, and that is a ceiling or
 * is none? */
static bool has_chosen(const registry *r, const bool *chosen, const char *backend, bool in_place,
                       bool ceiling)
{
    for (size_t i = 0; i < r->count; i++) {
        const plugin_info *p = &r->plugins[i];
        if (chosen[i] && !p->problem && strcmp(p->backend, backend) == 0 &&
            !(p->flags & SCAN_FLAG_IN_PLACE_ONLY) == !in_place &&
            (p->role == SCAN_ROLE_CEILING) == ceiling)
            return true;
    }
    return false;
}

/* Where the ceiling of a backend is chosen, and a plugin that works in place only, the ceiling in
 * place is, too, unless the list excludes it. */
static void choose_in_place_ceilings(const registry *r, const char *list,
                                     const plugin_list_candidate *candidates, bool *chosen)
{
    for (size_t i = 0; i < r->count; i++) {
        const plugin_info *p = &r->plugins[i];
        if (is_in_place_ceiling(p) && has_chosen(r, chosen, p->backend, true, false) &&
            has_chosen(r, chosen, p->backend, false, true) &&
            !plugin_list_excludes(list, &candidates[i]))
            chosen[i] = true;
    }
}

scan_status session_set_select(const session_config *config, session_set *session_set_p,
                               errmsg *error)
{
    session_set r = {0};
    *error->text = '\0';
    if (config->python)
        setenv(WORKER_PYTHON, config->python, true);
    scan_status status = find_registry(config, &r.registry, error);
    if (status != SCAN_OK)
        return status;
    if (config->ranks > 1 && !(r.launcher = launcher_of(config))) {
        registry_free(&r.registry);
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    status = check_devices(&r.registry, config->device, error);
    plugin_list_candidate *candidates = calloc(r.registry.count + 1, sizeof *candidates);
    bool *chosen = calloc(r.registry.count + 1, sizeof *chosen);
    if (status == SCAN_OK && (!candidates || !chosen)) {
        errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
        status = SCAN_NO_MEMORY;
    }
    for (size_t i = 0; status == SCAN_OK && i < r.registry.count; i++) {
        const plugin_info *p = &r.registry.plugins[i];
        candidates[i] = (plugin_list_candidate){
            .id = p->id,
            .file = p->file,
            .hidden = is_in_place_ceiling(p) || (!p->problem && p->role == SCAN_ROLE_MOCK),
            .broken = p->problem != NULL};
    }
    if (status == SCAN_OK)
        status = plugin_list_choose(config->plugins, candidates, r.registry.count, chosen, error);
    if (status == SCAN_OK) {
        choose_in_place_ceilings(&r.registry, config->plugins, candidates, chosen);
        status = add_sessions(&r, config, chosen, error);
    }
    free(candidates);
    free(chosen);
    if (status == SCAN_OK)
        *session_set_p = r;
    else
        session_set_close(&r);
    return status;
}

/* plugin_info owns its texts, so they are not constant; nobody writes or frees these. */
static char file[] = CALIBRATOR_FILE, backend[] = CALIBRATOR_BACKEND, nothing[] = "";
static char scan_id[] = CALIBRATOR_SCAN_ID, copy_id[] = CALIBRATOR_COPY_ID;

#define COMMON(which)                                                                        \
    .file = file, .index = (which), .name = nothing, .version = nothing, .summary = nothing, \
    .reference = nothing, .backend = backend

static const plugin_info infos[CALIBRATOR_COUNT] = {
    [CALIBRATOR_SCAN] = {COMMON(CALIBRATOR_SCAN), .id = scan_id, .role = SCAN_ROLE_BASELINE},
    [CALIBRATOR_COPY] = {COMMON(CALIBRATOR_COPY), .id = copy_id, .role = SCAN_ROLE_CEILING}};

/* Opens the calibrators behind the other sessions. */
static scan_status add_calibrators(session_set *r, const session_config *config)
{
    const size_t others = r->count;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < CALIBRATOR_COUNT && status == SCAN_OK; i++)
        status = add_session(r, config, &infos[i], 0);
    r->calibrators = r->count - others;
    r->count = others;
    if (status == SCAN_OK && !sessions_open(r->sessions + others, r->calibrators))
        status = SCAN_ERROR;
    return status;
}

scan_status session_set_open(const session_config *config, session_set *session_set_p,
                             errmsg *error)
{
    session_set r = {0};
    scan_status status = session_set_select(config, &r, error);
    if (status == SCAN_OK && !sessions_open(r.sessions, r.count))
        status = SCAN_ERROR;
    if (status == SCAN_OK)
        status = spread_devices(&r, config, error);
    if (status == SCAN_OK && config->calibrated)
        status = add_calibrators(&r, config);
    if (status == SCAN_OK)
        *session_set_p = r;
    else
        session_set_close(&r);
    return status;
}

void session_set_close(session_set *r)
{
    for (size_t i = 0; i < r->count + r->calibrators; i++)
        session_close(&r->sessions[i]);
    process_tree_kill(getpid()); /* what got away from its worker */
    free(r->sessions);
    free(r->launcher);
    registry_free(&r->registry);
    *r = (session_set){0};
}

static bool is_called(const session *s, const char *word)
{
    return strcmp(s->plugin->id, word) == 0 || strcmp(s->plugin->backend, word) == 0;
}

bool session_set_names(const char *list, const session *s)
{
    char word[64];
    while (comma_list_next(&list, word, sizeof word))
        if (is_called(s, word))
            return true;
    return false;
}

/* The nearest id or backend of a session. */
static const char *suggest_required(const session_set *r, const char *word,
                                    char near[SUGGEST_BYTES])
{
    const char **names = calloc(2 * r->count + 1, sizeof *names);
    *near = '\0';
    for (size_t i = 0; names && i < r->count; i++) {
        names[2 * i] = r->sessions[i].plugin->id;
        names[2 * i + 1] = r->sessions[i].plugin->backend;
    }
    if (names)
        suggest_text(word, names, 2 * r->count, near, SUGGEST_BYTES);
    free(names);
    return near;
}

bool session_set_lists(const session_set *r, const char *list, errmsg *error)
{
    char word[64];
    while (comma_list_next(&list, word, sizeof word)) {
        bool found = false;
        for (size_t i = 0; i < r->count; i++)
            found |= is_called(&r->sessions[i], word);
        if (found)
            continue;
        char near[SUGGEST_BYTES];
        errmsg_set(error, SCAN_INVALID, "--require %s: no selected plugin has that id or backend%s",
                   word, suggest_required(r, word, near));
        return false;
    }
    return true;
}

bool session_set_has(const session_set *r, const char *list, errmsg *error)
{
    char word[64];
    if (!session_set_lists(r, list, error))
        return false;
    while (comma_list_next(&list, word, sizeof word)) {
        const session *found = NULL;
        for (size_t i = 0; i < r->count && (!found || found->status != ROW_OK); i++)
            if (is_called(&r->sessions[i], word))
                found = &r->sessions[i];
        if (!found || found->status == ROW_OK)
            continue;
        errmsg_set(error, SCAN_INVALID, "--require %s: %s is %s: %s", word, found->plugin->id,
                   row_status_word(found->status), found->reason);
        return false;
    }
    return true;
}
