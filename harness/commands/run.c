#include "commands/verbs.h"

#include "commands/command_files.h"
#include "commands/package.h"
#include "commands/progress.h"
#include "commands/run_resume.h"
#include "commands/study.h"
#include "output/columns.h"
#include "output/file_kind.h"
#include "output/kept_rows.h"
#include "output/metadata.h"
#include "output/resume.h"
#include "output/summary_table.h"
#include "output/warnings.h"
#include "supervisor/interrupt.h"
#include "system/nvtx.h"
#include "system/terminal.h"
#include "text/fit.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void run_print_columns(FILE *out)
{
    columns_print_markdown(out);
}

/* A run in progress. */
typedef struct run {
    const options *o;
    study study;
    result_csv result_csv;
    metadata metadata;
    warnings warnings;
    summary_table *table;
    resume *resume;    /* or NULL */
    char *before;      /* the metadata of the file that is resumed, or NULL */
    output_options to; /* where rows go: those of the command line, or /dev/null */
    rescue rescue;
    run_progress progress;
    bool table_only;                 /* stdout is a terminal, and nobody asked for CSV */
    size_t counts[ROW_STATUS_COUNT]; /* of configurations */
    size_t kept[ROW_STATUS_COUNT];   /* of those from an earlier run, with --resume */
    errmsg error;
} run;

static int fail(const run *r, int status)
{
    fprintf(stderr, "scanbench: %s\n", r->error.text);
    return status;
}

/* Writes the rows of one configuration and adds them to the table. */
static scan_status record(run *r, const group *g, const measurement *m, errmsg *error)
{
    measured_row written;
    char label[256];
    scan_status status = result_csv_write(&r->result_csv, g, m, &written, error);
    if (status != SCAN_OK)
        return status;
    if (summary_table_add(r->table, &written) != SCAN_OK)
        return errmsg_set(error, SCAN_NO_MEMORY, "not enough memory for the table");
    warnings_add(&r->warnings, m);
    plan_describe(m->configuration, r->study.session_set.sessions, label, sizeof label);
    r->counts[m->result.status]++;
    if (row_status_is_failure(m->result.status))
        progress_clear(&r->progress.bar);
    study_print_failure(label, m->result.status, &m->result.fault);
    return SCAN_OK;
}

/* A calibrator has no configuration of its own, but its failure counts like that of one. */
static void tell_of_calibrators(run *r, const group *g)
{
    for (size_t i = g->count - g->calibrators; i < g->count; i++) {
        const measurement *m = &g->members[i].measurement;
        if (!row_status_is_failure(m->result.status))
            continue;
        r->counts[m->result.status]++;
        progress_clear(&r->progress.bar);
        study_print_failure(m->session->plugin->id, m->result.status, &m->result.fault);
    }
}

/* Writes the rows of a finished group. */
static scan_status on_done(void *context, const group *g, errmsg *error)
{
    run *r = context;
    rescue_look(&r->rescue, &r->result_csv, &r->metadata);
    scan_status status = result_csv_begin_group(&r->result_csv, g, error);
    tell_of_calibrators(r, g);
    for (size_t i = 0; i < g->count && status == SCAN_OK; i++)
        if (g->members[i].role == MEMBER_OWN)
            status = record(r, g, &g->members[i].measurement, error);
    if (status == SCAN_OK)
        status = result_csv_sync(&r->result_csv, error);
    rescue_look(&r->rescue, &r->result_csv, &r->metadata);
    return status == SCAN_OK ? rescue_report(&r->rescue, error) : status;
}

/* Is it in the file that is resumed? */
static bool on_has(void *context, const measurement *m)
{
    const run *r = context;
    return r->resume && resume_has(r->resume, m);
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
        r->kept[resume_status(r->resume, &m)]++;
        if (resume_restore_times(r->resume, &m, r->result_csv.references) != SCAN_OK)
            return errmsg_set(&r->error, SCAN_NO_MEMORY, "out of memory");
    }
    return SCAN_OK;
}

/* How many configurations have each status, up to the end of the line. Returns what stands between
 * them and more. */
static const char *print_statuses(const size_t counts[ROW_STATUS_COUNT])
{
    const char *comma = "";
    fputs("scanbench: configurations:", stderr);
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (counts[i]) {
            fprintf(stderr, "%s %zu %s", comma, counts[i], row_status_word((row_status)i));
            comma = ",";
        }
    return comma;
}

static bool has_finished(const run *r)
{
    size_t count = 0;
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        count += r->counts[i] + r->kept[i];
    return count > 0;
}

static void print_counts(const run *r)
{
    const char *comma = print_statuses(r->counts);
    size_t kept = 0, failed = 0;
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++) {
        kept += r->kept[i];
        failed += row_status_is_failure((row_status)i) ? r->kept[i] : 0;
    }
    if (kept)
        fprintf(stderr, "%s %zu kept from before", comma, kept);
    const size_t skipped = r->kept[ROW_SKIPPED];
    if (failed)
        fprintf(stderr, " (%zu failed", failed);
    if (skipped)
        fprintf(stderr, "%s%zu skipped", failed ? ", " : " (", skipped);
    if (failed || skipped)
        fputs("; --retry measures them again)", stderr);
    fputc('\n', stderr);
}

/* The exit status, of what became of the configurations. */
static int exit_of(const run *r)
{
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (r->counts[i] + r->kept[i] && row_status_is_failure((row_status)i))
            return (int)row_status_exit((row_status)i);
    return EXIT_GOOD;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Do rows go to stdout? They do if nobody says where else. */
static bool rows_on_stdout(const run *r)
{
    const output_options *o = &r->o->output;
    return is_stdout(o->csv) || is_stdout(o->json) || (!o->csv && !o->json && !r->table_only);
}

/* After "interrupted" or the like: where the finished rows are, and how to go on. */
static void print_rest(const run *r, const char *ended)
{
    const output_options *o = &r->o->output;
    const bool resumes = o->csv && !is_stdout(o->csv);
    const char *json = is_stdout(o->json) ? NULL : o->json;
    const char *where = resumes ? o->csv : r->table_only ? "the table" : json ? json : "the output";
    fprintf(stderr, "scanbench: %s; ", ended);
    if (has_finished(r)) {
        fputs("finished rows are in ", stderr);
        utf8_put(stderr, where);
    } else {
        fputs("no configuration is finished", stderr);
    }
    fputs(resumes ? ". The same command with --resume does the rest\n" : "\n", stderr);
}

/* complete: nothing is left to measure; else `stopped` says whether somebody interrupted it. */
static int finish(run *r, bool complete, bool stopped)
{
    const options *o = r->o;
    progress_clear(&r->progress.bar);
    rescue_look(&r->rescue, &r->result_csv, &r->metadata);
    bool failed = r->rescue.happened;
    if (rescue_report(&r->rescue, &r->error) != SCAN_OK)
        fail(r, EXIT_USAGE);
    const metadata_end end = {&r->warnings, complete && !failed, result_csv_bytes(&r->result_csv)};
    if (metadata_finish(&r->metadata, &end, &r->error) != SCAN_OK) {
        failed = true;
        fail(r, EXIT_USAGE);
    }
    if (result_csv_close(&r->result_csv, &r->error) != SCAN_OK) {
        failed = true;
        fail(r, EXIT_USAGE);
    }
    if (!o->quiet) {
        FILE *out = rows_on_stdout(r) ? stderr : stdout;
        const size_t columns = terminal_width(fileno(out), FIT_PAGE);
        summary_table_print(r->table, out, columns, terminal_has_color(o->color, fileno(out)));
        unavailable_print(r->study.session_set.sessions, r->study.session_set.count, columns, out);
        fflush(out);
        warnings_print(&r->warnings, stderr);
        if (has_finished(r))
            print_counts(r);
    }
    if (failed)
        return EXIT_USAGE;
    if (stopped) {
        print_rest(r, "interrupted");
        return interrupt_status();
    }
    return exit_of(r);
}

static sweep_listener listener_of(run *r)
{
    return (sweep_listener){.has = on_has,
                            .done = on_done,
                            .context = r,
                            .watcher = run_progress_watcher(&r->progress)};
}

static int measure_all(run *r)
{
    const sweep_options how = study_sweep_options(&r->study, r->o);
    const sweep_listener listener = listener_of(r);
    scan_status status = restore(r);
    run_progress_start(&r->progress, !r->o->quiet);
    if (status == SCAN_OK)
        status = sweep_measure(&r->study.plan, r->study.session_set.sessions, &how, &listener,
                               &r->error);
    const bool stopped = status != SCAN_OK && !*r->error.text;
    if (status == SCAN_OK || stopped)
        return finish(r, !stopped, stopped);
    progress_clear(&r->progress.bar);
    fail(r, EXIT_USAGE);
    finish(r, false, false);
    if (has_finished(r) && !r->rescue.happened)
        print_rest(r, "ended early");
    return EXIT_USAGE;
}

/* ---- --profile: each configuration once, for a profiler around the program ---- */

/* What is asked for and not done. */
static void warn_of_profile(const options *o)
{
    if (!nvtx_is_built_in())
        fputs("scanbench: --profile: built without NVTX, so there are no ranges\n", stderr);
    if (o->output.csv || o->output.samples)
        fputs("scanbench: --profile measures nothing, so no file is written\n", stderr);
}

/* Runs one that the plan does not rule out. false when interrupted. */
static bool profile_one(run *r, configuration *c, job_result *result_p)
{
    const session_listener nobody = {.phase = NULL};
    session *one = &r->study.session_set.sessions[c->session];
    c->job.mode = JOB_PROFILE;
    return !interrupt_requested() && session_run_job(one, &c->job, &nobody, result_p);
}

/* Runs the plan of an open study: each configuration is compared as for measuring, and has one run
 * that warms up and one in a range named after it. No time is taken and no file written. The exit
 * status; failures go to stderr. */
static int profile_all(run *r)
{
    warn_of_profile(r->o);
    for (size_t i = 0; i < r->study.plan.count; i++) {
        configuration c = plan_get(&r->study.plan, i);
        job_result result = {.status = c.status};
        plan_describe(&c, r->study.session_set.sessions, c.job.label, sizeof c.job.label);
        if (c.status == ROW_OK && !profile_one(r, &c, &result))
            return interrupt_status();
        if (c.status != ROW_OK)
            result.fault = fault_with_text(FAULT_IN_WORDS, c.reason);
        r->counts[result.status]++;
        study_print_failure(c.job.label, result.status, &result.fault);
    }
    if (!r->o->quiet) {
        print_statuses(r->counts);
        fputc('\n', stderr);
    }
    return exit_of(r);
}

/* ---- the page that is made of the rows at the end ---- */

/* Are there a file that the page can be made of, one that it can be written to, and, if this run
 * will measure, what makes it? */
static scan_status check_page(const options *o, errmsg *error)
{
    const output_options *to = &o->output;
    errmsg why;
    if (!to->page)
        return SCAN_OK;
    if (!to->csv || is_stdout(to->csv))
        return errmsg_set(error, SCAN_INVALID, "--page needs --csv FILE, the file it is made of");
    if (is_stdout(to->page))
        return errmsg_set(error, SCAN_INVALID,
                          "--page -: write it with scanbench report %s --html -", to->csv);
    if (o->dry_run || o->profile || package_check(&why) == SCAN_OK)
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID, "--page: %s; or leave it out, and make the page later",
                      why.text);
}

/* The run took its time: somebody else may have put another file there since it was checked. */
static scan_status check_again(const char *page, const char *csv, errmsg *error)
{
    struct stat about;
    if (stat(page, &about) != 0 || !S_ISREG(about.st_mode))
        return SCAN_OK;
    const file_kind kind = file_kind_read(page);
    if (kind == FILE_KIND_PAGE || kind == FILE_KIND_EMPTY)
        return SCAN_OK;
    return errmsg_set(error, SCAN_ERROR,
                      "%s became %s during the run; scanbench report %s --html FILE writes the "
                      "page elsewhere",
                      page, file_kind_words(kind), csv);
}

/* Makes the page of a run that has ended with `status`, and says how to open it. Returns that, or
 * EXIT_USAGE if the run was good and the page could not be written. */
static int write_page(const options *o, const char *csv, int status)
{
    errmsg error;
    const char *page = o->output.page;
    if (!page)
        return status;
    if (check_again(page, csv, &error) == SCAN_OK &&
        package_write_page(csv, page, &error) == SCAN_OK) {
        if (!o->quiet)
            fprintf(stderr,
                    "scanbench: %s shows the results: open it in a browser, here or elsewhere; it "
                    "needs no other file and no network\n",
                    page);
        return status;
    }
    fprintf(stderr, "scanbench: no page: %s\n", error.text);
    return status == EXIT_GOOD ? EXIT_USAGE : status;
}

/* Measures, and makes the page of what was measured, wherever that is. */
static int measure_and_show(run *r)
{
    const int status = measure_all(r);
    return write_page(r->o, *r->rescue.csv ? r->rescue.csv : r->o->output.csv, status);
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
    fflush(stdout); /* main asks whether it could be written */
    run_progress_print(&r->progress, stderr);
    return EXIT_GOOD;
}

/* Begins what the run writes. */
static int begin_outputs(run *r)
{
    result_csv *csv = &r->result_csv;
    scan_status status = SCAN_OK;
    size_t keep = 0;
    if (!r->to.overwrite)
        status = earlier_rows_keep(csv, r->resume, true, &r->error);
    if (status == SCAN_OK && r->resume)
        status = resume_apply(r->resume, csv, &keep, &r->error);
    if (status == SCAN_OK)
        status = result_csv_begin(csv, &r->to, keep, &r->error);
    if (status == SCAN_OK && r->resume && r->to.json)
        status = resume_put_rows(r->resume, &csv->json, &r->error);
    if (status != SCAN_OK)
        return fail(r, EXIT_USAGE);
    r->table = summary_table_new();
    if (r->table)
        return EXIT_GOOD;
    errmsg_set(&r->error, SCAN_NO_MEMORY, "out of memory");
    return fail(r, EXIT_USAGE);
}

/* Forecasts what is not in the file that is resumed. */
static void prepare_progress(run *r)
{
    const sweep_options how = study_sweep_options(&r->study, r->o);
    const sweep_listener listener = listener_of(r);
    forecast_add_plan(&r->progress.forecast, &r->study.plan, &how, &listener);
}

/* Opens the files and reads what the one to resume holds. Changes nothing in them. */
static scan_status claim_files(run *r)
{
    const output_options *o = &r->o->output;
    scan_status status = o->page ? whole_file_check(o->page, &r->error) : SCAN_OK;
    r->to = *o;
    r->table_only = !o->csv && !o->json && !r->o->quiet && isatty(STDOUT_FILENO);
    if (r->table_only)
        r->to.csv = "/dev/null";
    if (status == SCAN_OK)
        status = result_csv_open(&r->to, &r->result_csv, &r->error);
    return status == SCAN_OK && o->resume
               ? run_resume_read(r->o, &r->study, &r->resume, &r->before, &r->error)
               : status;
}

/* Checks everything that can be wrong with the command before anything is measured. */
static int prepare(run *r)
{
    const options *o = r->o;
    if (run_resume_check(&o->output, &r->error) != SCAN_OK || check_page(o, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    if (!o->dry_run && !o->profile && command_files_check(o, &r->error) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    const int status = study_open(o, &r->study, &r->error);
    if (status != EXIT_GOOD)
        return *r->error.text ? fail(r, status) : status;
    if (o->profile && !o->dry_run)
        return EXIT_GOOD;
    if (!o->dry_run && claim_files(r) != SCAN_OK)
        return fail(r, EXIT_USAGE);
    prepare_progress(r);
    return o->dry_run ? EXIT_GOOD : begin_outputs(r);
}

int run_main(const options *o, char *const *argv)
{
    run *r = calloc(1, sizeof *r); /* the stack may be small (ulimit -s) */
    if (!r) {
        fputs("scanbench: out of memory\n", stderr);
        return EXIT_USAGE;
    }
    r->o = o;
    r->rescue.resumes = true;
    interrupt_catch();
    int status = prepare(r);
    const metadata_facts facts = {.results = &r->result_csv,
                                  .set = &r->study.session_set,
                                  .machine = r->study.machine,
                                  .argv = argv,
                                  .resume = r->resume,
                                  .before = r->before};
    if (status == EXIT_GOOD && o->dry_run)
        status = print_plan(r);
    else if (status == EXIT_GOOD && o->profile)
        status = profile_all(r);
    else if (status == EXIT_GOOD &&
             metadata_write(&o->output, &facts, &r->metadata, &r->error) != SCAN_OK)
        status = fail(r, EXIT_USAGE);
    else if (status == EXIT_GOOD)
        status = measure_and_show(r);
    if (r->result_csv.references)
        result_csv_close(&r->result_csv, &r->error);
    study_close(&r->study);
    resume_free(r->resume);
    free(r->before);
    metadata_free(&r->metadata);
    summary_table_free(r->table);
    free(r);
    return status;
}
