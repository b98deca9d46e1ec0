#include "commands/verbs.h"

#include "commands/scaffold.h"
#include "commands/template.h"
#include "exit_status.h"
#include "loader/loader.h"
#include "problem/names.h"
#include "text/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The plugin to write. */
typedef struct scaffold {
    const new_template *template;
    char name[PATH_BYTES]; /* as given, without a slash at its end */
    const char *id;        /* the last part of the name */
    char folder[PATH_BYTES];
    errmsg error;
} scaffold;

/* Suggests an id: "my_scan" for "My-Scan". "" if nothing of the word can be kept. */
static void suggest_id(const char *word, char *id)
{
    size_t used = 0;
    for (; *word && used < LOADER_ID_LENGTH; word++) {
        static const char large[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        static const char small[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
        const char *at = strchr(large, *word);
        const char *kept = at ? small + (at - large) : strchr(small, *word);
        if (used > 0 || (kept && kept < small + sizeof large - 1))
            id[used++] = *(kept ? kept : "_");
    }
    id[used] = '\0';
}

static bool refuse_name(scaffold *s, const char *word)
{
    char near[LOADER_ID_LENGTH + 1];
    suggest_id(word, near);
    errmsg_set(&s->error, SCAN_INVALID,
               "\"%.200s\" cannot be the id of a plugin: expected [a-z][a-z0-9_]* of at most %d "
               "characters%s%s%s",
               word, LOADER_ID_LENGTH, *near ? "; did you mean " : "", near, *near ? "?" : "");
    return false;
}

/* Reports that WORD in --OPTION WORD is not one of `words`, those of the templates for a backend
 * or, if that is NULL, of all. */
static bool refuse_word(scaffold *s, const char *option, const char *word, const char *backend,
                        const char *const *words, size_t count)
{
    char suggestion[SUGGEST_BYTES];
    errmsg_set(&s->error, SCAN_INVALID, "--%s %.100s: there is no such template%s%s%s", option,
               word, backend ? " with --backend " : "", backend ? backend : "",
               suggest_among(word, words, count, suggestion, sizeof suggestion));
    return false;
}

static bool choose_template(scaffold *s, const char *backend, const char *role,
                            const char *language)
{
    const char *words[NEW_TEMPLATE_WORDS];
    s->template = new_template_find(backend, role, language);
    if (s->template)
        return true;
    size_t count = new_template_words(NEW_LANGUAGE, backend, role, words);
    if (count > 0)
        return refuse_word(s, "language", language, backend, words, count);
    count = new_template_words(NEW_ROLE, backend, NULL, words);
    if (count > 0)
        return refuse_word(s, "role", role, backend, words, count);
    count = new_template_words(NEW_BACKEND, NULL, NULL, words);
    return refuse_word(s, "backend", backend, NULL, words, count);
}

static bool choose_folder(scaffold *s, const char *given)
{
    snprintf(s->name, sizeof s->name, "%s", given);
    for (size_t length = strlen(s->name); length > 1 && s->name[length - 1] == '/';)
        s->name[--length] = '\0';
    const char *slash = strrchr(s->name, '/');
    s->id = slash ? slash + 1 : s->name;
    if (!names_is_word(s->id, LOADER_ID_LENGTH))
        return refuse_name(s, s->id);
    new_place_choose(s->name, s->folder, sizeof s->folder);
    char taken[PATH_BYTES];
    if (new_place_has_plugin(s->id, taken, sizeof taken)) {
        errmsg_set(
            &s->error, SCAN_INVALID,
            "a plugin %s exists already (%s), and of two plugins with one id the first is used; "
            "choose another name",
            s->id, taken);
        return false;
    }
    return true;
}

static bool write_file(scaffold *s, const char *name, const char *text)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    FILE *file = fopen(path, "wex");
    bool good = file != NULL;
    if (good) {
        new_template_write(s->template, text, s->id, file);
        good = fflush(file) == 0; /* an earlier write error is reported here */
        good = fclose(file) == 0 && good;
    }
    if (!good)
        errmsg_set(&s->error, SCAN_INVALID, "%.3000s: %s", path, strerror(errno));
    return good;
}

/* Has it a CMakeLists.txt? What needs no build has one only to become one of a tree's plugins. */
static bool has_cmake(const scaffold *s)
{
    return *s->template->compile || new_place_is_in_tree(s->folder);
}

/* Writes the folder and its files, or nothing. */
static bool write_folder(scaffold *s)
{
    char source[LOADER_ID_LENGTH + 8], path[2 * PATH_BYTES];
    snprintf(source, sizeof source, "%s%s", s->id, s->template->extension);
    if (mkdir(s->folder, 0777) != 0) {
        errmsg_set(&s->error, SCAN_INVALID, "%.3000s: %s%s", s->folder, strerror(errno),
                   errno == EEXIST ? "; choose another name, or remove it" : "");
        return false;
    }
    if (write_file(s, source, s->template->source) &&
        (!has_cmake(s) || write_file(s, "CMakeLists.txt", s->template->cmake)))
        return true;
    snprintf(path, sizeof path, "%s/%s", s->folder, source);
    unlink(path);
    snprintf(path, sizeof path, "%s/CMakeLists.txt", s->folder);
    unlink(path);
    rmdir(s->folder);
    return false;
}

int new_main(const options *o)
{
    scaffold s = {0};
    if (o->argument_count != 1) {
        fprintf(stderr, "scanbench: new takes one name, as in: scanbench new my_scan\n");
        return EXIT_USAGE;
    }
    if (!choose_template(&s, o->backend, o->role, o->language) ||
        !choose_folder(&s, o->arguments[0]) || !write_folder(&s)) {
        fprintf(stderr, "scanbench: %s\n", s.error.text);
        return EXIT_USAGE;
    }
    printf("%s/%s%s\n", s.folder, s.id, s.template->extension);
    if (has_cmake(&s))
        printf("%s/CMakeLists.txt\n", s.folder);
    if (!o->quiet)
        new_place_print_steps(stdout, s.template, s.folder, s.id);
    if (fflush(stdout) == 0)
        return EXIT_GOOD;
    fprintf(stderr, "scanbench: %s is made, but stdout cannot be written: %s\n", s.folder,
            strerror(errno));
    return EXIT_USAGE;
}
