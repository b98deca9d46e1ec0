#include "roster.h"

#include "list_words.h"
#include "names.h"
#include "select.h"

#include <stdlib.h>
#include <string.h>

static scan_status open_catalog(const options *o, const char *list, catalog *catalog_p,
                                char *message, size_t size)
{
    char directory[4096];
    scan_status status = search_program(directory, sizeof directory);
    if (status != SCAN_OK) {
        snprintf(message, size, "/proc/self/exe cannot be read; is /proc mounted?");
        return status;
    }
    select_files given = {0};
    search_list files = {0};
    catalog found = {0};
    status = select_paths(list, &given, message, size);
    if (status == SCAN_OK)
        status = search_plugins((const char *const *)given.paths, given.count,
                                getenv(SEARCH_VARIABLE), directory, &files, message, size);
    if (status == SCAN_OK && *message)
        fprintf(stderr, "scanbench: warning: %s\n", message);
    if (status == SCAN_OK) {
        *message = '\0';
        status = catalog_open(&files, o->timeout_s, o->verbose, &found);
    }
    for (size_t i = 0; status == SCAN_OK && i < SEARCH_PLACES; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s/not_built.txt", directory, search_places[i]);
        status = catalog_add_not_built(&found, path);
    }
    search_free(&files);
    select_files_free(&given);
    if (status == SCAN_OK)
        *catalog_p = found;
    else
        catalog_free(&found);
    return status;
}

/* One plugin has threads to place itself if it has a tunable that counts them. */
static binding_kind binding_for(const catalog_plugin *p, bool pinned)
{
    if (!pinned || strcmp(p->backend, "cpu") != 0)
        return BINDING_NONE;
    for (size_t i = 0; i < p->tunable_count; i++)
        if (p->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return BINDING_NODE;
    return BINDING_CORE;
}

static scan_status add_lane(roster *r, const options *o, const catalog_plugin *p, bool pinned,
                            int core, uint32_t device)
{
    lane *lanes = realloc(r->lanes, (r->count + 1) * sizeof *lanes);
    if (!lanes)
        return SCAN_NO_MEMORY;
    r->lanes = lanes;
    r->lanes[r->count++] = (lane){.plugin = p,
                                  .device_index = device,
                                  .binding_kind = binding_for(p, pinned),
                                  .core = core,
                                  .places = 1,
                                  .timeout_s = o->timeout_s,
                                  .verbose = o->verbose,
                                  .worker = {.results = -1, .pidfd = -1}};
    return SCAN_OK;
}

/* The item of --device that is about a backend ("cuda:1" before "1"), or "0". */
static void device_item(const char *list, const char *backend, char *item, size_t size)
{
    bool specific = false;
    snprintf(item, size, "0");
    char word[128];
    while (list_next(&list, word, sizeof word)) {
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

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 6;
}

/* Which devices of a plugin an item means beyond a number: asks the open lane for one
 * after the other. */
static scan_status match_devices(roster *r, size_t at, const options *o, const char *item,
                                 bool pinned, int core, char *message, size_t size)
{
    enum { MOST_DEVICES = 64 };
    const catalog_plugin *p = r->lanes[at].plugin;
    bool found = false;
    for (uint32_t index = 0; index < MOST_DEVICES; index++) {
        lane_device device;
        char reason[256];
        if (lane_probe(&r->lanes[at], index, &device, reason, sizeof reason) != SCAN_OK)
            break;
        if (strcmp(item, "all") != 0 && !strcasestr(device.name, item))
            continue;
        scan_status status = SCAN_OK;
        if (!found)
            r->lanes[at].device_index = index, r->lanes[at].device = device;
        else
            status = add_lane(r, o, p, pinned, core, index);
        found = true;
        if (status != SCAN_OK)
            return status;
    }
    if (!found) {
        snprintf(message, size, "--device %s: no %s device is called that; see scanbench list",
                 item, p->backend);
        return SCAN_INVALID;
    }
    return SCAN_OK;
}

/* --device all or by name: more lanes, opened in turn. */
static scan_status spread_devices(roster *r, const options *o, bool pinned, int core, char *message,
                                  size_t size)
{
    size_t first = r->count;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < first && status == SCAN_OK; i++) {
        char item[128];
        device_item(o->device, r->lanes[i].plugin->backend, item, sizeof item);
        bool wanted = r->lanes[i].plugin->device_memory && !is_number(item);
        if (wanted && strcmp(r->lanes[i].status, "ok") == 0)
            status = match_devices(r, i, o, item, pinned, core, message, size);
    }
    if (status == SCAN_OK && r->count > first && !lanes_open(r->lanes + first, r->count - first))
        return SCAN_ERROR;
    return status;
}

static scan_status open_lanes(roster *r, const options *o, const bool *chosen, bool pinned,
                              int core, char *message, size_t size)
{
    for (size_t i = 0; i < r->catalog.count; i++) {
        const catalog_plugin *p = &r->catalog.plugins[i];
        char item[128];
        device_item(o->device, p->backend, item, sizeof item);
        bool index = p->device_memory && is_number(item);
        if (chosen[i] &&
            add_lane(r, o, p, pinned, core, index ? (uint32_t)atoi(item) : 0) != SCAN_OK) {
            snprintf(message, size, "out of memory");
            return SCAN_NO_MEMORY;
        }
    }
    if (!lanes_open(r->lanes, r->count))
        return SCAN_ERROR;
    return spread_devices(r, o, pinned, core, message, size);
}

scan_status roster_open(const options *o, const char *list, bool pinned, int core, roster *roster_p,
                        char *message, size_t size)
{
    roster r = {0};
    *message = '\0';
    scan_status status = open_catalog(o, list, &r.catalog, message, size);
    if (status != SCAN_OK)
        return status;
    select_candidate *candidates = calloc(r.catalog.count + 1, sizeof *candidates);
    bool *chosen = calloc(r.catalog.count + 1, sizeof *chosen);
    if (!candidates || !chosen)
        status = SCAN_NO_MEMORY;
    for (size_t i = 0; status == SCAN_OK && i < r.catalog.count; i++) {
        const catalog_plugin *p = &r.catalog.plugins[i];
        candidates[i] = (select_candidate){
            .id = p->id, .file = p->file, .hidden = !p->problem && p->role == SCAN_ROLE_MOCK};
    }
    if (status == SCAN_OK)
        status = select_plugins(list, candidates, r.catalog.count, chosen, message, size);
    if (status == SCAN_OK)
        status = open_lanes(&r, o, chosen, pinned, core, message, size);
    free(candidates);
    free(chosen);
    if (status == SCAN_OK)
        *roster_p = r;
    else
        roster_close(&r);
    return status;
}

void roster_close(roster *r)
{
    for (size_t i = 0; i < r->count; i++)
        lane_close(&r->lanes[i]);
    free(r->lanes);
    catalog_free(&r->catalog);
    *r = (roster){0};
}

static bool is_called(const lane *l, const char *word)
{
    return strcmp(l->plugin->id, word) == 0 || strcmp(l->plugin->backend, word) == 0;
}

bool roster_names(const char *list, const lane *l)
{
    char word[64];
    while (list_next(&list, word, sizeof word))
        if (is_called(l, word))
            return true;
    return false;
}

bool roster_lists(const roster *r, const char *list, char *message, size_t size)
{
    char word[64];
    while (list_next(&list, word, sizeof word)) {
        bool found = false;
        for (size_t i = 0; i < r->count; i++)
            found |= is_called(&r->lanes[i], word);
        if (found)
            continue;
        snprintf(message, size, "--require %s: no selected plugin has that id or backend", word);
        return false;
    }
    return true;
}

bool roster_has(const roster *r, const char *list, char *message, size_t size)
{
    char word[64];
    if (!roster_lists(r, list, message, size))
        return false;
    while (list_next(&list, word, sizeof word)) {
        const lane *found = NULL;
        for (size_t i = 0; i < r->count && (!found || strcmp(found->status, "ok") != 0); i++)
            if (is_called(&r->lanes[i], word))
                found = &r->lanes[i];
        if (!found || strcmp(found->status, "ok") == 0)
            continue;
        snprintf(message, size, "--require %s: %s is %s: %s", word, found->plugin->id,
                 found->status, found->reason);
        return false;
    }
    return true;
}
