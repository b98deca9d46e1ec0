#include "commands/scaffold.h"

#include "loader/search.h"
#include "text/shell_quote.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The parts of scanbench that a plugin's build needs, as far as they are found beside the
 * program. */
typedef struct kit {
    char program[PATH_MAX];   /* its folder */
    bool is_build;            /* is that folder a build folder of CMake? */
    char include[PATH_MAX];   /* the folder of scan_plugin.h, "" if it is not found */
    char common[PATH_MAX];    /* the folder of the sources that the backend's plugins share */
    char generated[PATH_MAX]; /* the folder of what the build generated for them, or "" */
    char here[PATH_MAX];      /* the working folder, "" if it is not known */
    char root[PATH_MAX];      /* the tree whose plugins/ the new folder lies in */
} kit;

static bool exists(const char *folder, const char *file)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return false;
    const bool found = access(path, R_OK) == 0;
    free(path);
    return found;
}

static bool is_tree(const char *folder)
{
    return exists(folder, "plugins/CMakeLists.txt") && exists(folder, "core/include/scan_plugin.h");
}

/* The root of the tree that `folder`, a real path, lies in; false if it lies in none. */
static bool find_tree(const char *folder, char root[PATH_MAX])
{
    snprintf(root, PATH_MAX, "%s", folder);
    while (!is_tree(root)) {
        char *slash = strrchr(root, '/');
        if (!slash || slash == root)
            return false;
        *slash = '\0';
    }
    return true;
}

bool new_place_has_plugin(const char *id, char *path, size_t size)
{
    char program[PATH_MAX];
    if (search_program(program, sizeof program) != SCAN_OK)
        return false;
    for (size_t i = 0; i < SEARCH_PLACES; i++) {
        snprintf(path, size, "%s/%s/%s.so", program, search_places[i], id);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* Makes `path` relative to the folder `base` if it lies below it. */
static void shorten(const char *base, const char *path, char *to, size_t size)
{
    const size_t length = strlen(base);
    if (length > 1 && strncmp(path, base, length) == 0 && path[length] == '/')
        path += length + 1;
    snprintf(to, size, "%s", path);
}

void new_place_choose(const char *name, char *folder, size_t size)
{
    char root[PATH_MAX], here[PATH_MAX], path[PATH_MAX + 80];
    if (strchr(name, '/') || !getcwd(here, sizeof here) || !find_tree(here, root)) {
        snprintf(folder, size, "%s", name);
        return;
    }
    snprintf(path, sizeof path, "%s/plugins/%s", root, name);
    shorten(here, path, folder, size);
}

/* Finds the source tree of a build folder in CMake's cache. */
static bool find_source(const char *build, char *source, size_t size)
{
    static const char key[] = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    char path[PATH_MAX + 32], line[PATH_MAX];
    bool found = false;
    snprintf(path, sizeof path, "%s/CMakeCache.txt", build);
    FILE *cache = fopen(path, "re");
    while (cache && !found && fgets(line, sizeof line, cache))
        if (strncmp(line, key, sizeof key - 1) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(source, size, "%s", line + sizeof key - 1);
            found = true;
        }
    if (cache)
        fclose(cache);
    return found;
}

/* Finds root/below as a path without "..", relative to `base`; "" if it does not exist. */
static void locate(const char *base, const char *root, const char *below, char *to, size_t size)
{
    char *path;
    *to = '\0';
    if (asprintf(&path, "%s/%s", root, below) < 0)
        return;
    char *real = realpath(path, NULL);
    if (real)
        shorten(base, real, to, size);
    free(real);
    free(path);
}

/* Finds the kit, which is empty, for plugins of `backend`, with paths relative to `base`. */
static void find_kit(const char *base, const char *backend, kit *k)
{
    char program[PATH_MAX], source[PATH_MAX], common[80];
    if (search_program(program, sizeof program) != SCAN_OK)
        return;
    shorten(base, program, k->program, sizeof k->program);
    k->is_build = find_source(program, source, sizeof source);
    if (k->is_build) {
        locate(base, source, "core/include", k->include, sizeof k->include);
        snprintf(common, sizeof common, "plugins/common/%s", backend);
        locate(base, source, common, k->common, sizeof k->common);
        snprintf(common, sizeof common, "common/%s", backend);
        locate(base, program, common, k->generated, sizeof k->generated);
    } else if (exists(program, "../include/scan_plugin.h")) {
        locate(base, program, "../include", k->include, sizeof k->include);
        snprintf(common, sizeof common, "../share/scanbench/common/%s", backend);
        locate(base, program, common, k->common, sizeof k->common);
    }
}

static void put(FILE *out, const char *before, const char *path, const char *after)
{
    fputs(before, out);
    shell_quote_put(out, path);
    fputs(after, out);
}

/* How to prove a plugin that needs no build. */
static void print_proof(FILE *out, const kit *k, const char *plugin)
{
    put(out, "    ", *k->program ? k->program : ".", "/scanbench validate ");
    put(out, strchr(plugin, '/') ? "" : "./", plugin, "\n");
}

static void print_in_tree(FILE *out, const kit *k, const char *id)
{
    const char *build = k->is_build ? k->program : "build";
    if (strcmp(k->here, k->root) != 0)
        put(out, "    cd ", k->root, "\n");
    if (!k->is_build)
        fputs("    cmake --preset default\n", out);
    put(out, "    cmake --build ", build, "\n");
    put(out, "    prove ", build, "");
    fprintf(out, "/plugins/%s.so\n", id);
}

/* Prints the text for one of the words between braces in a template's command. */
static void print_word(FILE *out, const kit *k, const char *word, const char *source,
                       const char *plugin)
{
    const char *const common = *k->common ? k->common : "FOLDER_OF_COMMON";
    if (strcmp(word, "header") == 0) {
        put(out, "-I ", *k->include ? k->include : "FOLDER_OF_SCAN_PLUGIN_H", "");
    } else if (strcmp(word, "common") == 0) {
        put(out, "-I ", common, "");
        if (*k->generated)
            put(out, " -I ", k->generated, "");
    } else {
        const bool folder = strcmp(word, "folder") == 0;
        put(out, "", folder ? common : strcmp(word, "source") == 0 ? source : plugin, "");
    }
}

/* Prints the template's command with the paths for the words between braces. */
static void print_command(FILE *out, const kit *k, const new_template *t, const char *source,
                          const char *plugin)
{
    const char *text = t->compile;
    fputs("    ", out);
    while (*text) {
        char word[16];
        int length = 0;
        if (sscanf(text, "{%15[a-z]}%n", word, &length) == 1 && length > 0) {
            print_word(out, k, word, source, plugin);
            text += length;
        } else {
            fputc(*text++, out);
        }
    }
    fputc('\n', out);
}

static void print_outside(FILE *out, const kit *k, const new_template *t, const char *folder,
                          const char *id)
{
    char *source = NULL, *plugin = NULL;
    if (asprintf(&source, "%s/%s%s", folder, id, t->extension) < 0 ||
        asprintf(&plugin, "%s/%s.so", folder, id) < 0) {
        free(source);
        return;
    }
    if (*t->compile)
        print_command(out, k, t, source, plugin);
    print_proof(out, k, *t->compile ? plugin : source);
    free(source);
    free(plugin);
}

/* Finds the tree whose plugins/ contains the folder; false if there is none. */
static bool is_in_plugins(const char *folder, char root[PATH_MAX])
{
    char real[PATH_MAX], place[PATH_MAX + 16];
    if (!realpath(folder, real) || !find_tree(real, root))
        return false;
    *strrchr(real, '/') = '\0';
    snprintf(place, sizeof place, "%s/plugins", root);
    return strcmp(real, place) == 0;
}

bool new_place_is_in_tree(const char *folder)
{
    char root[PATH_MAX];
    return is_in_plugins(folder, root);
}

void new_place_print_steps(FILE *out, const new_template *t, const char *folder, const char *id)
{
    kit *k = calloc(1, sizeof *k);
    if (!k)
        return;
    if (!getcwd(k->here, sizeof k->here))
        *k->here = '\0';
    fprintf(out, "\nIt is complete and right, in %s. %s it:\n\n", t->about,
            *t->compile ? "Build and prove" : "Prove");
    const bool in_tree = *t->compile && is_in_plugins(folder, k->root);
    find_kit(in_tree ? k->root : k->here, t->backend, k);
    if (in_tree)
        print_in_tree(out, k, id);
    else
        print_outside(out, k, t, folder, id);
    fputs("\nThen go through the lines marked CHANGE, and prove it again.\n", out);
    free(k);
}
