#include "commands/verbs.h"

#include "commands/command_files.h"
#include "commands/progress.h"
#include "commands/study.h"
#include "output/kept_rows.h"
#include "output/metadata.h"
#include "problem/names.h"
#include "supervisor/interrupt.h"
#include "sweep/group.h"
#include "system/terminal.h"
#include "text/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is printed of a race ---- */

/* A label has LABEL columns behind INDENT, a setting SETTING, and what is said of it OTHERS. */
enum {
    SETTING_BYTES = 256,
    TIES_SHOWN = 8,
    INDENT = 2,
    NEXT_INDENT = 4,
    LABEL = 9,
    SETTING = 36,
    OTHERS = 31
};

/* Where it is printed. */
typedef struct race_page {
    FILE *out;
    size_t columns;
} race_page;

/* A setting and what is said of it. One that has no room in the line has lines of its own below it:
 * it is to be read in full. */
static void put_setting(const race_page *p, const char *label, const char *values, const char *said)
{
    const size_t used = INDENT + LABEL + 1, wide = fit_width(values);
    if (p->columns >= used + (wide > SETTING ? wide : SETTING) + 1 + OTHERS) {
        fprintf(p->out, "  %-*s %-*s %s\n", LABEL, label, SETTING, values, said);
        return;
    }
    fprintf(p->out, "  %-*s ", LABEL, label);
    fit_print_behind(used, said + strspn(said, " "), used, p->columns, p->out);
    fit_print(values, used, used, p->columns, p->out);
}

/* "block=256 vt=16" */
static const char *setting_of(const group_entry *m, char text[SETTING_BYTES])
{
    const plugin_info *p = m->measurement.session->plugin;
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < m->configuration.job.tunable_count && used < SETTING_BYTES; i++)
        used +=
            (size_t)snprintf(text + used, SETTING_BYTES - used, "%s%s=%" PRId64, used ? " " : "",
                             p->tunables[i].name, m->configuration.job.tunables[i]);
    return text;
}

static bool is_default(const group_entry *m)
{
    const plugin_info *p = m->measurement.session->plugin;
    for (uint32_t i = 0; i < m->configuration.job.tunable_count; i++)
        if (m->configuration.job.tunables[i] != p->tunables[i].default_value)
            return false;
    return true;
}

static void print_time(double ns, char *text, size_t size)
{
    const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
    const double of = ns < 1e3 ? 1 : ns < 1e6 ? 1e3 : ns < 1e9 ? 1e6 : 1e9;
    snprintf(text, size, "%.4g %s", ns / of, unit);
}

/* A setting beside the best. */
static void print_beside(const race_page *p, const char *label, const group_entry *m,
                         const stats_rounds *ratio)
{
    char text[SETTING_BYTES], said[96];
    const int used = snprintf(said, sizeof said, "%+6.1f %%", 100 * (ratio->median - 1));
    if (ratio->has_ci)
        snprintf(said + used, sizeof said - (size_t)used, "  (%+.1f to %+.1f)",
                 100 * (ratio->lo - 1), 100 * (ratio->hi - 1));
    put_setting(p, label, setting_of(m, text), said);
}

/* What became of the settings of one session. */
typedef struct outcome {
    size_t tried, refused, failed, slower, undecided;
    const group_entry *ties[TIES_SHOWN];
    stats_rounds tie_ratios[TIES_SHOWN];
    size_t tied;
    const group_entry *own; /* the plugin's own setting, or NULL */
} outcome;

static void add_tie(outcome *o, const group_entry *m, const stats_rounds *ratio)
{
    if (o->tied < TIES_SHOWN) {
        o->ties[o->tied] = m;
        o->tie_ratios[o->tied] = *ratio;
    }
    o->tied++;
}

static outcome outcome_of(const group *g, const group_entry *best)
{
    outcome o = {0};
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *m = &g->members[i];
        const row_status status = m->measurement.result.status;
        if (m->configuration.session != best->configuration.session || m->role != MEMBER_OWN)
            continue;
        o.tried++;
        o.refused += status == ROW_UNSUPPORTED || status == ROW_SKIPPED;
        o.failed += row_status_is_failure(status);
        if (is_default(m))
            o.own = m;
        if (status != ROW_OK || m == best)
            continue;
        const stats_rounds ratio = race_ratio(m, best);
        const stats_order order =
            m->state == MEMBER_DROPPED ? STATS_SLOWER : stats_rounds_order(&ratio);
        if (order == STATS_TIED)
            add_tie(&o, m, &ratio);
        o.slower += order == STATS_SLOWER;
        o.undecided += order == STATS_UNKNOWN || order == STATS_FASTER;
    }
    return o;
}

static void print_head(const race_page *p, const group_entry *best)
{
    const session *s = best->measurement.session;
    const job *j = &best->configuration.job;
    const bool copies = measurement_is_ceiling(&best->measurement);
    char text[512], scan[JOB_SCAN_BYTES], shape[JOB_SHAPE_BYTES];
    snprintf(text, sizeof text, "%s on %s: %s, n = %" PRIu64 "%s", s->plugin->id, s->device.name,
             job_scan_text(j, copies, scan), j->n,
             job_shape_text(j, ", rows = ", ", inner = ", shape));
    fit_print(text, 0, INDENT, p->columns, p->out);
}

static void print_own(const race_page *p, const outcome *o, const group_entry *best)
{
    if (!o->own || o->own == best || o->own->measurement.result.status != ROW_OK)
        return;
    const stats_rounds ratio = race_ratio(o->own, best);
    if (ratio.n > 0)
        print_beside(p, "default", o->own, &ratio);
}

static void print_counts(const race_page *p, const outcome *o)
{
    char undecided[80] = "", refused[40] = "", failed[40] = "", text[320];
    if (o->undecided)
        snprintf(undecided, sizeof undecided, ", %zu measured too rarely to tell (--time-limit)",
                 o->undecided);
    if (o->refused)
        snprintf(refused, sizeof refused, ", %zu refused", o->refused);
    if (o->failed)
        snprintf(failed, sizeof failed, ", %zu failed", o->failed);
    snprintf(text, sizeof text, "%zu setting%s: 1 best, %zu tied with it, %zu slower%s%s%s",
             o->tried, o->tried == 1 ? "" : "s", o->tied, o->slower, undecided, refused, failed);
    fit_print(text, INDENT, NEXT_INDENT, p->columns, p->out);
    fputc('\n', p->out);
}

static void print_outcome(const race_page *p, const group *g, const group_entry *best)
{
    char text[SETTING_BYTES], time[32], said[80];
    const outcome o = outcome_of(g, best);
    const measurement_phase *run = measurement_run(&best->measurement);
    print_head(p, best);
    print_time(run->interval.median, time, sizeof time);
    if (best->configuration.job.tunable_count == 0) {
        snprintf(said, sizeof said, "no tunables, so nothing to choose: %s", time);
        fit_print(said, INDENT, NEXT_INDENT, p->columns, p->out);
        fputc('\n', p->out);
        return;
    }
    snprintf(said, sizeof said, "%s%s", time, o.own == best ? ", the default" : "");
    put_setting(p, "best", setting_of(best, text), said);
    for (size_t i = 0; i < o.tied && i < TIES_SHOWN; i++)
        print_beside(p, "tied", o.ties[i], &o.tie_ratios[i]);
    if (o.tied > TIES_SHOWN)
        fprintf(p->out, "  %-*s %zu more\n", LABEL, "tied", o.tied - TIES_SHOWN);
    print_own(p, &o, best);
    print_counts(p, &o);
}

/* Is m the first of its session? */
static bool is_first(const group *g, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (g->members[i].configuration.session == g->members[at].configuration.session)
            return false;
    return true;
}

/* Why there is no best; of the session's first setting. */
static void print_nothing(const race_page *p, const group_entry *m)
{
    const job_result *r = &m->measurement.result;
    char text[FAULT_SENTENCE_BYTES + 128];
    if (r->status == ROW_OK) {
        snprintf(text, sizeof text,
                 "no setting was measured often enough to tell: raise --time-limit");
    } else {
        char reason[FAULT_SENTENCE_BYTES];
        snprintf(text, sizeof text, "no setting was measured; of the first: %s: %s",
                 row_status_word(r->status), fault_text(&r->fault, reason, sizeof reason));
    }
    fit_print(text, INDENT, NEXT_INDENT, p->columns, p->out);
    fputc('\n', p->out);
}

/* Prints what the race of a group has found: the best setting of each plugin, and those tied. */
static void print_race(const group *g, size_t columns, FILE *out)
{
    const race_page p = {.out = out, .columns = columns};
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *m = &g->members[i];
        if (m->role != MEMBER_OWN || !is_first(g, i))
            continue;
        const group_entry *best = race_best(g, m);
        if (best) {
            print_outcome(&p, g, best);
            continue;
        }
        print_head(&p, m);
        print_nothing(&p, m);
    }
}

/* ---- the command ---- */

typedef struct tuning {
    const options *o;
    study study;
    result_csv csv; /* open if --csv or --json is given: it has references */
    metadata metadata;
    warnings warnings;
    run_progress progress;
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
        char label[256];
        if (was_measured(&g->members[i]))
            warnings_add(&t->warnings, m);
        if (!row_status_is_failure(m->result.status) || g->members[i].role != MEMBER_OWN)
            continue;
        plan_describe(m->configuration, t->study.session_set.sessions, label, sizeof label);
        study_print_failure(label, m->result.status, &m->result.fault);
        t->status = EXIT_WRONG;
    }
    print_race(g, terminal_width(fileno(t->out), FIT_PIPE), t->out);
    return t->csv.references ? write_rows(t, g, error) : SCAN_OK;
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
    if (t->csv.references) {
        errmsg error;
        rescue_look(&t->rescue, &t->csv, &t->metadata);
        const metadata_end end = {&t->warnings, status == SCAN_OK, result_csv_bytes(&t->csv)};
        scan_status ended = metadata_finish(&t->metadata, &end, &error);
        if (rescue_report(&t->rescue, &error) != SCAN_OK)
            ended = SCAN_ERROR;
        if (result_csv_close(&t->csv, ended == SCAN_OK ? &error : NULL) != SCAN_OK)
            ended = SCAN_ERROR;
        if (ended != SCAN_OK) {
            status = SCAN_ERROR;
            t->error = error;
        }
    }
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
    if (result_csv_open(to, &t->csv, &t->error) != SCAN_OK)
        return fail(t, EXIT_USAGE);
    if ((!to->overwrite && earlier_rows_keep(&t->csv, NULL, false, &t->error) != SCAN_OK) ||
        result_csv_begin(&t->csv, to, 0, &t->error) != SCAN_OK)
        return fail(t, EXIT_USAGE);
    const metadata_facts facts = {.results = &t->csv,
                                  .set = &t->study.session_set,
                                  .machine = t->study.machine,
                                  .argv = argv};
    return metadata_write(to, &facts, &t->metadata, &t->error) == SCAN_OK ? EXIT_GOOD
                                                                          : fail(t, EXIT_USAGE);
}

int tune_main(const options *o, char *const *argv)
{
    tuning t = {.o = o, .status = EXIT_GOOD};
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
    if (t.csv.references)
        result_csv_close(&t.csv, NULL);
    metadata_free(&t.metadata);
    study_close(&t.study);
    free(list);
    return status;
}
