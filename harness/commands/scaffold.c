#include "commands/scaffold.h"

#include "loader/search.h"
#include "text/shell_quote.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the compiler needs of scanbench, as far as it is found beside the program. */
typedef struct kit {
    char program[PATH_MAX];   /* its folder */
    bool is_build;            /* which is one that CMake made */
    char include[PATH_MAX];   /* where scan_plugin.h is, "" if it is not found */
    char common[PATH_MAX];    /* where plugins of a backend find what they share */
    char generated[PATH_MAX]; /* and what the build made for them, or "" */
} kit;

static bool exists(const char *folder, const char *file)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return access(path, R_OK) == 0;
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

/* `path` as seen from the folder `base`, where it lies below it. */
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

/* The tree a build folder was made from, as CMake remembers it. */
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

/* root/below as a path without "..", seen from `base`; "" if it is not there. */
static void locate(const char *base, const char *root, const char *below, char *to, size_t size)
{
    char path[2 * PATH_MAX], real[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, below);
    *to = '\0';
    if (realpath(path, real))
        shorten(base, real, to, size);
}

/* Paths are as seen from `base`. */
static void find_kit(const char *base, kit *k)
{
    char program[PATH_MAX], source[PATH_MAX];
    *k = (kit){0};
    if (search_program(program, sizeof program) != SCAN_OK)
        return;
    shorten(base, program, k->program, sizeof k->program);
    k->is_build = find_source(program, source, sizeof source);
    if (k->is_build) {
        locate(base, source, "core/include", k->include, sizeof k->include);
        locate(base, source, "plugins/common", k->common, sizeof k->common);
        locate(base, program, "plugins/kernels", k->generated, sizeof k->generated);
    } else if (exists(program, "../include/scan_plugin.h")) {
        locate(base, program, "../include", k->include, sizeof k->include);
        locate(base, program, "../share/scanbench/common", k->common, sizeof k->common);
    }
}

static void put(FILE *out, const char *before, const char *path, const char *after)
{
    fputs(before, out);
    shell_quote_put(out, path);
    fputs(after, out);
}

static void print_in_tree(FILE *out, const char *here, const char *root, const char *id)
{
    kit k;
    find_kit(root, &k);
    const char *build = k.is_build ? k.program : "build";
    bool usual = strcmp(build, "build") == 0;
    if (strcmp(here, root) != 0)
        put(out, "    cd ", root, "\n");
    if (!k.is_build)
        fputs("    cmake --preset default\n", out);
    put(out, "    cmake --build ", build, "\n");
    if (!usual)
        put(out, "    SCANBENCH_BUILD=", build, " ");
    put(out, usual ? "    prove " : "prove ", build, "");
    fprintf(out, "/plugins/%s.so\n", id);
}

static void print_compiler(FILE *out, const kit *k, const new_template *t)
{
    const bool cuda = strcmp(t->backend, "cuda") == 0;
    fputs(cuda ? "    nvcc -std=c++20 -O3 -shared -Xcompiler -fPIC,-fvisibility=hidden "
                 "-Xlinker --exclude-libs=ALL"
               : "    cc -O3 -shared -fPIC -fvisibility=hidden",
          out);
    put(out, " -I ", *k->include ? k->include : "FOLDER_OF_SCAN_PLUGIN_H", "");
    if (strcmp(t->backend, "cpu") == 0)
        return;
    put(out, " -I ", *k->common ? k->common : "FOLDER_OF_COMMON", "");
    if (!cuda && *k->generated)
        put(out, " -I ", k->generated, "");
}

/* The sources of the common code stand behind the plugin's own. */
static void print_outside(FILE *out, const kit *k, const new_template *t, const char *folder,
                          const char *id)
{
    char file[2 * PATH_MAX];
    print_compiler(out, k, t);
    snprintf(file, sizeof file, "%s/%s%s", folder, id, t->extension);
    put(out, " ", file, "");
    if (strcmp(t->backend, "cpu") != 0) {
        put(out, " ", *k->common ? k->common : "FOLDER_OF_COMMON", "");
        fputs(strcmp(t->backend, "cuda") == 0 ? "/cuda_*.cu" : "/opencl_*.c -lOpenCL", out);
    }
    snprintf(file, sizeof file, "%s/%s.so", folder, id);
    put(out, " -o ", file, "\n");
    put(out, "    ", *k->program ? k->program : ".", "/scanbench validate ");
    put(out, strchr(folder, '/') ? "" : "./", file, "\n");
}

/* The tree in whose plugins/ the folder lies; false if that is not where it lies. */
static bool is_in_plugins(const char *folder, char root[PATH_MAX])
{
    char real[PATH_MAX], place[PATH_MAX + 16];
    if (!realpath(folder, real) || !find_tree(real, root))
        return false;
    *strrchr(real, '/') = '\0';
    snprintf(place, sizeof place, "%s/plugins", root);
    return strcmp(real, place) == 0;
}

void new_place_print_steps(FILE *out, const new_template *t, const char *folder, const char *id)
{
    kit k;
    char root[PATH_MAX], here[PATH_MAX];
    if (!getcwd(here, sizeof here))
        *here = '\0';
    fputs("\nIt is complete and right. Build and prove it:\n\n", out);
    if (is_in_plugins(folder, root)) {
        print_in_tree(out, here, root, id);
    } else {
        find_kit(here, &k);
        print_outside(out, &k, t, folder, id);
    }
    fputs("\nThen go through the lines marked CHANGE, and prove it again.\n", out);
}
