#include "commands/verbs.h"

#include "cli/option_table.h"
#include "commands/study.h"
#include "commands/template.h"
#include "exit_status.h"
#include "problem/names.h"
#include "proof/proof.h"
#include "supervisor/interrupt.h"
#include "supervisor/session_set.h"
#include "system/terminal.h"
#include "text/comma_list.h"
#include "text/fit.h"
#include "text/hash_map.h"
#include "text/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the plugins, for people ---- */

/* For grep, lines in a pipe are not broken; in a terminal they are broken between words. */
enum { WIDE = 80, DETAIL = 6, DETAIL_TEXT = 17, SUMMARY = 45 };

/* Prints a label of a detail, and its text in lines of that many columns. */
static void put_detail(const char *label, const char *text, size_t columns)
{
    const size_t indent = columns < WIDE ? DETAIL + 2 : DETAIL_TEXT;
    const int used = printf("%*s%-*s ", DETAIL, "", DETAIL_TEXT - DETAIL - 1, label);
    fit_print_behind(used > 0 ? (size_t)used : 0, text, indent, columns, stdout);
}

/* Prints each operator with its kinds and dtypes. */
static void print_ops(const plugin_info *p, size_t columns)
{
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++) {
        const scan_op_entry *entry = &p->ops[i];
        const char *dtypes[SCAN_DTYPE_COUNT], *kinds[SCAN_KIND_COUNT];
        char text[512], of[256], in[128];
        size_t of_count = 0, in_count = 0;
        if (!entry->kinds)
            continue;
        for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
            if (entry->dtypes & SCAN_BIT(d))
                dtypes[of_count++] = dtype_name(d);
        for (uint32_t k = 0; k < SCAN_KIND_COUNT; k++)
            if (entry->kinds & SCAN_BIT(k))
                kinds[in_count++] = kind_name(k);
        snprintf(text, sizeof text, "%s: %s", words_join(dtypes, of_count, " ", " ", of, sizeof of),
                 words_join(kinds, in_count, ", ", ", ", in, sizeof in));
        put_detail(op_name(entry->op), text, columns);
    }
}

/* "i8 i16 -> i32; i32 -> i64", if it takes results wider than its input. */
static void print_results(const plugin_info *p, size_t columns)
{
    char text[512] = "";
    size_t used = 0;
    for (int i = 0; i < SCAN_MAX_RESULT_ENTRIES && used < sizeof text; i++) {
        const scan_result_entry *entry = &p->results[i];
        const uint64_t sides[] = {entry->dtypes, entry->results};
        if (!entry->dtypes)
            continue;
        for (size_t side = 0; side < 2 && used < sizeof text; side++) {
            const char *words[SCAN_DTYPE_COUNT];
            char joined[256];
            size_t count = 0;
            for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
                if (sides[side] & SCAN_BIT(d))
                    words[count++] = dtype_name(d);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     side   ? " -> "
                                     : used ? "; "
                                            : "",
                                     words_join(words, count, " ", " ", joined, sizeof joined));
        }
    }
    if (used)
        put_detail("results", text, columns);
}

static void print_flags(const plugin_info *p, size_t columns)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {{SCAN_FLAG_IN_PLACE, "in place"},
                 {SCAN_FLAG_IN_PLACE_ONLY, "in place only"},
                 {SCAN_FLAG_NONDETERMINISTIC, "float results may differ between runs"},
                 {SCAN_FLAG_ALLOCATES_IN_RUN, "allocates in run"},
                 {SCAN_FLAG_ROWS, "rows"},
                 {SCAN_FLAG_INNER, "inner > 1"}};
    const char *has[sizeof words / sizeof *words];
    size_t count = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (p->flags & words[i].flag)
            has[count++] = words[i].word;
    if (p->flags) {
        char text[256];
        put_detail("flags", words_join(has, count, ", ", ", ", text, sizeof text), columns);
    }
}

static void print_tunable(const tunable_info *t, size_t columns)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return;
    fprintf(out, "%s: ", t->summary);
    if (t->values)
        for (size_t i = 0; i < t->value_count; i++)
            fprintf(out, "%s%" PRId64, i ? " " : "", t->values[i]);
    else
        fprintf(out, "%" PRId64 " to %" PRId64, t->min, t->max);
    fprintf(out, ", default %" PRId64, t->default_value);
    if (fclose(out) == 0)
        put_detail(t->name, text, columns);
    free(text);
}

static void print_head(const session *s, size_t columns)
{
    const plugin_info *p = s->plugin;
    const char *role = p->problem ? "-" : role_name(p->role),
               *backend = *p->backend ? p->backend : "-";
    if (columns < WIDE) {
        char text[64];
        printf("  %s\n", p->id);
        snprintf(text, sizeof text, "%.30s, %.30s", role, backend);
        fit_print(text, DETAIL - 2, DETAIL, columns, stdout);
        if (*p->summary)
            fit_print(p->summary, DETAIL - 2, DETAIL, columns, stdout);
    } else {
        const int used = printf("  %-22s %-10s %-7s ", p->id, role, backend);
        fit_print_behind(used > 0 ? (size_t)used : 0, p->summary, SUMMARY, columns, stdout);
    }
}

static void print_session(const session *s, bool details, size_t columns)
{
    const plugin_info *p = s->plugin;
    char max_n[32], name[256];
    print_head(s, columns);
    if (!details)
        return;
    snprintf(name, sizeof name, "%.150s, version %.80s", p->name, p->version);
    if (!p->problem)
        put_detail("name", name, columns);
    print_ops(p, columns);
    print_results(p, columns);
    print_flags(p, columns);
    snprintf(max_n, sizeof max_n, "%" PRIu64, p->max_n);
    if (p->max_n > 0)
        put_detail("max n", max_n, columns);
    for (size_t i = 0; i < p->tunable_count; i++)
        print_tunable(&p->tunables[i], columns);
    if (*p->reference)
        put_detail("reference", p->reference, columns);
    if (p->call_ns > 0) {
        snprintf(name, sizeof name, "a call of Python takes at least %.1f us", 1e-3 * p->call_ns);
        put_detail("bridge", name, columns);
    }
    fputs("      file       ", stdout); /* a path is copied, so it stays in one piece */
    utf8_put(stdout, p->file);
    putchar('\n');
}

/* On which device it runs, or why it does not: many share that. */
static const char *place_of(const session *s, char *text, size_t size)
{
    if (s->status == ROW_OK)
        snprintf(text, size, "on %s%s%s%s", s->device.name, *s->device.driver ? " (" : "",
                 s->device.driver, *s->device.driver ? ")" : "");
    else
        snprintf(text, size, "%s: %s", row_status_word(s->status), s->reason);
    return text;
}

enum { PLACE_BYTES = sizeof(scan_device) + sizeof(((session *)0)->reason) };

static bool is_at(const session *s, const char *place)
{
    char its[PLACE_BYTES];
    return strcmp(place_of(s, its, sizeof its), place) == 0;
}

/* Prints the place of a session above all that share it. Of those that cannot run the names are
 * enough. */
static void print_place(const session *sessions, size_t count, size_t first, bool details,
                        size_t columns)
{
    char place[PLACE_BYTES], *names = NULL;
    size_t bytes;
    place_of(&sessions[first], place, sizeof place);
    for (size_t i = 0; i < first; i++)
        if (is_at(&sessions[i], place))
            return;
    putchar('\n');
    fit_print(place, 0, 2, columns, stdout);
    FILE *out = open_memstream(&names, &bytes);
    for (size_t i = first; out && i < count; i++)
        if (is_at(&sessions[i], place) && (details || sessions[i].status == ROW_OK))
            print_session(&sessions[i], details, columns);
        else if (is_at(&sessions[i], place))
            fprintf(out, " %s", sessions[i].plugin->id);
    if (out && fclose(out) == 0 && *names)
        fit_print(names, 2, 2, columns, stdout);
    free(names);
}

/* Nothing was measured, so no worker is waited for. */
static void close_set(session_set *r)
{
    for (size_t i = 0; i < r->count; i++)
        worker_process_stop(&r->sessions[i].worker, true);
    session_set_close(r);
}

/* ---- words for scripts and completions ---- */

enum { WORD_BYTES = 64 };

/* The words printed so far, and the output. */
typedef struct word_list {
    FILE *out;
    hash_map *words;
    scan_status status;
} word_list;

/* Prints a word that was not printed yet. about: a description, or "". */
static void put_word(word_list *list, const char *word, const char *about)
{
    size_t *times = list->words ? hash_map_add(list->words, word, 0) : NULL;
    if (!times)
        list->status = SCAN_NO_MEMORY;
    else if ((*times)++ == 0)
        fprintf(list->out, "%s%s%s\n", word, *about ? "\t" : "", about);
}

static void put_claims(word_list *list)
{
    for (size_t i = 0; i < proof_claim_count; i++)
        put_word(list, proof_claims[i].name, proof_claims[i].text);
}

/* The backends or the roles of templates. */
static void put_templates(word_list *list, new_word which)
{
    const char *names[NEW_TEMPLATE_WORDS];
    const size_t count = new_template_words(which, NULL, NULL, names);
    for (size_t i = 0; i < count; i++)
        put_word(list, names[i], "");
}

static void put_tunables(word_list *list, const plugin_info *p)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        put_word(list, p->tunables[i].name, p->tunables[i].summary);
}

/* Prints a device as --device accepts it: "opencl:1". */
static void put_device(word_list *list, const session *s)
{
    char word[WORD_BYTES];
    if (!s->plugin->device_memory || s->status != ROW_OK)
        return;
    snprintf(word, sizeof word, "%s:%u", s->plugin->backend, (unsigned)s->device_index);
    put_word(list, word, s->device.name);
}

static void put_kind(word_list *list, const char *kind, const session_set *r)
{
    if (strcmp(kind, ASK_CLAIMS) == 0)
        put_claims(list);
    else if (strcmp(kind, ASK_TEMPLATES) == 0)
        put_templates(list, NEW_BACKEND);
    else if (strcmp(kind, ASK_ROLES) == 0)
        put_templates(list, NEW_ROLE);
    for (size_t i = 0; i < r->count; i++) {
        const plugin_info *p = r->sessions[i].plugin;
        if (strcmp(kind, ASK_PLUGINS) == 0)
            put_word(list, p->id, p->problem ? p->problem : p->summary);
        else if (strcmp(kind, ASK_BACKENDS) == 0 && *p->backend)
            put_word(list, p->backend, "");
        else if (strcmp(kind, ASK_TUNABLES) == 0)
            put_tunables(list, p);
        else if (strcmp(kind, ASK_DEVICES) == 0)
            put_device(list, &r->sessions[i]);
    }
}

/* The sessions that the options ask for. A list needs no binding, and of a backend all devices. */
static scan_status read_config(const options *o, session_config *config, errmsg *error)
{
    const scan_status status = session_options_read(&o->plugins, o->verbose, config, error);
    if (status != SCAN_OK)
        return status;
    config->pinned = false;
    if (strcmp(config->device, "0") == 0)
        config->device = "all";
    return SCAN_OK;
}

scan_status list_print_words(const options *o, FILE *out, errmsg *error)
{
    char kind[WORD_BYTES];
    bool plugins = false, devices = false;
    session_config config;
    session_set r = {0};
    for (const char *rest = o->words; comma_list_next(&rest, kind, sizeof kind);) {
        plugins |= strcmp(kind, ASK_CLAIMS) != 0 && strcmp(kind, ASK_TEMPLATES) != 0 &&
                   strcmp(kind, ASK_ROLES) != 0;
        devices |= strcmp(kind, ASK_DEVICES) == 0;
    }
    scan_status status = read_config(o, &config, error);
    if (status == SCAN_OK && devices)
        status = session_set_open(&config, &r, error);
    else if (status == SCAN_OK && plugins)
        status = session_set_select(&config, &r, error);
    if (status != SCAN_OK)
        return status;
    word_list list = {.out = out, .words = hash_map_new()};
    for (const char *rest = o->words; comma_list_next(&rest, kind, sizeof kind);)
        put_kind(&list, kind, &r);
    hash_map_free(list.words);
    close_set(&r);
    return list.status == SCAN_OK ? SCAN_OK : errmsg_set(error, list.status, "out of memory");
}

/* ---- the command ---- */

static int fail(const errmsg *error)
{
    if (interrupt_requested())
        return interrupt_status();
    fprintf(stderr, "scanbench: %s\n", error->text);
    return EXIT_USAGE;
}

/* The machine as a tree, whose lines are indented. */
static void print_machine(const cpu_topology *machine, size_t columns)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return;
    topology_print(machine, out);
    const bool good = fclose(out) == 0;
    for (char *rest = text, *line; good && (line = strsep(&rest, "\n")) && *line;) {
        const size_t indent = strspn(line, " ");
        fit_print(line, indent, indent + 2, columns, stdout);
    }
    free(text);
}

/* Prints the plugins and the machine. */
static int list_all(const options *o, const session_config *config)
{
    errmsg error;
    session_set r = {0};
    cpu_topology *machine = topology_load(&error);
    if (!machine)
        return fail(&error);
    if (session_set_open(config, &r, &error) != SCAN_OK) {
        topology_free(machine);
        return fail(&error);
    }
    const bool complete = session_set_has(&r, o->plugins.require, &error);
    const size_t columns = terminal_width(STDOUT_FILENO, FIT_PIPE);
    puts("Plugins");
    for (size_t i = 0; i < r.count; i++)
        print_place(r.sessions, r.count, i, o->verbose, columns);
    puts("\nMachine");
    print_machine(machine, columns);
    if (!o->verbose) {
        putchar('\n');
        fit_print("scanbench list -v shows versions, types, ops, kinds, tunables and files.", 0, 2,
                  columns, stdout);
    }
    if (!complete)
        fprintf(stderr, "scanbench: %s\n", error.text);
    close_set(&r);
    topology_free(machine);
    return complete ? EXIT_GOOD : EXIT_MISSING;
}

int list_main(const options *o)
{
    errmsg error;
    session_config config;
    interrupt_catch();
    if (o->words)
        return list_print_words(o, stdout, &error) == SCAN_OK ? EXIT_GOOD : fail(&error);
    return read_config(o, &config, &error) == SCAN_OK ? list_all(o, &config) : fail(&error);
}
