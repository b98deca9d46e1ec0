#include "commands/run.h"

#include "commands/study.h"
#include "output/metadata.h"
#include "output/progress.h"
#include "output/resume.h"
#include "output/summary_table.h"
#include "supervisor/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run in progress. */
typedef struct run {
    const options *o;
    study study;
    result_csv result_csv;
    metadata metadata;
    warnings warnings;
    summary_table *table;
    resume *resume; /* or NULL */
    progress progress;
    double group_weight;             /* in the progress bar, of the group being measured */
    double group_done;               /* of that */
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
    plan_describe(&m->configuration, r->study.session_set.sessions, label, sizeof label);
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
static scan_status record(run *r, const group *g, const measurement *m, errmsg *error)
{
    phase_rates rates;
    char label[256];
    scan_status status = result_csv_write(&r->result_csv, g, m, &rates, error);
    if (status != SCAN_OK)
        return status;
    if (summary_table_add(r->table, m, &rates) != SCAN_OK)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory for the table");
    warnings_add(&r->warnings, m);
    plan_describe(m->configuration, r->study.session_set.sessions, label, sizeof label);
    count(r, m, label);
    return SCAN_OK;
}

/* Writes the rows of a finished group. */
static scan_status on_done(void *context, const group *g, errmsg *error)
{
    run *r = context;
    scan_status status = result_csv_write_samples(&r->result_csv, g, error);
    for (size_t i = 0; i < g->count && status == SCAN_OK; i++)
        if (!g->members[i].guest)
            status = record(r, g, &g->members[i].measurement, error);
    progress_add(&r->progress, r->group_weight - r->group_done);
    return status;
}

/* Is it in the file that is resumed? */
static bool on_has(void *context, const measurement *m)
{
    const run *r = context;
    return r->resume && resume_has(r->resume, m);
}

static void on_begin(void *context, const group_range *range)
{
    run *r = context;
    r->group_weight = r->group_done = 0;
    for (size_t i = range->first; i < range->end; i++) {
        const configuration c = plan_get(&r->study.plan, i);
        r->group_weight += weight(&c);
    }
}

/* Takes the times of what is in the file that is resumed from there. */
static scan_status restore(run *r)
{
    for (size_t i = 0; r->resume && i < r->study.plan.count; i++) {
        const configuration c = plan_get(&r->study.plan, i);
        const measurement m = {.session = &r->study.session_set.sessions[c.session],
                               .configuration = &c};
        if (!resume_has(r->resume, &m))
            continue;
        r->kept++;
        if (resume_restore_times(r->resume, &m, &r->result_csv) != SCAN_OK)
            return errmsg_set(&r->error, SCAN_NO_MEMORY, "out of memory");
    }
    return SCAN_OK;
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

/* Prints each unavailable plugin once, with its reason. */
static void print_unavailable(const run *r)
{
    for (size_t i = 0; i < r->study.session_set.count; i++) {
        const session *s = &r->study.session_set.sessions[i];
        if (s->status == ROW_UNAVAILABLE)
            fprintf(stderr, "scanbench: %s is unavailable: %s\n", s->plugin->id, s->reason);
    }
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
    if (metadata_finish(&r->metadata, &r->warnings, &r->error) != SCAN_OK) {
        failed = true;
        fail(r, EXIT_USAGE);
    }
    if (!o->quiet) {
        summary_table_print(r->table, to_stdout ? stderr : stdout,
                            use_color(o, to_stdout ? STDERR_FILENO : STDOUT_FILENO));
        fflush(stdout);
        print_unavailable(r);
        warnings_print(&r->warnings, stderr);
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
    for (size_t i = 0; i < r->study.plan.count; i++) {
        const configuration c = plan_get(&r->study.plan, i);
        total += weight(&c);
    }
    progress_begin(&r->progress, !r->o->quiet, total);
    const sweep_options how = study_sweep_options(&r->study, r->o);
    const sweep_listener listener = {.has = on_has,
                                     .begin = on_begin,
                                     .turn = on_turn,
                                     .tick = on_tick,
                                     .done = on_done,
                                     .context = r};
    scan_status status = restore(r);
    if (status == SCAN_OK)
        status = sweep_measure(&r->study.plan, r->study.session_set.sessions, &how, &listener,
                               &r->error);
    const bool stopped = status != SCAN_OK && !*r->error.text;
    if (status == SCAN_OK || stopped)
        return finish(r, stopped);
    progress_clear(&r->progress);
    fail(r, EXIT_USAGE);
    finish(r, false);
    return EXIT_USAGE;
}

static int print_plan(const run *r)
{
    for (size_t i = 0; i < r->study.plan.count; i++) {
        const configuration c = plan_get(&r->study.plan, i);
        char text[256];
        plan_describe(&c, r->study.session_set.sessions, text, sizeof text);
        fputs(text, stdout);
        if (c.status != ROW_OK)
            printf("  # %s: %s", row_status_word(c.status), c.reason);
        putchar('\n');
    }
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_USAGE;
}

/* Checks everything that can be wrong with the command before anything is measured. */
static int prepare(run *r)
{
    const options *o = r->o;
    if (o->output.resume && (!o->output.csv || strcmp(o->output.csv, "-") == 0)) {
        errmsg_set(&r->error, SCAN_INVALID, "--resume needs --csv FILE, the file to go on with");
        return fail(r, EXIT_USAGE);
    }
    const int status = study_open(o, &r->study, &r->error);
    if (status != EXIT_GOOD)
        return *r->error.text ? fail(r, status) : status;
    if (o->dry_run)
        return EXIT_GOOD;
    if (o->output.resume && resume_read(o->output.csv, &r->resume, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    const size_t keep = r->resume ? resume_keep(r->resume) : 0;
    if (result_csv_open(&o->output, keep, &r->result_csv, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    r->table = summary_table_new();
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
    const metadata_facts facts = {&r.result_csv, &r.study.session_set, r.study.machine, argv};
    if (status == EXIT_GOOD && o->dry_run)
        status = print_plan(&r);
    else if (status == EXIT_GOOD &&
             metadata_write(o->output.csv, &facts, &r.metadata, &r.error) != SCAN_OK)
        status = fail(&r, EXIT_USAGE);
    else if (status == EXIT_GOOD)
        status = measure_all(&r);
    if (r.result_csv.rows)
        result_csv_close(&r.result_csv, &r.error);
    study_close(&r.study);
    resume_free(r.resume);
    metadata_free(&r.metadata);
    summary_table_free(r.table);
    return status;
}
