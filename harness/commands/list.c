#include "commands/list.h"

#include "commands/list_words.h"
#include "commands/session_options.h"
#include "problem/names.h"
#include "supervisor/interrupt.h"

#include <inttypes.h>
#include <string.h>

static void print_words(const char *what, uint32_t bits, uint32_t count,
                        const char *(*name_of)(uint32_t))
{
    if (!bits)
        return;
    printf("      %-10s", what);
    for (uint32_t i = 0; i < count; i++)
        if (bits & SCAN_BIT(i))
            printf(" %s", name_of(i));
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
    if (strcmp(l->status, "ok") == 0)
        printf("      on %s%s%s%s\n", l->device.name, *l->device.driver ? " (" : "",
               l->device.driver, *l->device.driver ? ")" : "");
    else
        printf("      %s: %s\n", l->status, l->reason);
    if (!details)
        return;
    print_words("types", p->dtypes, SCAN_DTYPE_COUNT, dtype_name);
    print_words("ops", p->ops, SCAN_OP_COUNT, op_name);
    print_words("kinds", p->kinds, SCAN_KIND_COUNT, kind_name);
    for (size_t i = 0; i < p->tunable_count; i++)
        print_tunable(&p->tunables[i]);
    if (*p->reference)
        printf("      reference  %s\n", p->reference);
    printf("      file       %s\n", p->file);
}

static int fail(const errmsg *error)
{
    if (interrupt_requested())
        return interrupt_status();
    fprintf(stderr, "scanbench: %s\n", error->text);
    return 2;
}

/* The plugins and the machine. */
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
        puts("\nscanbench list -v shows types, ops, kinds, tunables and files.");
    if (!complete)
        fprintf(stderr, "scanbench: %s\n", error.text);
    for (size_t i = 0; i < r.count; i++)
        worker_process_stop(&r.sessions[i].worker, true);
    session_set_close(&r);
    topology_free(machine);
    return fflush(stdout) != 0 ? 2 : complete ? 0 : 3;
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
    return fflush(stdout) == 0 ? 0 : 2;
}
