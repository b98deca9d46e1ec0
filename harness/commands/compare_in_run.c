#include "commands/compare_in_run.h"

#include "commands/duel.h"
#include "commands/run_progress.h"
#include "problem/names.h"
#include "supervisor/interrupt.h"
#include "system/shared_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The texts of a row that its plugin does not hold. */
typedef struct row_texts {
    char block[24], vt[24];
    char reason[FAULT_SENTENCE_BYTES];
    char params[PLAN_PARAMS_BYTES];
} row_texts;

typedef struct meeting {
    const options *o;
    duel duel;
    duel_pair *pairs;
    size_t pair_count;
    result_file files[DUEL_SIDES]; /* rows made here, one a pair */
    row_texts *texts;              /* two a pair */
    comparison comparison;
    run_progress progress;
    bool failed; /* one was wrong, crashed, ... */
    errmsg error;
} meeting;

static void on_tick(void *context)
{
    meeting *s = context;
    progress_tick(&s->progress.bar);
}

static void on_turn(void *context, const group_entry *m, double share)
{
    meeting *s = context;
    run_progress_turn(&s->progress, m, share);
}

static configuration configuration_of(const meeting *s, size_t pair, size_t side)
{
    configuration c = plan_get(&s->duel.sides[side].study.plan, s->pairs[pair].at[side]);
    c.session += s->duel.sides[side].first;
    return c;
}

/* The pairs from `first` on that have one problem. */
static size_t end_of(const meeting *s, size_t first)
{
    const configuration c = configuration_of(s, first, 0);
    size_t end = first + 1;
    for (; end < s->pair_count; end++) {
        const configuration next = configuration_of(s, end, 0);
        if (!job_same_problem(&c.job, &next.job))
            break;
    }
    return end;
}

static void optional(char *text, size_t size, bool there, int64_t value)
{
    if (there)
        snprintf(text, size, "%" PRId64, value);
}

static result_row row_of(const group_entry *m, row_texts *t)
{
    const configuration *c = &m->configuration;
    const plugin_info *p = m->measurement.session->plugin;
    const bool copies = measurement_is_ceiling(&m->measurement);
    const measurement_phase *run = measurement_run(&m->measurement);
    optional(t->block, sizeof t->block, c->has_block, c->block);
    optional(t->vt, sizeof t->vt, c->has_vt, c->vt);
    snprintf(t->params, sizeof t->params, "%s", c->params);
    fault_text(&m->measurement.result.fault, t->reason, sizeof t->reason);
    return (result_row){.run_id = "",
                        .timestamp_utc = "",
                        .host = "",
                        .plugin = p->id,
                        .plugin_version = p->version,
                        .backend = p->backend,
                        .device = m->measurement.session->device.name,
                        .driver = m->measurement.session->device.driver,
                        .kind = copies ? "" : kind_name(c->job.kind),
                        .kinds = copies ? "" : job_kinds_word(&c->job),
                        .op = copies ? "" : op_name(c->job.op),
                        .dtype = dtype_name(c->job.dtype),
                        .params = t->params,
                        .cache = "hot",
                        .phase = phase_word(PHASE_RUN),
                        .reason = t->reason,
                        .n = c->job.n,
                        .block = t->block,
                        .vt = t->vt,
                        .status = m->measurement.result.status,
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
static scan_status judge(const meeting *s, const group_entry *one, const group_entry *other,
                         compared_pair *pair)
{
    const measurement_phase *before = measurement_run(&one->measurement);
    const measurement_phase *after = measurement_run(&other->measurement);
    const bool good = pair->first->status == ROW_OK && pair->second->status == ROW_OK;
    if (!good || !before || !after) {
        pair->outcome.verdict = VERDICT_MISSING;
        pair->regression =
            pair->first->status == ROW_OK && row_status_is_failure(pair->second->status);
        return SCAN_OK;
    }
    const size_t rounds =
        before->value_count < after->value_count ? before->value_count : after->value_count;
    stats_rounds ratio;
    scan_status status = stats_rounds_ratio(after->values, before->values, rounds, &ratio);
    if (status != SCAN_OK)
        return status;
    pair->outcome = verdict_within(&ratio, verdict_sign_test(after->values, before->values, rounds),
                                   s->o->compare.threshold_pct / 100);
    if (have_other_clocks(one, other)) {
        pair->outcome.verdict = VERDICT_INCONCLUSIVE;
        pair->outcome.reason = VERDICT_FOR_NOISY;
    }
    pair->has_ratio = ratio.n > 0;
    if (!pair->outcome.has_interval)
        pair->outcome.ratio = ratio.n > 0 ? ratio.median : 0;
    return SCAN_OK;
}

static scan_status note_group(meeting *s, const group *g, size_t first)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i + 1 < g->count && status == SCAN_OK; i += DUEL_SIDES) {
        const size_t at = first + i / DUEL_SIDES;
        for (size_t side = 0; side < DUEL_SIDES; side++) {
            const group_entry *m = &g->members[i + side];
            s->files[side].rows[at] = row_of(m, &s->texts[DUEL_SIDES * at + side]);
            s->failed |= row_status_is_failure(m->measurement.result.status);
        }
        compared_pair *pair = &s->comparison.pairs[s->comparison.count++];
        *pair = (compared_pair){
            .first_file = &s->files[0],
            .second_file = &s->files[1],
            .first = &s->files[0].rows[at],
            .second = &s->files[1].rows[at],
            .first_plugin_file = g->members[i].measurement.session->plugin->file,
            .second_plugin_file = g->members[i + 1].measurement.session->plugin->file};
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
    return !p->device_memory;
}

/* Both sides are timed alike: processor time counts only where it would on both. */
static bool may_count_processor_time(const meeting *s, size_t pair)
{
    for (size_t side = 0; side < DUEL_SIDES; side++)
        if (!computes_on_one_thread(
                s->duel.sessions[configuration_of(s, pair, side).session].plugin))
            return false;
    return true;
}

/* Arrays of at least this many bytes lie in memory that both sides use: their times differ by
 * percents with the place. Those that a core's cache holds are as fast anywhere. */
enum { SHARED_LEAST = 1 << 20 };

static shared_memory memory_for(const job *j)
{
    if (j->n * dtype_bytes(j->dtype) < SHARED_LEAST)
        return (shared_memory){.file = -1};
    return shared_memory_new(2 * job_shared_bytes(j));
}

/* Measures the pairs first ... end-1, which have one problem, in the same rounds. */
static scan_status measure(meeting *s, size_t first, size_t end)
{
    const options *o = s->o;
    group g;
    if (group_begin(&g, s->duel.sessions, DUEL_SIDES * (end - first)) != SCAN_OK)
        return SCAN_NO_MEMORY;
    const configuration one = configuration_of(s, first, 0);
    shared_memory memory = memory_for(&one.job);
    for (size_t i = first; i < end; i++)
        for (size_t side = 0; side < DUEL_SIDES; side++) {
            configuration c = configuration_of(s, i, side);
            snprintf(c.job.shared, sizeof c.job.shared, "%s", memory.path);
            c.job.processor_time = may_count_processor_time(s, i);
            group_add(&g, &c);
        }
    const measure_options how = {.rule = {.min_samples = o->measuring.min_samples,
                                          .max_samples = o->measuring.max_samples,
                                          .least_rounds = IN_RUN_ROUNDS,
                                          .time_limit_s = IN_RUN_TIMES * sweep_time_limit_s(&g),
                                          .patience = IN_RUN_PATIENCE},
                                 .pair_half_width = half_width(o),
                                 .run_only = true,
                                 .mem_limit = s->duel.sides[0].study.mem_limit,
                                 .tick = on_tick,
                                 .turn = on_turn,
                                 .context = s};
    run_progress_begin(&s->progress);
    scan_status status = measure_group(&g, &how);
    if (status == SCAN_OK)
        status = note_group(s, &g, first);
    run_progress_done(&s->progress, &g);
    group_free(&g);
    shared_memory_free(&memory);
    return status;
}

/* Forecasts the pairs first ... end-1. */
static scan_status forecast_pairs(meeting *s, size_t first, size_t end)
{
    uint32_t *sessions = calloc(DUEL_SIDES * (end - first), sizeof *sessions);
    group_members g = {.sessions = sessions};
    for (size_t i = first; sessions && i < end; i++)
        for (size_t side = 0; side < DUEL_SIDES; side++) {
            const configuration c = configuration_of(s, i, side);
            g.array_bytes = (double)c.job.n * (double)dtype_bytes(c.job.dtype);
            g.time_limit_s +=
                IN_RUN_TIMES * c.job.time_limit_s / (double)(DUEL_SIDES * (end - first));
            if (c.status == ROW_OK)
                sessions[g.count++] = (uint32_t)c.session;
        }
    scan_status status = sessions ? forecast_add(s->progress.forecast, &g) : SCAN_NO_MEMORY;
    free(sessions);
    return status;
}

static scan_status forecast_all(meeting *s)
{
    const sweep_options how = {.min_samples = s->o->measuring.min_samples,
                               .max_samples = s->o->measuring.max_samples,
                               .least_rounds = IN_RUN_ROUNDS};
    scan_status status =
        run_progress_new(&s->progress, s->duel.sessions, s->duel.session_count, &how);
    for (size_t first = 0, end; first < s->pair_count && status == SCAN_OK; first = end) {
        end = end_of(s, first);
        status = forecast_pairs(s, first, end);
    }
    return status;
}

static scan_status measure_all(meeting *s)
{
    scan_status status = forecast_all(s);
    if (status == SCAN_OK)
        run_progress_start(&s->progress, !s->o->quiet);
    for (size_t first = 0, end; first < s->pair_count && status == SCAN_OK; first = end) {
        end = end_of(s, first);
        status = interrupt_requested() ? SCAN_ERROR : measure(s, first, end);
    }
    progress_clear(&s->progress.bar);
    run_progress_free(&s->progress);
    return status;
}

/* Room for the rows of all pairs. */
static scan_status reserve(meeting *s)
{
    const size_t most = s->pair_count + 1;
    for (size_t side = 0; side < DUEL_SIDES; side++) {
        s->files[side] = (result_file){.path = s->o->arguments[side],
                                       .rows = calloc(most, sizeof *s->files[side].rows),
                                       .count = s->pair_count};
        if (!s->files[side].rows)
            return SCAN_NO_MEMORY;
    }
    s->texts = calloc(DUEL_SIDES * most, sizeof *s->texts);
    s->comparison = (comparison){.files = s->files,
                                 .file_count = DUEL_SIDES,
                                 .in_run = true,
                                 .threshold = s->o->compare.threshold_pct / 100,
                                 .pairs = calloc(most, sizeof *s->comparison.pairs)};
    return s->texts && s->comparison.pairs ? SCAN_OK : SCAN_NO_MEMORY;
}

static int finish(meeting *s, compare_reporter *report)
{
    if (comparison_finish(&s->comparison) != SCAN_OK) {
        errmsg_set(&s->error, SCAN_NO_MEMORY, "out of memory");
        return EXIT_USAGE;
    }
    if (report(s->o, &s->comparison, &s->error) != SCAN_OK)
        return EXIT_USAGE;
    const int status = compare_exit(&s->comparison);
    return s->failed ? EXIT_WRONG : status;
}

static int compare(meeting *s, compare_reporter *report)
{
    const int opened = duel_open(s->o, &s->duel, &s->error);
    if (opened != EXIT_GOOD)
        return opened;
    scan_status status = duel_match(&s->duel, &s->pairs, &s->pair_count, &s->error);
    if (status != SCAN_OK)
        return EXIT_USAGE;
    status = reserve(s);
    if (status == SCAN_OK)
        status = measure_all(s);
    if (status == SCAN_OK)
        return finish(s, report);
    if (status == SCAN_ERROR) /* a signal */
        return interrupt_status();
    errmsg_set(&s->error, status, "out of memory");
    return EXIT_USAGE;
}

int compare_in_run(const options *o, compare_reporter *report)
{
    meeting *s = calloc(1, sizeof *s); /* the stack may be small (ulimit -s) */
    if (!s) {
        fputs("scanbench: out of memory\n", stderr);
        return EXIT_USAGE;
    }
    s->o = o;
    interrupt_catch();
    const int status = compare(s, report);
    if (*s->error.text)
        fprintf(stderr, "scanbench: %s\n", s->error.text);
    comparison_free(&s->comparison);
    for (size_t side = 0; side < DUEL_SIDES; side++)
        free(s->files[side].rows);
    free(s->texts);
    free(s->pairs);
    duel_close(&s->duel);
    free(s);
    return status;
}
