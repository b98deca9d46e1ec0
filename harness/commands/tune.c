#include "commands/verbs.h"

#include "commands/command_files.h"
#include "commands/race_report.h"
#include "commands/run_progress.h"
#include "commands/study.h"
#include "output/fit.h"
#include "output/kept_rows.h"
#include "output/metadata.h"
#include "output/output_files.h"
#include "supervisor/interrupt.h"
#include "system/terminal.h"

#include <stdlib.h>
#include <string.h>

typedef struct tuning {
    const options *o;
    study study;
    result_csv csv; /* open if --csv or --json is given */
    bool has_csv;
    bool begun; /* all files were */
    metadata metadata;
    warnings warnings;
    run_progress progress;
    output_files files;
    rescue rescue;
    FILE *out;  /* for people */
    int status; /* exit status so far */
    errmsg error;
} tuning;

static int fail(const tuning *t, int status)
{
    if (*t->error.text)
        fprintf(stderr, "scanbench: %s\n", t->error.text);
    return status;
}

/* A setting that does not fit the device is no row: nobody named it. */
static bool was_measured(const group_entry *m)
{
    return m->role == MEMBER_OWN && m->measurement.result.status != ROW_UNSUPPORTED;
}

static scan_status write_rows(tuning *t, const group *g, errmsg *error)
{
    rescue_look(&t->rescue, &t->csv, &t->metadata);
    scan_status status = result_csv_begin_group(&t->csv, g, error);
    for (size_t i = 0; i < g->count && status == SCAN_OK; i++) {
        measured_row written;
        if (was_measured(&g->members[i]))
            status = result_csv_write(&t->csv, g, &g->members[i].measurement, &written, error);
    }
    if (status == SCAN_OK)
        status = result_csv_sync(&t->csv, error);
    rescue_look(&t->rescue, &t->csv, &t->metadata);
    return status == SCAN_OK ? rescue_report(&t->rescue, error) : status;
}

static scan_status on_done(void *context, const group *g, errmsg *error)
{
    tuning *t = context;
    progress_clear(&t->progress.bar);
    for (size_t i = 0; i < g->count; i++) {
        const measurement *m = &g->members[i].measurement;
        char label[256], reason[FAULT_SENTENCE_BYTES];
        if (was_measured(&g->members[i]))
            warnings_add(&t->warnings, m);
        if (!row_status_is_failure(m->result.status) || g->members[i].role != MEMBER_OWN)
            continue;
        plan_describe(m->configuration, t->study.session_set.sessions, label, sizeof label);
        fprintf(stderr, "scanbench: %s: %s: %s\n", label, row_status_word(m->result.status),
                fault_text(&m->result.fault, reason, sizeof reason));
        t->status = EXIT_WRONG;
    }
    race_report_print(g, terminal_width(fileno(t->out), FIT_PIPE), t->out);
    return t->has_csv ? write_rows(t, g, error) : SCAN_OK;
}

static int measure(tuning *t)
{
    sweep_options how = study_sweep_options(&t->study, t->o);
    const sweep_listener listener = {
        .done = on_done, .context = t, .watcher = run_progress_watcher(&t->progress)};
    how.race = true;
    how.alone = false;
    forecast_add_plan(&t->progress.forecast, &t->study.plan, &how, &listener);
    run_progress_start(&t->progress, !t->o->quiet);
    scan_status status =
        sweep_measure(&t->study.plan, t->study.session_set.sessions, &how, &listener, &t->error);
    progress_clear(&t->progress.bar);
    if (t->has_csv) {
        errmsg error;
        rescue_look(&t->rescue, &t->csv, &t->metadata);
        if (rescue_report(&t->rescue, &error) != SCAN_OK) {
            status = SCAN_ERROR;
            t->error = error;
        }
        t->has_csv = false;
        if (result_csv_close(&t->csv, &error) != SCAN_OK && status == SCAN_OK) {
            t->error = error;
            return fail(t, EXIT_USAGE);
        }
    }
    if (metadata_finish(&t->metadata, &t->warnings, &t->error) != SCAN_OK)
        return fail(t, EXIT_USAGE);
    if (!t->o->quiet)
        warnings_print(&t->warnings, stderr);
    if (status != SCAN_OK)
        return *t->error.text ? fail(t, EXIT_USAGE) : interrupt_status();
    fflush(t->out); /* main asks whether stdout could be written */
    return t->status;
}

/* Opens everything, so that a mistake is told before anything is measured. */
static int prepare(tuning *t, const options *o, char *const *argv)
{
    if (command_files_check(o, &t->error) != SCAN_OK)
        return fail(t, EXIT_USAGE);
    const int status = study_open(o, &t->study, &t->error);
    if (status != EXIT_GOOD)
        return fail(t, status);
    const output_options *to = &o->output;
    const bool on_stdout =
        (to->csv && strcmp(to->csv, "-") == 0) || (to->json && strcmp(to->json, "-") == 0);
    t->out = on_stdout ? stderr : stdout;
    if (!to->csv && !to->json)
        return EXIT_GOOD;
    if (output_files_lock(&o->output, &t->files, &t->error) != SCAN_OK ||
        earlier_rows_keep(&o->output, NULL, false, &t->files, &t->error) != SCAN_OK ||
        result_csv_open(&o->output, 0, &t->csv, &t->error) != SCAN_OK)
        return fail(t, EXIT_USAGE);
    t->has_csv = t->begun = true;
    const metadata_facts facts = {.results = &t->csv,
                                  .set = &t->study.session_set,
                                  .machine = t->study.machine,
                                  .argv = argv};
    return metadata_write(o->output.csv, &facts, &t->metadata, &t->error) == SCAN_OK &&
                   metadata_write_samples(o->output.samples, &t->error) == SCAN_OK
               ? EXIT_GOOD
               : fail(t, EXIT_USAGE);
}

int tune_main(const options *o, char *const *argv)
{
    tuning t = {.o = o, .status = EXIT_GOOD, .files = {-1, -1, -1, false, false, false}};
    options named = *o;
    char *list = session_options_list(o);
    if (o->argument_count == 0 || !list) {
        fprintf(stderr, "scanbench: tune needs the plugins whose settings it tries, as\n"
                        "    scanbench tune modern_gpu_vt --sizes 1e8\n");
        free(list);
        return EXIT_USAGE;
    }
    named.plugins.list = list;
    interrupt_catch();
    int status = prepare(&t, &named, argv);
    if (status == EXIT_GOOD)
        status = measure(&t);
    errmsg ignored;
    if (t.has_csv)
        result_csv_close(&t.csv, &ignored);
    if (t.begun)
        output_files_release(&t.files);
    output_files_abandon(&o->output, &t.files);
    metadata_free(&t.metadata);
    study_close(&t.study);
    free(list);
    return status;
}
