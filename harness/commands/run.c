#include "commands/run.h"

#include "commands/session_options.h"
#include "exit_status.h"
#include "output/metadata.h"
#include "output/progress.h"
#include "output/resume.h"
#include "output/summary_table.h"
#include "output/unavailable.h"
#include "supervisor/interrupt.h"
#include "supervisor/session_set.h"
#include "sweep/measure_group.h"
#include "system/memory.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run in progress. */
typedef struct run {
    const options *o;
    settings settings;
    session_set session_set;
    plan plan;
    result_csv result_csv;
    summary_table *table;
    resume *resume; /* or NULL */
    cpu_topology *machine;
    progress progress;
    double group_weight; /* in the progress bar, of the group being measured */
    double group_done;   /* of that */
    uint64_t mem_limit;
    size_t counts[ROW_STATUS_COUNT]; /* of configurations */
    size_t kept;                     /* from an earlier run, with --resume */
    errmsg error;
} run;

static int fail(const run *r, int status)
{
    fprintf(stderr, "scanbench: %s\n", r->error.text);
    return status;
}

/* The weight of one configuration in the progress bar: its samples and, if it is large, the time to
 * make and check its data. */
static double weight(const configuration *c)
{
    return c->status != ROW_OK ? 0.01 : 1 + (double)c->job.n / 2e7;
}

static void on_tick(void *context)
{
    run *r = context;
    progress_tick(&r->progress);
}

static void on_turn(void *context, const group_entry *m, double share)
{
    run *r = context;
    char label[256];
    plan_describe(&m->configuration, r->session_set.sessions, label, sizeof label);
    progress_label(&r->progress, label);
    progress_add(&r->progress, share * r->group_weight - r->group_done);
    r->group_done = share * r->group_weight;
}

static void count(run *r, const measurement *m, const char *label)
{
    const row_status status = m->result.status;
    r->counts[status]++;
    if (row_status_is_failure(status)) {
        char reason[FAULT_SENTENCE_BYTES];
        progress_clear(&r->progress);
        fprintf(stderr, "scanbench: %s: %s: %s\n", label, row_status_word(status),
                fault_text(&m->result.fault, reason, sizeof reason));
    }
}

/* Writes the rows of one configuration and adds them to the table. */
static scan_status record(run *r, const group *g, const measurement *m)
{
    phase_rates rates;
    char label[256];
    scan_status status = result_csv_write(&r->result_csv, g, m, &rates, &r->error);
    if (status != SCAN_OK)
        return status;
    if (summary_table_add(r->table, m, &rates) != SCAN_OK)
        return errmsg_set(&r->error, SCAN_NO_MEMORY, "not enough memory for the table");
    plan_describe(m->configuration, r->session_set.sessions, label, sizeof label);
    count(r, m, label);
    return SCAN_OK;
}

static scan_status record_all(run *r, const group *g)
{
    scan_status status = result_csv_write_samples(&r->result_csv, g, &r->error);
    for (size_t i = 0; i < g->count && status == SCAN_OK; i++)
        if (!g->members[i].guest)
            status = record(r, g, &g->members[i].measurement);
    return status;
}

/* Is it in the file that is resumed? */
static bool is_kept(const run *r, const configuration *c)
{
    const measurement m = {.session = &r->session_set.sessions[c->session], .configuration = c};
    return r->resume && resume_has(r->resume, &m);
}

/* Takes a configuration into the group, or its times from the file that is resumed. */
static scan_status take(run *r, group *g, const configuration *c)
{
    const measurement m = {.session = &r->session_set.sessions[c->session], .configuration = c};
    r->group_weight += weight(c);
    if (!is_kept(r, c)) {
        group_add(g, c);
        return SCAN_OK;
    }
    r->kept++;
    if (resume_restore_times(r->resume, &m, &r->result_csv) != SCAN_OK)
        return errmsg_set(&r->error, SCAN_NO_MEMORY, "out of memory");
    return SCAN_OK;
}

/* The ceilings that an earlier group has measured, if there is anything to compare with them. */
static void invite(const run *r, const group_range *range, group *g)
{
    bool measured = false;
    for (size_t i = 0; i < g->count; i++)
        measured |= !g->members[i].over;
    for (size_t i = range->ceilings; measured && i < range->ceilings_end && i < range->first; i++) {
        const configuration c = plan_get(&r->plan, i);
        if (c.status == ROW_OK && !is_kept(r, &c))
            group_add(g, &c)->guest = true;
    }
}

static scan_status measure_members(run *r, group *g)
{
    const measuring_options *o = &r->o->measuring;
    double time_s = 0; /* of all: a ceiling's ways share that of one */
    for (size_t i = 0; i < g->count; i++)
        time_s += g->members[i].configuration.job.time_limit_s;
    const measure_options how = {
        .rule = {.min_samples = o->min_samples,
                 .max_samples = o->max_samples,
                 .time_limit_s = g->count ? time_s / (double)g->count : 1},
        .mem_limit = r->mem_limit > MEMORY_WORKER_BYTES ? r->mem_limit - MEMORY_WORKER_BYTES : 0,
        .tick = on_tick,
        .turn = on_turn,
        .context = r};
    scan_status status = measure_group(g, &how);
    if (status == SCAN_NO_MEMORY)
        return errmsg_set(&r->error, status, "out of memory");
    return status == SCAN_OK ? status : errmsg_set(&r->error, status, "%s", "");
}

/* One group from its configurations to their rows. SCAN_ERROR ends the run: it was interrupted
 * (`error` is "") or the output cannot be written. */
static scan_status measure(run *r, const group_range *range)
{
    group g;
    const size_t most = range->end - range->first + (range->ceilings_end - range->ceilings);
    scan_status status = group_begin(&g, r->session_set.sessions, most);
    if (status != SCAN_OK)
        return errmsg_set(&r->error, status, "out of memory");
    r->group_weight = r->group_done = 0;
    for (size_t i = range->first; i < range->end && status == SCAN_OK; i++) {
        const configuration c = plan_get(&r->plan, i);
        status = take(r, &g, &c);
    }
    invite(r, range, &g);
    if (status == SCAN_OK)
        status = measure_members(r, &g);
    if (status == SCAN_OK)
        status = record_all(r, &g);
    progress_add(&r->progress, r->group_weight - r->group_done);
    group_free(&g);
    return status;
}

static void print_counts(const run *r)
{
    fputs("scanbench: configurations:", stderr);
    const char *comma = "";
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (r->counts[i]) {
            fprintf(stderr, "%s %zu %s", comma, r->counts[i], row_status_word((row_status)i));
            comma = ",";
        }
    if (r->kept)
        fprintf(stderr, "%s %zu kept from before", comma, r->kept);
    fputc('\n', stderr);
}

static bool use_color(const options *o, int descriptor)
{
    if (strcmp(o->color, "always") == 0)
        return true;
    const char *no = getenv("NO_COLOR");
    return strcmp(o->color, "never") != 0 && !(no && *no) && isatty(descriptor);
}

static int finish(run *r, bool stopped)
{
    const options *o = r->o;
    bool to_stdout = !o->output.csv || strcmp(o->output.csv, "-") == 0;
    progress_clear(&r->progress);
    bool failed = result_csv_close(&r->result_csv, &r->error) != SCAN_OK;
    if (failed)
        fail(r, EXIT_USAGE);
    if (!o->quiet) {
        FILE *out = to_stdout ? stderr : stdout;
        summary_table_print(r->table, out, use_color(o, fileno(out)));
        unavailable_print(r->session_set.sessions, r->session_set.count, out);
        fflush(out);
        print_counts(r);
    }
    if (stopped) {
        fprintf(stderr, "scanbench: interrupted; finished rows are in %s%s\n",
                to_stdout ? "the output" : o->output.csv,
                to_stdout ? "" : ". The same command with --resume does the rest");
        return interrupt_status();
    }
    if (failed)
        return EXIT_USAGE;
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (r->counts[i] && row_status_is_failure((row_status)i))
            return (int)row_status_exit((row_status)i);
    return EXIT_GOOD;
}

static int measure_all(run *r)
{
    double total = 0;
    for (size_t i = 0; i < r->plan.count; i++) {
        const configuration c = plan_get(&r->plan, i);
        total += weight(&c);
    }
    progress_begin(&r->progress, !r->o->quiet, total);
    const bool alone = strcmp(r->o->measuring.order, "sequential") == 0;
    group_range range = {0};
    for (;;) {
        range = group_next(&r->plan, &range, alone);
        if (range.first == range.end)
            break;
        if (interrupt_requested())
            return finish(r, true);
        if (measure(r, &range) != SCAN_OK) {
            if (!*r->error.text)
                return finish(r, true);
            progress_clear(&r->progress);
            fail(r, EXIT_USAGE);
            finish(r, false);
            return EXIT_USAGE;
        }
    }
    return finish(r, false);
}

static int print_plan(const run *r)
{
    for (size_t i = 0; i < r->plan.count; i++) {
        const configuration c = plan_get(&r->plan, i);
        char text[256];
        plan_describe(&c, r->session_set.sessions, text, sizeof text);
        fputs(text, stdout);
        if (c.status != ROW_OK)
            printf("  # %s: %s", row_status_word(c.status), c.reason);
        putchar('\n');
    }
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_USAGE;
}

/* Checks that the baseline is a plugin that was found, selected or not. The default baseline may be
 * missing; speedups are then empty. */
static bool knows_baseline(run *r)
{
    const registry *c = &r->session_set.registry;
    const char *id = r->o->output.baseline;
    const char *names[256];
    size_t count = 0;
    if (strcmp(id, "cpu_serial") == 0 || registry_find(c, id))
        return true;
    for (size_t i = 0; i < c->count && count < sizeof names / sizeof *names; i++)
        names[count++] = c->plugins[i].id;
    char near[SUGGEST_BYTES];
    errmsg_set(&r->error, SCAN_INVALID, "--baseline: no plugin is called \"%s\"%s", id,
               suggest_text(id, names, count, near, sizeof near));
    return false;
}

/* Checks everything that can be wrong with the command before anything is measured. */
static int prepare(run *r)
{
    const options *o = r->o;
    session_config config;
    r->mem_limit = o->measuring.mem_limit ? o->measuring.mem_limit : memory_available() / 10 * 9;
    if (settings_parse(&o->grid, &r->settings, &r->error) != SCAN_OK ||
        session_options_read(&o->plugins, o->verbose, &config, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    r->machine = topology_load(&r->error);
    if (!r->machine)
        return fail(r, EXIT_USAGE);
    if (config.core >= (int)topology_cores(r->machine)) {
        errmsg_set(&r->error, SCAN_INVALID, "--pin %d: this machine has cores 0 to %u", config.core,
                   topology_cores(r->machine) - 1);
        return fail(r, EXIT_USAGE);
    }
    if (o->output.resume && (!o->output.csv || strcmp(o->output.csv, "-") == 0)) {
        errmsg_set(&r->error, SCAN_INVALID, "--resume needs --csv FILE, the file to go on with");
        return fail(r, EXIT_USAGE);
    }
    scan_status status = session_set_open(&config, &r->session_set, &r->error);
    if (status != SCAN_OK && interrupt_requested())
        return interrupt_status();
    if (status != SCAN_OK)
        return fail(r, EXIT_USAGE);
    if (!knows_baseline(r))
        return fail(r, EXIT_USAGE);
    if (!session_set_has(&r->session_set, o->plugins.require, &r->error))
        return fail(r, EXIT_MISSING);
    if (plan_make(&o->measuring, &r->settings, &r->session_set, r->mem_limit, &r->plan,
                  &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    if (o->dry_run)
        return EXIT_GOOD;
    if (o->output.resume && resume_read(o->output.csv, &r->resume, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    const size_t keep = r->resume ? resume_keep(r->resume) : 0;
    if (result_csv_open(&o->output, keep, &r->result_csv, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    r->table = summary_table_new(strcmp(o->measuring.order, "sequential") != 0);
    if (!r->table) {
        errmsg_set(&r->error, SCAN_INVALID, "out of memory");
        return fail(r, EXIT_USAGE);
    }
    return EXIT_GOOD;
}

int run_main(const options *o, char *const *argv)
{
    run r = {.o = o};
    interrupt_catch();
    int status = prepare(&r);
    if (status == EXIT_GOOD && o->dry_run)
        status = print_plan(&r);
    else if (status == EXIT_GOOD && metadata_write(o->output.csv, &r.result_csv, &r.session_set,
                                                   r.machine, argv, &r.error) != SCAN_OK)
        status = fail(&r, EXIT_USAGE);
    else if (status == EXIT_GOOD)
        status = measure_all(&r);
    if (r.result_csv.rows)
        result_csv_close(&r.result_csv, &r.error);
    session_set_close(&r.session_set);
    plan_free(&r.plan);
    resume_free(r.resume);
    summary_table_free(r.table);
    topology_free(r.machine);
    settings_free(&r.settings);
    return status;
}
