#include "commands/verbs.h"

#include "commands/in_run_print.h"
#include "commands/progress.h"
#include "commands/study.h"
#include "supervisor/interrupt.h"
#include "system/memory.h"
#include "system/terminal.h"
#include "system/whole_file.h"
#include "text/plugin_list.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- two studies that are measured together ---- */

/* "PLUGIN" or "PLUGIN:NAME=VALUE,...": an id or a file, with tunables to set. */
typedef struct study_side {
    char *text; /* the operand, cut into the parts below */
    options options;
    study study;
    size_t first; /* of its sessions among those of both */
} study_side;

typedef struct paired_study {
    study_side sides[STUDY_SIDES];
    session *sessions; /* of both sides */
    size_t session_count;
} paired_study;

/* A configuration of each side with the same problem: their places in the plans. */
typedef struct study_pair {
    size_t at[STUDY_SIDES];
    size_t end; /* of the pairs of that problem */
} study_pair;

/* Cuts "PLUGIN:NAME=VALUE,..." at its colon, if a setting follows, and adds the settings. */
static scan_status read_side(const options *o, const char *operand, study_side *side, errmsg *error)
{
    side->options = *o;
    side->text = strdup(operand);
    if (!side->text)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    side->options.plugins.list = side->text;
    char *colon = strrchr(side->text, ':');
    if (!colon || !strchr(colon, '=') || strchr(colon, '/'))
        return SCAN_OK;
    *colon = '\0';
    for (char *rest = colon; rest;) {
        char *item = rest + 1;
        option_sets *sets = &side->options.grid.sets;
        rest = strchr(item, ',');
        if (rest)
            *rest = '\0';
        if (!strchr(item, '='))
            return errmsg_set(error, SCAN_INVALID,
                              "%s: \"%s\" is no setting; write PLUGIN:NAME=VALUE,NAME=VALUE",
                              operand, item);
        if (sets->count == OPTIONS_SETS)
            return errmsg_set(error, SCAN_INVALID, "%s: there are more than %d settings", operand,
                              OPTIONS_SETS);
        sets->items[sets->count++] = item;
    }
    return SCAN_OK;
}

/* Moves the sessions of both sides into one array, which a group refers to. */
static scan_status join_sessions(paired_study *d)
{
    size_t count = 0;
    for (size_t i = 0; i < STUDY_SIDES; i++)
        count += d->sides[i].study.session_set.count;
    d->sessions = calloc(count + 1, sizeof *d->sessions);
    if (!d->sessions)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_side *side = &d->sides[i];
        session_set *set = &side->study.session_set;
        side->first = d->session_count;
        for (size_t k = 0; k < set->count; k++)
            d->sessions[d->session_count++] = set->sessions[k];
        plan_move(&side->study.plan, d->sessions + side->first);
        free(set->sessions);
        set->sessions = NULL;
        set->count = 0;
    }
    return SCAN_OK;
}

/* Opens both sides of the arguments. EXIT_GOOD; or another exit status with the reason in `error`,
 * which is "" after a signal. Released with paired_study_close in either case. */
static int paired_study_open(const options *o, paired_study *paired_p, errmsg *error)
{
    *paired_p = (paired_study){0};
    if (o->argument_count != STUDY_SIDES) {
        errmsg_set(error, SCAN_INVALID,
                   "compare --in-run needs two plugins: scanbench compare --in-run OLD.so NEW.so");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < STUDY_SIDES; i++)
        if (read_side(o, o->arguments[i], &paired_p->sides[i], error) != SCAN_OK)
            return EXIT_USAGE;
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_side *side = &paired_p->sides[i];
        side->study.in_run = true;
        const int status = study_open(&side->options, &side->study, error);
        if (status != EXIT_GOOD)
            return status;
    }
    if (join_sessions(paired_p) != SCAN_OK) {
        errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

static void paired_study_close(paired_study *d)
{
    for (size_t i = 0; i < d->session_count; i++)
        session_close(&d->sessions[i]);
    free(d->sessions);
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_close(&d->sides[i].study);
        free(d->sides[i].text);
    }
    *d = (paired_study){0};
}

/* The first configuration from `at` on with another problem. */
static size_t end_of_problem(const plan *p, size_t at)
{
    const configuration first = plan_get(p, at);
    size_t end = at + 1;
    for (; end < p->count; end++) {
        const configuration next = plan_get(p, end);
        if (!job_same_problem(&first.job, &next.job))
            break;
    }
    return end;
}

/*
 * Pairs the configurations of all problems, in the order of the plans: those of one problem in
 * their order, or all of one side with the only one of the other. SCAN_OK and *pairs_p, for the
 * caller to free; SCAN_INVALID if their numbers do not fit; SCAN_NO_MEMORY.
 */
static scan_status paired_study_match(const paired_study *d, study_pair **pairs_p, size_t *count_p,
                                      errmsg *error)
{
    const plan *one = &d->sides[0].study.plan, *other = &d->sides[1].study.plan;
    study_pair *pairs = calloc(one->count + other->count + 1, sizeof *pairs);
    size_t count = 0, i = 0, k = 0;
    if (!pairs)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    while (i < one->count && k < other->count) {
        const size_t i_end = end_of_problem(one, i), k_end = end_of_problem(other, k);
        const size_t ones = i_end - i, others = k_end - k;
        const configuration c = plan_get(one, i);
        if (ones != others && ones != 1 && others != 1) {
            free(pairs);
            return errmsg_set(error, SCAN_INVALID,
                              "at n=%" PRIu64 " %s has %zu configurations and %s has %zu; name one "
                              "plugin (FILE:ID) and one setting (PLUGIN:NAME=VALUE) of each",
                              c.job.n, d->sides[0].options.plugins.list, ones,
                              d->sides[1].options.plugins.list, others);
        }
        const size_t most = ones > others ? ones : others, end = count + most;
        for (size_t at = 0; at < most; at++)
            pairs[count++] =
                (study_pair){{i + (ones > 1 ? at : 0), k + (others > 1 ? at : 0)}, end};
        i = i_end;
        k = k_end;
    }
    *pairs_p = pairs;
    *count_p = count;
    return SCAN_OK;
}

/* ---- measuring and judging them ---- */

typedef struct in_run {
    const options *o;
    paired_study both;
    study_pair *matched;
    size_t matched_count;
    in_run_result result;
    run_progress progress;
    bool failed; /* one was wrong, crashed, ... */
    errmsg error;
} in_run;

static configuration configuration_of(const in_run *s, size_t pair, size_t side)
{
    configuration c = plan_get(&s->both.sides[side].study.plan, s->matched[pair].at[side]);
    c.session += s->both.sides[side].first;
    return c;
}

static compared_side side_of(const group_entry *m)
{
    const measurement_phase *run = measurement_run(&m->measurement);
    return (compared_side){.session = m->measurement.session,
                           .configuration = m->configuration,
                           .status = m->measurement.result.status,
                           .fault = m->measurement.result.fault,
                           .median_ns = run ? run->interval.median : 0};
}

static bool is_flagged(const group_entry *m, const char *flag)
{
    return strstr(m->measurement.result.flags, flag) != NULL;
}

/* Does one count by processor time what the other counts by the clock? */
static bool have_other_clocks(const group_entry *one, const group_entry *other)
{
    return (is_flagged(one, JOB_BY_PROCESSOR_FLAG) && is_flagged(other, JOB_BY_CLOCK_FLAG)) ||
           (is_flagged(one, JOB_BY_CLOCK_FLAG) && is_flagged(other, JOB_BY_PROCESSOR_FLAG));
}

/* Judges the second of two members of a group against the first. */
static scan_status judge(const in_run *s, const group_entry *one, const group_entry *other,
                         in_run_pair *pair)
{
    const measurement_phase *before = measurement_run(&one->measurement);
    const measurement_phase *after = measurement_run(&other->measurement);
    const row_status first = pair->sides[0].status, second = pair->sides[1].status;
    if (first != ROW_OK || second != ROW_OK || !before || !after) {
        pair->outcome.verdict = VERDICT_MISSING;
        pair->regression = first == ROW_OK && row_status_is_failure(second);
        return SCAN_OK;
    }
    const size_t rounds =
        before->value_count < after->value_count ? before->value_count : after->value_count;
    stats_rounds ratio;
    scan_status status = stats_rounds_ratio(after->values, before->values, rounds, &ratio);
    if (status != SCAN_OK)
        return status;
    pair->outcome = verdict_within(&ratio, verdict_sign_test(after->values, before->values, rounds),
                                   s->result.threshold);
    if (have_other_clocks(one, other)) {
        pair->outcome.verdict = VERDICT_INCONCLUSIVE;
        pair->outcome.reason = VERDICT_FOR_NOISY;
    }
    pair->has_ratio = ratio.n > 0;
    if (!pair->outcome.has_interval)
        pair->outcome.ratio = ratio.n > 0 ? ratio.median : 0;
    return SCAN_OK;
}

static scan_status note_group(in_run *s, const group *g)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i + 1 < g->count && status == SCAN_OK; i += STUDY_SIDES) {
        in_run_pair *pair = &s->result.pairs[s->result.count++];
        *pair = (in_run_pair){.sides = {side_of(&g->members[i]), side_of(&g->members[i + 1])}};
        for (size_t side = 0; side < STUDY_SIDES; side++)
            s->failed |= row_status_is_failure(pair->sides[side].status);
        status = judge(s, &g->members[i], &g->members[i + 1], pair);
    }
    return status;
}

/* A verdict asks for more than a number does: twice the rounds and the time of a sweep, and
 * IN_RUN_PATIENCE times as much of both where half the width of the ratio's interval is still more
 * than half of the threshold. That looks at the width alone, not at the ratio. */
enum { IN_RUN_ROUNDS = 2 * ROUNDS_MOST, IN_RUN_TIMES = 2, IN_RUN_PATIENCE = 5 };

static double half_width(const options *o)
{
    return fmax(o->compare.threshold_pct / 200, STATS_FLOOR);
}

static bool computes_on_one_thread(const plugin_info *p)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        if (p->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return false;
    return !p->device_memory && !plugin_file_is_python(p->file);
}

/* Both sides are timed alike: processor time counts only where it would on both. */
static bool may_count_processor_time(const in_run *s, size_t pair)
{
    for (size_t side = 0; side < STUDY_SIDES; side++)
        if (!computes_on_one_thread(
                s->both.sessions[configuration_of(s, pair, side).session].plugin))
            return false;
    return true;
}

/* Arrays of at least this many bytes lie in memory that both sides use: their times differ by
 * percents with the place. Those that a core's cache holds are as fast anywhere. */
enum { SHARED_LEAST = 1 << 20 };

static shared_memory memory_for(const job *j)
{
    if (job_out_bytes(j) < SHARED_LEAST)
        return (shared_memory){.file = -1};
    return shared_memory_new(2 * job_shared_bytes(j));
}

/* Measures the pairs first ... end-1, which have one problem, in the same rounds. */
static scan_status measure(in_run *s, size_t first, size_t end)
{
    const options *o = s->o;
    group g;
    if (group_begin(&g, s->both.sessions, STUDY_SIDES * (end - first)) != SCAN_OK)
        return SCAN_NO_MEMORY;
    const configuration one = configuration_of(s, first, 0);
    shared_memory memory = memory_for(&one.job);
    for (size_t i = first; i < end; i++)
        for (size_t side = 0; side < STUDY_SIDES; side++) {
            configuration c = configuration_of(s, i, side);
            snprintf(c.job.measure.shared, sizeof c.job.measure.shared, "%s", memory.path);
            c.job.measure.processor_time = may_count_processor_time(s, i);
            group_add(&g, &c);
        }
    const measure_options how = {.rule = {.min_samples = o->measuring.min_samples,
                                          .max_samples = o->measuring.max_samples,
                                          .least_rounds = IN_RUN_ROUNDS,
                                          .time_limit_s = IN_RUN_TIMES * sweep_time_limit_s(&g),
                                          .patience = IN_RUN_PATIENCE},
                                 .pair_half_width = half_width(o),
                                 .run_only = true,
                                 .mem_limit = s->both.sides[0].study.mem_limit,
                                 .watcher = run_progress_watcher(&s->progress)};
    scan_status status = measure_group(&g, &how);
    if (status == SCAN_OK)
        status = note_group(s, &g);
    group_free(&g);
    shared_memory_free(&memory);
    return status;
}

static void forecast_all(in_run *s)
{
    for (size_t first = 0, end; first < s->matched_count; first = end) {
        end = s->matched[first].end;
        const configuration c = configuration_of(s, first, 0);
        const forecast_group g = {.array_bytes = (double)job_moved_bytes(&c.job) / 2,
                                  .time_limit_s = c.job.time_limit_s,
                                  .configurations = STUDY_SIDES * (end - first)};
        forecast_add(&s->progress.forecast, &g);
    }
}

static scan_status measure_all(in_run *s)
{
    scan_status status = SCAN_OK;
    forecast_all(s);
    run_progress_start(&s->progress, !s->o->quiet);
    for (size_t first = 0, end; first < s->matched_count && status == SCAN_OK; first = end) {
        end = s->matched[first].end;
        status = interrupt_requested() ? SCAN_ERROR : measure(s, first, end);
    }
    progress_clear(&s->progress.bar);
    return status;
}

/* Holm's rule over all pairs: they are shown together. */
static scan_status judge_together(in_run_result *r)
{
    verdict_outcome **family = calloc(r->count + 1, sizeof *family);
    if (!family)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < r->count; i++)
        family[i] = &r->pairs[i].outcome;
    verdict_holm(family, r->count);
    free(family);
    for (size_t i = 0; i < r->count; i++) {
        r->pairs[i].regression |= r->pairs[i].outcome.verdict == VERDICT_SLOWER;
        r->regressions += r->pairs[i].regression;
    }
    return SCAN_OK;
}

static double effect_of(const in_run_pair *pair)
{
    if (!pair->has_ratio)
        return pair->regression ? INFINITY : -1;
    return fabs(log(pair->outcome.ratio));
}

static int by_effect(const void *left, const void *right)
{
    const in_run_pair *a = left, *b = right;
    const double one = effect_of(a), other = effect_of(b);
    if (one < other || one > other)
        return one > other ? -1 : 1;
    const compared_side *side = &a->sides[1], *with = &b->sides[1];
    const int order = strcmp(side->session->plugin->id, with->session->plugin->id);
    const uint64_t n = side->configuration.job.n, others = with->configuration.job.n;
    return order ? order : (n > others) - (n < others);
}

static scan_status write_json(const in_run *s, errmsg *error)
{
    whole_file file;
    scan_status status = whole_file_begin(s->o->output.json, NULL, &file, error);
    if (status != SCAN_OK)
        return status;
    in_run_print_json(&s->result, file.out);
    return whole_file_end(&file, error);
}

static scan_status report(in_run *s)
{
    enum { TABLE_WIDTH = 80 };
    const char *json = s->o->output.json;
    scan_status status = json ? write_json(s, &s->error) : SCAN_OK;
    if (status != SCAN_OK || s->o->quiet || (json && strcmp(json, "-") == 0))
        return status;
    if (s->o->compare.markdown)
        in_run_print_markdown(&s->result, stdout);
    else
        status = in_run_print_table(&s->result, terminal_width(STDOUT_FILENO, TABLE_WIDTH), stdout);
    if (status != SCAN_OK)
        return errmsg_set(&s->error, status, "out of memory");
    return fflush(stdout) == 0 && !ferror(stdout)
               ? SCAN_OK
               : errmsg_set(&s->error, SCAN_ERROR, "writing stdout: %s", strerror(errno));
}

static int finish(in_run *s)
{
    in_run_result *r = &s->result;
    bool compared = false;
    if (judge_together(r) != SCAN_OK) {
        errmsg_set(&s->error, SCAN_NO_MEMORY, "out of memory");
        return EXIT_USAGE;
    }
    if (r->count > 0)
        qsort(r->pairs, r->count, sizeof *r->pairs, by_effect);
    if (report(s) != SCAN_OK)
        return EXIT_USAGE;
    for (size_t i = 0; i < r->count; i++)
        compared |= r->pairs[i].has_ratio || r->pairs[i].regression;
    if (!compared)
        errmsg_set(&s->error, SCAN_INVALID,
                   "nothing was compared: no configuration has times in both %s and %s",
                   r->operands[0], r->operands[1]);
    if (s->failed)
        return EXIT_WRONG;
    if (r->regressions > 0)
        return EXIT_REGRESSION;
    return compared ? EXIT_GOOD : EXIT_USAGE;
}

static int compare(in_run *s)
{
    const int opened = paired_study_open(s->o, &s->both, &s->error);
    if (opened != EXIT_GOOD)
        return opened;
    scan_status status = paired_study_match(&s->both, &s->matched, &s->matched_count, &s->error);
    if (status != SCAN_OK)
        return EXIT_USAGE;
    s->result = (in_run_result){.operands = {s->o->arguments[0], s->o->arguments[1]},
                                .threshold = s->o->compare.threshold_pct / 100,
                                .pairs = calloc(s->matched_count + 1, sizeof *s->result.pairs)};
    status = s->result.pairs ? measure_all(s) : SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        return finish(s);
    if (status == SCAN_ERROR) /* a signal */
        return interrupt_status();
    errmsg_set(&s->error, status, "out of memory");
    return EXIT_USAGE;
}

int compare_in_run(const options *o)
{
    in_run *s = calloc(1, sizeof *s); /* the stack may be small (ulimit -s) */
    if (!s) {
        fputs("scanbench: out of memory\n", stderr);
        return EXIT_USAGE;
    }
    s->o = o;
    interrupt_catch();
    const int status = compare(s);
    if (*s->error.text)
        fprintf(stderr, "scanbench: %s\n", s->error.text);
    free(s->result.pairs);
    free(s->matched);
    paired_study_close(&s->both);
    free(s);
    return status;
}
