#include "commands/list.h"

#include "commands/list_words.h"
#include "commands/session_options.h"
#include "exit_status.h"
#include "problem/names.h"
#include "supervisor/interrupt.h"
#include "text/utf8.h"

#include <inttypes.h>
#include <string.h>

/* Prints each operator with its kinds and dtypes. */
static void print_ops(const plugin_info *p)
{
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++) {
        const scan_op_entry *entry = &p->ops[i];
        if (!entry->kinds)
            continue;
        printf("      %-10s", op_name(entry->op));
        for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
            if (entry->dtypes & SCAN_BIT(d))
                printf(" %s", dtype_name(d));
        for (uint32_t k = 0; k < SCAN_KIND_COUNT; k++)
            if (entry->kinds & SCAN_BIT(k))
                printf("%s %s", entry->kinds & (SCAN_BIT(k) - 1) ? "," : ":", kind_name(k));
        putchar('\n');
    }
}

static void print_flags(const plugin_info *p)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {{SCAN_FLAG_IN_PLACE, "in place"},
                 {SCAN_FLAG_IN_PLACE_ONLY, "in place only"},
                 {SCAN_FLAG_NONDETERMINISTIC, "float results may differ between runs"},
                 {SCAN_FLAG_ALLOCATES_IN_RUN, "allocates in run"}};
    const char *before = "      flags      ";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (p->flags & words[i].flag) {
            printf("%s%s", before, words[i].word);
            before = ", ";
        }
    if (p->flags)
        putchar('\n');
}

static void print_tunable(const tunable_info *t)
{
    printf("      %-10s %s: ", t->name, t->summary);
    if (t->values)
        for (size_t i = 0; i < t->value_count; i++)
            printf("%s%" PRId64, i ? " " : "", t->values[i]);
    else
        printf("%" PRId64 " to %" PRId64, t->min, t->max);
    printf(", default %" PRId64 "\n", t->default_value);
}

static void print_session(const session *l, bool details)
{
    const plugin_info *p = l->plugin;
    printf("  %-22s %-10s %-7s %s\n", p->id, p->problem ? "-" : role_name(p->role),
           *p->backend ? p->backend : "-", p->summary);
    if (l->status == ROW_OK)
        printf("      on %s%s%s%s\n", l->device.name, *l->device.driver ? " (" : "",
               l->device.driver, *l->device.driver ? ")" : "");
    else
        printf("      %s: %s\n", row_status_word(l->status), l->reason);
    if (!details)
        return;
    if (!p->problem)
        printf("      name       %s, version %s\n", p->name, p->version);
    print_ops(p);
    print_flags(p);
    if (p->max_n > 0)
        printf("      max n      %" PRIu64 "\n", p->max_n);
    for (size_t i = 0; i < p->tunable_count; i++)
        print_tunable(&p->tunables[i]);
    if (*p->reference)
        printf("      reference  %s\n", p->reference);
    fputs("      file       ", stdout);
    utf8_put(stdout, p->file);
    putchar('\n');
}

static int fail(const errmsg *error)
{
    if (interrupt_requested())
        return interrupt_status();
    fprintf(stderr, "scanbench: %s\n", error->text);
    return EXIT_USAGE;
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
    puts("Plugins");
    for (size_t i = 0; i < r.count; i++)
        print_session(&r.sessions[i], o->verbose);
    puts("\nMachine");
    topology_print(machine, stdout);
    if (!o->verbose)
        puts("\nscanbench list -v shows versions, types, ops, kinds, tunables and files.");
    if (!complete)
        fprintf(stderr, "scanbench: %s\n", error.text);
    for (size_t i = 0; i < r.count; i++)
        worker_process_stop(&r.sessions[i].worker, true);
    session_set_close(&r);
    topology_free(machine);
    return complete ? EXIT_GOOD : EXIT_MISSING;
}

int list_main(const options *o)
{
    errmsg error;
    session_config config;
    interrupt_catch();
    if (session_options_read(&o->plugins, o->verbose, &config, &error) != SCAN_OK)
        return fail(&error);
    config.pinned = false;
    if (strcmp(config.device, "0") == 0)
        config.device = "all";
    if (!o->words)
        return list_all(o, &config);
    if (list_words(&config, o->words, stdout, &error) != SCAN_OK)
        return fail(&error);
    return EXIT_GOOD;
}
