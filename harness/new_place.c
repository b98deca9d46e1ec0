#include "new_place.h"

#include "shell_word.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the compiler needs of scanbench, as far as it is found beside the program. */
typedef struct kit {
    char program[PATH_MAX];   /* its folder, as short as it can be said */
    char build[PATH_MAX];     /* the same if it is a build folder, else "" */
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

bool new_place_is_tree(const char *folder)
{
    return exists(folder, "plugins/CMakeLists.txt") && exists(folder, "core/include/scan_plugin.h");
}

static bool find_program(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return true;
}

bool new_place_has_plugin(const char *id, char *path, size_t size)
{
    static const char *const places[] = {"plugins", "../lib/scanbench/plugins"};
    char program[PATH_MAX];
    for (size_t i = 0; i < 2 && find_program(program, sizeof program); i++) {
        snprintf(path, size, "%s/%s/%s.so", program, places[i], id);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* `path` as seen from the working folder, where it lies below it. */
static void shorten(const char *path, char *to, size_t size)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length > 1 && strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    snprintf(to, size, "%s", path);
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

/* root/below as a path without "..", seen from here; "" if it is not there. */
static void locate(const char *root, const char *below, char *to, size_t size)
{
    char path[2 * PATH_MAX], real[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, below);
    *to = '\0';
    if (realpath(path, real))
        shorten(real, to, size);
}

static void find_kit(kit *k)
{
    char program[PATH_MAX], source[PATH_MAX];
    *k = (kit){0};
    if (!find_program(program, sizeof program))
        return;
    shorten(program, k->program, sizeof k->program);
    if (find_source(program, source, sizeof source)) {
        memcpy(k->build, k->program, sizeof k->build);
        locate(source, "core/include", k->include, sizeof k->include);
        locate(source, "plugins/common", k->common, sizeof k->common);
        locate(program, "plugins/kernels", k->generated, sizeof k->generated);
    } else if (exists(program, "../include/scan_plugin.h")) {
        locate(program, "../include", k->include, sizeof k->include);
        locate(program, "../share/scanbench/common", k->common, sizeof k->common);
    }
}

static void put(FILE *out, const char *before, const char *path, const char *after)
{
    fputs(before, out);
    shell_word_put(out, path);
    fputs(after, out);
}

static void print_in_tree(FILE *out, const kit *k, const char *id)
{
    const char *build = *k->build ? k->build : "build";
    bool usual = strcmp(build, "build") == 0;
    if (!*k->build)
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

void new_place_print_steps(FILE *out, const new_template *t, const char *folder, const char *id)
{
    kit k;
    char root[PATH_MAX + 8];
    find_kit(&k);
    const char *slash = strrchr(folder, '/');
    snprintf(root, sizeof root, "%.*s/..", slash ? (int)(slash - folder) : 1, slash ? folder : ".");
    fputs("\nIt is complete and right. Build and prove it:\n\n", out);
    if (new_place_is_tree(root))
        print_in_tree(out, &k, id);
    else
        print_outside(out, &k, t, folder, id);
    fputs("\nThen go through the lines marked CHANGE, and prove it again.\n", out);
}
