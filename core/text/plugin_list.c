#include "text/plugin_list.h"

#include "text/errmsg.h"
#include "text/suggest.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ITEM_SIZE = 4096 };

/* One item of a list. */
typedef struct plugin_list_item {
    bool exclude;
    char text[ITEM_SIZE];
} plugin_list_item;

static bool exists(const char *start, const char *end)
{
    char path[ITEM_SIZE];
    struct stat about;
    if ((size_t)(end - start) >= sizeof path)
        return false;
    memcpy(path, start, (size_t)(end - start));
    path[end - start] = '\0';
    return stat(path, &about) == 0;
}

size_t plugin_file_stem(const char *name, size_t length)
{
    const char *end = name + length - 3;
    return length > 3 && (memcmp(end, ".so", 3) == 0 || memcmp(end, ".py", 3) == 0) ? length - 3
                                                                                    : 0;
}

bool plugin_file_is_python(const char *file)
{
    const size_t stem = plugin_file_stem(file, strlen(file));
    return stem > 0 && strcmp(file + stem, ".py") == 0;
}

/* How many bytes of an item are its path; 0: it is none. A colon may be part of the path: what
 * exists by that name is meant. */
static size_t path_length(const char *text)
{
    const size_t length = strlen(text);
    const char *colon = strrchr(text, ':');
    const size_t before = colon ? (size_t)(colon - text) : 0;
    if (before > 0 && !strchr(colon, '/') && !plugin_file_stem(text, length) &&
        (memchr(text, '/', before) || plugin_file_stem(text, before)) &&
        !exists(text, text + length))
        return before;
    return strchr(text, '/') || plugin_file_stem(text, length) ? length : 0;
}

/* Where an item ends: at a comma, but a path may have commas of its own. */
static const char *end_of_item(const char *start)
{
    const char *first = start + strcspn(start, ",");
    if (!*first || !memchr(start, '/', (size_t)(first - start)))
        return first;
    for (const char *end = first;; end += 1 + strcspn(end + 1, ",")) {
        const char *colon = memrchr(start, ':', (size_t)(end - start));
        if (exists(start, end) || (colon && exists(start, colon)))
            return end;
        if (!*end)
            return first;
    }
}

/* Copies the next item of *rest_p, which becomes NULL after the last one. */
static scan_status next_item(const char **rest_p, plugin_list_item *item_p, errmsg *error)
{
    const char *start = *rest_p + strspn(*rest_p, " ");
    item_p->exclude = *start == '!';
    if (item_p->exclude)
        start += 1 + strspn(start + 1, " ");
    const char *end = end_of_item(start);
    *rest_p = *end ? end + 1 : NULL;
    while (end > start && end[-1] == ' ')
        end--;
    if (end <= start)
        return errmsg_set(error, SCAN_INVALID,
                          "the plugin list has an empty item; write it like all,!cuda_*");
    if ((size_t)(end - start) >= ITEM_SIZE)
        return errmsg_set(error, SCAN_INVALID,
                          "an item of the plugin list is longer than %d characters: %.40s...",
                          ITEM_SIZE - 1, start);
    memcpy(item_p->text, start, (size_t)(end - start));
    item_p->text[end - start] = '\0';
    return SCAN_OK;
}

/* Adds a copy of the word, once. */
static scan_status add_word(char ***words_p, size_t *count_p, const char *word)
{
    for (size_t i = 0; i < *count_p; i++)
        if (strcmp((*words_p)[i], word) == 0)
            return SCAN_OK;
    char **words = realloc(*words_p, (*count_p + 1) * sizeof *words);
    if (!words)
        return SCAN_NO_MEMORY;
    *words_p = words;
    words[*count_p] = strdup(word);
    return words[*count_p] ? (++*count_p, SCAN_OK) : SCAN_NO_MEMORY;
}

static bool is_id(const plugin_list_item *item)
{
    return !item->exclude && strcmp(item->text, "all") != 0 && !strpbrk(item->text, "*?[");
}

scan_status plugin_list_paths(const char *list, plugin_list_files *files_p, errmsg *error)
{
    plugin_list_files files = {.alone = true, .plain = list != NULL};
    plugin_list_item item = {.text = ""};
    scan_status status = SCAN_OK;
    for (const char *rest = list; rest && status == SCAN_OK;) {
        status = next_item(&rest, &item, error);
        if (status != SCAN_OK)
            break;
        const size_t path = item.exclude ? 0 : path_length(item.text);
        files.alone &= path > 0;
        files.plain &= path > 0 || is_id(&item);
        item.text[path > 0 ? path : strlen(item.text)] = '\0';
        if (path > 0)
            status = add_word(&files.paths, &files.count, item.text);
        else if (is_id(&item))
            status = add_word(&files.ids, &files.id_count, item.text);
        if (status != SCAN_OK)
            errmsg_set(error, status, "out of memory for the plugin list");
    }
    if (status == SCAN_OK)
        *files_p = files;
    else
        plugin_list_files_free(&files);
    return status;
}

void plugin_list_files_free(plugin_list_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    for (size_t i = 0; i < files->id_count; i++)
        free(files->ids[i]);
    free(files->paths);
    free(files->ids);
    *files = (plugin_list_files){0};
}

/* Does the path lead to the file, or to a folder that holds it? A file found in two places may be
 * known by another path. */
static bool leads_to(const char *path, const char *file)
{
    struct stat about, other;
    if (strcmp(path, file) == 0)
        return true;
    if (stat(path, &about) != 0 || stat(file, &other) != 0)
        return false;
    if (S_ISDIR(about.st_mode)) {
        const char *slash = strrchr(file, '/');
        char *inside;
        if (asprintf(&inside, "%s/%s", path, slash ? slash + 1 : file) < 0)
            return false;
        const bool there = stat(inside, &about) == 0;
        free(inside);
        if (!there)
            return false;
    }
    return about.st_dev == other.st_dev && about.st_ino == other.st_ino;
}

/* Is it a plugin of the file or the folder, and one that is named behind the colon, if any is? */
static bool comes_from(const char *text, size_t path, const plugin_list_candidate *candidate)
{
    char file[ITEM_SIZE];
    snprintf(file, sizeof file, "%.*s", (int)path, text);
    return (!text[path] || candidate->broken || fnmatch(text + path + 1, candidate->id, 0) == 0) &&
           leads_to(file, candidate->file);
}

static bool matches(const char *text, const plugin_list_candidate *candidate)
{
    const size_t path = path_length(text);
    if (strcmp(text, "all") == 0)
        return !candidate->hidden;
    if (path > 0)
        return candidate->file && comes_from(text, path, candidate);
    if (strpbrk(text, "*?["))
        return fnmatch(text, candidate->id, 0) == 0;
    return strcmp(text, candidate->id) == 0;
}

/* Ids that have the text in them, whatever its case: the id if there is one, else the glob of them
 * in glob[0 ... size-1]; NULL if there is none. */
static const char *within_ids(const char *text, const char *const *ids, size_t count, char *glob,
                              size_t size)
{
    const char *found = NULL;
    size_t matches = 0;
    for (size_t i = 0; i < count; i++)
        if (*text && strcasestr(ids[i], text)) {
            found = ids[i];
            matches++;
        }
    if (matches < 2)
        return found;
    snprintf(glob, size, "*%.*s*", (int)size - 3, text);
    for (char *at = glob; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return glob;
}

/* Names the plugins that the path of an item has, if there are any. */
static scan_status nothing_from(const char *text, const plugin_list_candidate *candidates,
                                size_t count, errmsg *error)
{
    const size_t path = path_length(text);
    char file[ITEM_SIZE], ids[512] = "";
    snprintf(file, sizeof file, "%.*s", (int)path, text);
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(ids);
        if (candidates[i].file && leads_to(file, candidates[i].file))
            snprintf(ids + used, sizeof ids - used, " %s", candidates[i].id);
    }
    if (!*ids || !text[path])
        return errmsg_set(error, SCAN_INVALID, "no plugin was loaded from '%s'", file);
    return errmsg_set(error, SCAN_INVALID, "no plugin of '%s' is called '%s'; it has%s", file,
                      text + path + 1, ids);
}

static scan_status nothing_matches(const char *text, const plugin_list_candidate *candidates,
                                   size_t count, errmsg *error)
{
    if (strcmp(text, "all") == 0 || count == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "'%s': no plugins were found beside the program, in plugins/ or "
                          "../lib/scanbench/plugins/; install scanbench again, or name their "
                          "folder in SCANBENCH_PLUGIN_PATH",
                          text);
    if (path_length(text) > 0)
        return nothing_from(text, candidates, count, error);
    if (exists(text, text + strlen(text)))
        return errmsg_set(
            error, SCAN_INVALID,
            "no plugin matches '%s'; for the file or folder of that name write './%s'", text, text);
    const char **ids = malloc(count * sizeof *ids);
    if (!ids)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory for the plugin list");
    for (size_t i = 0; i < count; i++)
        ids[i] = candidates[i].id;
    char glob[80];
    const char *nearest = within_ids(text, ids, count, glob, sizeof glob);
    if (!nearest)
        nearest = suggest_nearest(text, ids, count);
    free(ids);
    if (nearest)
        return errmsg_set(error, SCAN_INVALID, "no plugin matches '%s'; did you mean '%s'?", text,
                          nearest);
    return errmsg_set(error, SCAN_INVALID, "no plugin matches '%s'; `scanbench list` shows all",
                      text);
}

static scan_status mark(const char *list, const plugin_list_candidate *candidates, size_t count,
                        bool *wanted, bool *refused, errmsg *error)
{
    bool only_excludes = true;
    plugin_list_item item = {.text = ""};
    for (const char *rest = list; rest;) {
        scan_status status = next_item(&rest, &item, error);
        if (status != SCAN_OK)
            return status;
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            if (!matches(item.text, &candidates[i]))
                continue;
            any = true;
            (item.exclude ? refused : wanted)[i] = true;
        }
        if (!any)
            return nothing_matches(item.text, candidates, count, error);
        only_excludes = only_excludes && item.exclude;
    }
    for (size_t i = 0; only_excludes && i < count; i++)
        wanted[i] = !candidates[i].hidden;
    return SCAN_OK;
}

scan_status plugin_list_choose(const char *list, const plugin_list_candidate *candidates,
                               size_t count, bool *chosen, errmsg *error)
{
    bool *wanted = calloc(2 * count + 1, sizeof *wanted);
    if (!wanted)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory for the plugin list");
    bool *refused = wanted + count;
    scan_status status = mark(list, candidates, count, wanted, refused, error);
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || (wanted[i] && !refused[i]);
    if (status == SCAN_OK && !any)
        status = errmsg_set(error, SCAN_INVALID,
                            "'%s' leaves no plugin; remove one of the '!' items", list);
    for (size_t i = 0; status == SCAN_OK && i < count; i++)
        chosen[i] = wanted[i] && !refused[i];
    free(wanted);
    return status;
}

bool plugin_list_excludes(const char *list, const plugin_list_candidate *candidate)
{
    plugin_list_item item = {.text = ""};
    errmsg ignored;
    for (const char *rest = list; rest && next_item(&rest, &item, &ignored) == SCAN_OK;)
        if (item.exclude && matches(item.text, candidate))
            return true;
    return false;
}
